import CaptureReader
import FrameDecoder
import Regions

/// When an observer recorded: from the first record to the last of each of its captures.
struct RecordedSpans {
  private var spans: [Timeline.Recording] = []
  /// Whether the latest one goes on.
  private var isOpen = false
  /// Captures with a shorter time between them, nanoseconds, are one: a log that was rotated.
  private let leastGap: Int64

  init(leastGap: Int64) { self.leastGap = leastGap }

  mutating func take(_ note: ObserverNote) {
    guard note.time.isKnown, !note.kind.isRemark, !note.kind.isBetweenRecords else { return }
    let now = note.time.nanoseconds
    if isOpen, let last = spans.last {
      let reached = max(note.lastRecord.nanoseconds, last.to.nanoseconds)
      extend(to: min(reached, now))
      if now.since(reached) > Stretches.longestPause {
        begin(at: note.time, continues: true)
      } else {
        extend(to: now)
      }
    } else {
      // Another capture of this observer may have ended meanwhile.
      begin(at: note.time, continues: note.lastRecord.isKnown)
    }
    if note.kind == .end { isOpen = false }
  }

  private mutating func begin(at time: Timestamp, continues: Bool) {
    isOpen = true
    guard spans.count < Timeline.Observer.mostDeaf else { return extend(to: time.nanoseconds) }
    spans.append(Timeline.Recording(from: time, to: time, continues: continues))
  }

  private mutating func extend(to moment: Int64) {
    let last = spans.count - 1
    guard moment > spans[last].to.nanoseconds else { return }
    spans[last].to = Timestamp(nanoseconds: moment)
  }

  /// Ascending, disjoint.
  var recordings: [Timeline.Recording] {
    var joined: [Timeline.Recording] = []
    for span in spans.sorted(by: { $0.from.nanoseconds < $1.from.nanoseconds }) {
      guard let last = joined.last, span.from.nanoseconds.since(last.to.nanoseconds) < leastGap
      else {
        joined.append(span)
        continue
      }
      let end = max(last.to.nanoseconds, span.to.nanoseconds)
      joined[joined.count - 1].to = Timestamp(nanoseconds: end)
    }
    return joined
  }
}
