import Analysis
import CaptureReader
import CaseStore
import Exports
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
    let writer = try tables.writer("stays")
    let events = StayEvents(timeline)
    for (profile, outcome) in timeline.outcomes.enumerated() {
      for stay in outcome.stays { try add(stay, profile, timeline, events, writer) }
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

  private func add(
    _ stay: Timeline.Stay, _ profile: Int, _ timeline: Timeline, _ events: StayEvents,
    _ writer: TableWriter
  ) throws {
    let visit = stay.visit
    let isCircle = timeline.regions[Int(visit.region)].isCircle
    writer.int(Int64?.none)
    writer.int(profile + 1)
    writer.int(Int64(visit.observer) + 1)
    writer.int(Int64(visit.region) + 1)
    writer.int(visit.since.known)
    writer.flag(visit.wasInsideAlready)
    writer.int(visit.until.known)
    writer.int(visit.duration(recordedUntil: timeline.observers[Int(visit.observer)].end))
    writer.int(isCircle ? nil : visit.lastSeen.known)
    writer.int(isCircle ? nil : visit.sightings)
    writer.text(visit.silence?.grade.rawValue)
    let remarks = SilenceText.remarks(stay)
    writer.text(remarks.isEmpty ? nil : remarks.joined(separator: "; "))
    for reference in [visit.first, visit.last] {
      writer.int(reference.isNone ? nil : captureIDs[Int(reference.capture)])
      writer.int(reference.isNone ? nil : reference.frame)
    }
    let nearest = stay.nearest
    let interval = nearest?.distance.interval
    writer.int(nearest?.time.known)
    writer.real(nearest.map { Self.metres($0.distance.metres) })
    writer.real(interval.map { Self.metres($0.lowerBound) })
    writer.real(interval.map { Self.metres($0.upperBound) })
    writer.int(transmitterID(nearest.map { Int($0.transmitter) }))
    writer.int(stay.doubt?.since.known)
    writer.int(stay.doubt?.listened)
    writer.text(stay.doubt.map { EntryDoubtText.words($0, besides: visit.since) })
    writer.text(events.entry(of: visit, profile: profile).map(EventReference.text))
    writer.text(events.exit(of: visit, profile: profile).map(EventReference.text))
    writer.int(visit.stamps?.first.known)
    writer.int(visit.stamps?.last.known)
    try writer.end()
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
        let line = history.line(region, at: observer, deafness: .besideInside)
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
    case .inside, .insideDeaf: "inside"
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
