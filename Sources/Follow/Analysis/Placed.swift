import CaptureReader
package import Regions

extension Timeline {
  /// How near an observer came to a circle.
  package struct Approach: Sendable {
    package let observer: Int
    package let region: Int
    package let circle: CircleApproach
  }
}

extension Timeline.Observer {
  /// Of `unplaced` what lies in its recordings, and is longer than positions may be apart: nobody asks
  /// where it was between them.
  package var unplacedInRecordings: [Timeline.Span] {
    var parts: [Timeline.Span] = []
    var next = 0
    for span in unplaced {
      while next < recordings.count, recordings[next].to.nanoseconds <= span.from.nanoseconds {
        next += 1
      }
      for recording in recordings[next...] {
        guard recording.from.nanoseconds < span.to.nanoseconds else { break }
        let from = max(span.from.nanoseconds, recording.from.nanoseconds)
        let to = min(span.to.nanoseconds, recording.to.nanoseconds)
        guard to.since(from) > PositionPath.longestGap else { continue }
        parts.append(
          Timeline.Span(from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to)))
      }
    }
    return parts
  }
}
