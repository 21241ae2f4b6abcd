import Analysis
import CaptureReader
import CaseStore
import Regions

/// Regions, and who was in them.
extension CaseFilling {
  func addRegions(_ timeline: Timeline, _ tables: CaseTables) throws {
    for outcome in timeline.outcomes {
      let output = CollectedText()
      var json = JSONWriter(output, lineDepth: 0)
      try json.object { $0.numbers(outcome.profile) }
      try json.finish()
      try tables.add([ProfileRow(name: outcome.profile.name, numbers: output.line)])
    }
    try tables.add(
      timeline.regions.map { region in
        var row = RegionRow(
          name: region.identifier, condition: RegionKinds.text(region.condition),
          definition: region.text)
        if case .circle(let circle) = region.condition {
          row.latitude = circle.latitude
          row.longitude = circle.longitude
          row.radiusM = circle.radius
        }
        return row
      })
  }

  func addStays(_ timeline: Timeline, _ tables: CaseTables) throws {
    for (profile, outcome) in timeline.outcomes.enumerated() {
      try tables.add(outcome.stays.map { stay($0, profile, timeline) })
      for (observer, states) in outcome.states.enumerated() {
        // Nothing is known of the others.
        let known = states.enumerated().filter { $0.element != .unknown }
        try tables.add(
          known.map { region, state in
            StateRow(
              profileId: Int64(profile + 1), observerId: Int64(observer + 1),
              regionId: Int64(region + 1), state: state.rawValue)
          })
      }
    }
  }

  private func stay(_ stay: Timeline.Stay, _ profile: Int, _ timeline: Timeline) -> StayRow {
    let visit = stay.visit
    var row = StayRow(
      profileId: Int64(profile + 1), observerId: Int64(visit.observer) + 1,
      regionId: Int64(visit.region) + 1, sinceNs: visit.since.known,
      wasInsideAlready: visit.wasInsideAlready, untilNs: visit.until.known,
      durationNs: visit.duration(
        recordedUntil: timeline.observers[Int(visit.observer)].end),
      grade: visit.silence?.grade.rawValue, why: visit.silence.flatMap { SilenceText.doubt($0) })
    if !timeline.regions[Int(visit.region)].isCircle {
      row.lastSeenNs = visit.lastSeen.known
      row.sightings = visit.sightings
    }
    if !visit.first.isNone {
      row.firstCaptureId = captureIDs[Int(visit.first.capture)]
      row.firstFrame = visit.first.frame
    }
    if !visit.last.isNone {
      row.lastCaptureId = captureIDs[Int(visit.last.capture)]
      row.lastFrame = visit.last.frame
    }
    if let nearest = stay.nearest {
      row.nearestNs = nearest.time.known
      row.nearestM = Self.metres(nearest.distance.metres)
      row.nearestMinM = nearest.distance.interval.map { Self.metres($0.lowerBound) }
      row.nearestMaxM = nearest.distance.interval.map { Self.metres($0.upperBound) }
      row.nearestTransmitterId = transmitterID(Int(nearest.transmitter))
    }
    return row
  }

  /// With as many decimals as other outputs have.
  private static func metres(_ value: Double) -> Double {
    abs(value) < 1e9 ? (value * 100).rounded() / 100 : value
  }

  /// Regions of which spans are kept; a run may have a million.
  static let mostDrawnRegions = 1000

  func addSpans(_ timeline: Timeline, _ tables: CaseTables) throws {
    let writer = try tables.writer("spans")
    guard !timeline.outcomes.isEmpty else { return }
    let history = PresenceHistory(timeline, profile: 0, first: Self.mostDrawnRegions)
    for region in timeline.regions.indices.prefix(Self.mostDrawnRegions) {
      for observer in timeline.observers.indices {
        let line = history.line(region, at: observer, showsDeafness: true)
        for part in line?.parts ?? [] {
          guard let state = part.state.spanWord else { continue }
          writer.int(Int64?.none)
          writer.int(observer + 1)
          writer.int(region + 1)
          writer.int(part.span.from)
          writer.int(part.span.to)
          writer.text(state)
          try writer.end()
        }
      }
    }
  }
}

extension StateLine.State {
  /// Nil where there was no recording.
  fileprivate var spanWord: String? {
    switch self {
    case .none: nil
    case .unknown: "unknown"
    case .deaf: "deaf"
    case .outside: "outside"
    case .inside: "inside"
    }
  }
}

/// A document on one line, which is kept.
private final class CollectedText: TextOutput {
  private var bytes: [UInt8] = []
  /// Without its end.
  var line: String {
    String(
      decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }

  func write(_ bytes: [UInt8]) throws { self.bytes += bytes }
}
