import CaptureReader
import Regions
import TrackReader

extension Following {
  /// Of each circle, how near each observer came whose positions are known.
  func approaches(_ follower: ProfileFollower, _ timeline: Timeline) -> [Timeline.Approach] {
    guard !follower.circles.isEmpty else { return [] }
    return timeline.regions.indices.flatMap { region in
      timeline.observers.indices.compactMap { observer in
        follower.circles.approach(to: region, at: observer).map {
          Timeline.Approach(observer: observer, region: region, circle: $0)
        }
      }
    }
  }
}

/// What is to be said of the tracks when a run is over.
struct TrackFindings {
  let tracks: [Track]
  let timeline: Timeline

  /// Metres between two tracks of one receiver at a time: no receiver is wrong by that.
  private static let farApart = 100.0
  /// Fixes of a track that are compared with another track.
  private static let mostCompared = 1000
  /// Pairs of tracks that are told, and compared; there may be a track for each day of many receivers.
  private static let mostPairs = 10
  private static let mostComparedPairs = 1000

  var warnings: [String] {
    tracks.flatMap { track in track.log.texts.map { "\(track.name): \($0)" } }
      + tracks.compactMap { $0.damage?.description } + contradictions
  }

  /// Tracks of another time than the observers that they are of, and those of none.
  var problems: [String] { tracks.compactMap { problem(of: $0) } }

  private func problem(of track: Track) -> String? {
    let own = timeline.observers.filter { track.isOwn(of: $0.name) }
    if let name = track.observer, own.isEmpty {
      let names = timeline.observers.filter { !$0.isHost }.map(\.name)
      let few = names.prefix(5).joined(separator: ", ")
      return
        "\(track.name) is the track of '\(name)', and no receiver has that name; there are: \(few)"
        + (names.count > 5 ? ", and \(names.count - 5) more" : "")
    }
    guard let span = track.observer == nil ? timeline.recorded : recorded(own) else { return nil }
    do {
      try track.checkOverlap(
        capture: track.observer ?? "the recording", from: span.from, to: span.to)
      return nil
    } catch {
      return error.description
    }
  }

  private func recorded(_ observers: [Timeline.Observer]) -> Timeline.Span? {
    let known = observers.filter(\.start.isKnown)
    guard let first = known.map(\.start.nanoseconds).min(),
      let last = known.map(\.end.nanoseconds).max()
    else { return nil }
    return Timeline.Span(
      from: Timestamp(nanoseconds: first), to: Timestamp(nanoseconds: last))
  }

  /// Tracks of one observer that have it in two places at a time: mixed, it jumps between them.
  private var contradictions: [String] {
    let inOrder = tracks.sorted { $0.first.nanoseconds < $1.first.nanoseconds }
    var texts: [String] = []
    var compared = 0
    for (place, track) in inOrder.enumerated() {
      let others = inOrder[(place + 1)...].prefix {
        $0.first.nanoseconds <= track.last.nanoseconds
      }.filter { areMixed(track, $0) }
      guard !others.isEmpty else { continue }
      let path = PositionPath(track.fixes)
      for other in others {
        compared += 1
        guard texts.count < Self.mostPairs, compared <= Self.mostComparedPairs else {
          return texts + ["there may be more tracks that contradict each other like that"]
        }
        guard let metres = apart(path, other), metres > Self.farApart else { continue }
        texts.append(
          "\(track.name) and \(other.name) are of the same time, and up to "
            + "\(CircleHints.length(metres)) apart: mixed, they have a receiver jump between them. "
            + "--track NAME=FILE says which receiver's a track is")
      }
    }
    return texts
  }

  /// Whether some observer goes by both.
  private func areMixed(_ one: Track, _ other: Track) -> Bool {
    if one.observer == other.observer { return true }
    return timeline.observers.contains { one.isOwn(of: $0.name) && other.isOwn(of: $0.name) }
  }

  /// Metres, the most; nil where they are at no time both known.
  private func apart(_ path: PositionPath, _ other: Track) -> Double? {
    let end = path.fixes.last?.time.nanoseconds ?? .min
    let count = other.fixes.indices.bisected { other.fixes[$0].time.nanoseconds > end }
    let step = max(1, (count + Self.mostCompared - 1) / Self.mostCompared)
    return stride(from: 0, to: count, by: step).compactMap { number -> Double? in
      let fix = other.fixes[number]
      return path.position(at: fix.time).map {
        Sphere.distance($0.latitude, $0.longitude, fix.latitude, fix.longitude)
      }
    }.max()
  }
}
