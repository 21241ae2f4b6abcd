import CaptureReader
import CaseStore
import Exports
import PerfettoTrace

/// A track for each region; below it for each profile and observer one of visits and one of events.
/// What belongs to no region goes to tracks of its observers.
struct RegionTracks {
  private let root: TraceStream.Track
  private let names: CaseNames
  private var regions: [Int64?: TraceStream.Track] = [:]
  private var tracks: [Key: TraceStream.Track] = [:]

  private struct Key: Hashable {
    let region: Int64?
    let profile: Int64?
    let observer: Int64?
    let what: String
  }

  init(root: TraceStream.Track, _ names: CaseNames) {
    self.root = root
    self.names = names
  }

  /// A slice each; one that goes on ends with its observer's records: nothing is known of it behind them.
  mutating func visits(_ file: CaseFile, to trace: inout TraceStream) throws {
    let end = try file.fact("to_ns").flatMap { Int64($0) }
    var ends: [Int64: Int64] = [:]
    try file.forEach(ObserverRow.self) { ends[$0.id ?? 0] = $0.toNs }
    try file.forEach(StayRow.self, order: "region_id, profile_id, observer_id, since_ns, id") {
      guard let since = trace.moment($0.sinceNs, of: "visit") else { return }
      let own = ends[$0.observerId].map { min($0, end ?? .max) }
      let until = $0.untilNs ?? own ?? end ?? $0.lastSeenNs
      let key = Key(
        region: $0.regionId, profile: $0.profileId, observer: $0.observerId, what: "visits")
      let happening = TraceStream.Happening(
        name: "inside", categories: ["visit"], notes: notes($0, endsWithRun: $0.untilNs == nil))
      try trace.slice(
        happening, from: since, to: UInt64(max(until ?? 0, 0)), on: track(key, in: &trace))
    }
  }

  private func notes(_ stay: StayRow, endsWithRun: Bool) -> [PerfettoDebugAnnotation] {
    var notes = TraceNotes()
    notes.add("visit", stay.id.map(Int.init))
    notes.add("region", names.regions[stay.regionId])
    notes.add("observer", names.observers[stay.observerId])
    notes.add("clock_moved_s", names.moved[observer: stay.observerId].map { Double($0) / 1e9 })
    notes.add("profile", names.profiles[stay.profileId])
    notes.add("was_inside_already", stay.wasInsideAlready)
    notes.add("still_inside", endsWithRun)
    notes.add("grade", stay.grade)
    notes.add("why", stay.why)
    notes.add("entry_why", stay.entryWhy)
    if stay.firstStampedNs != nil || stay.lastStampedNs != nil {
      notes.add(
        "stamped",
        StampText.words(
          Timestamp(column: stay.firstStampedNs),
          Timestamp(column: stay.lastStampedNs)))
    }
    notes.add("sightings", stay.sightings)
    notes.add("nearest_m", stay.nearestM)
    notes.add("first_capture", stay.firstCaptureId.flatMap { names.captures[$0] })
    notes.add("first_frame", stay.firstFrame)
    notes.add("last_capture", stay.lastCaptureId.flatMap { names.captures[$0] })
    notes.add("last_frame", stay.lastFrame)
    notes.add("entry_event", stay.entryEvent)
    notes.add("exit_event", stay.exitEvent)
    return notes.notes
  }

  /// An instant each; alerts have a track of their own.
  mutating func events(_ file: CaseFile, to trace: inout TraceStream) throws {
    let order = "region_id IS NULL, region_id, profile_id, observer_id, id"
    try file.forEach(EventRow.self, order: order) { event in
      guard event.type != "alert", let time = trace.moment(event.timeNs, of: "event") else {
        return
      }
      let key = Key(
        region: event.regionId, profile: event.profileId, observer: event.observerId,
        what: "events")
      let happening = TraceStream.Happening(
        name: event.type, categories: ["event"], notes: notes(event),
        flows: [try FrameFlows.flow(event.event)])
      try trace.instant(happening, at: time, on: track(key, in: &trace))
    }
  }

  private func notes(_ event: EventRow) -> [PerfettoDebugAnnotation] {
    var notes = TraceNotes()
    notes.add("event", event.event)
    notes.add("title", event.title)
    notes.add("state", event.state)
    notes.add("grade", event.grade)
    notes.add("address", event.transmitterId.flatMap { names.addresses[$0] })
    return notes.notes
  }

  private mutating func track(_ key: Key, in trace: inout TraceStream) throws -> TraceStream.Track {
    if let track = tracks[key] { return track }
    if regions[key.region] == nil {
      let name = key.region.map { names.regions[$0] ?? "region \($0)" } ?? "without a region"
      regions[key.region] = try trace.track(name, under: root)
    }
    // Profiles are told apart only where there are several.
    let profile = names.profiles.count > 1 ? key.profile.flatMap { names.profiles[$0] } : nil
    let parts = [key.observer.flatMap { names.observers[$0] }, profile, key.what]
    let track = try trace.track(
      parts.compactMap(\.self).joined(separator: ", "), under: regions[key.region] ?? root)
    tracks[key] = track
    return track
  }
}

/// Alerts as instants on one track: they flow from the frames and events that they cite.
struct AlertTrack {
  let track: TraceStream.Track

  func write(_ file: CaseFile, _ names: CaseNames, to trace: inout TraceStream) throws {
    var cited: [Int64: [UInt64]] = [:]
    try file.forEach(CitationRow.self) {
      cited[$0.alertId, default: []].append(try FrameFlows.flow($0.event))
    }
    var alerts: [Int64: AlertRow] = [:]
    try file.forEach(AlertRow.self) { alerts[$0.eventId] = $0 }
    try file.forEach(EventRow.self) { event in
      guard event.type == "alert", let alert = alerts[event.id ?? 0],
        let time = trace.moment(event.timeNs, of: "alert")
      else { return }
      let own = try FrameFlows.flow(event.event)
      let happening = TraceStream.Happening(
        name: "\(alert.severity): \(alert.title)", categories: ["alert", alert.severity],
        notes: notes(event, alert, names), flows: [own] + (cited[alert.id ?? 0] ?? []))
      try trace.instant(happening, at: time, on: track)
    }
  }

  private func notes(
    _ event: EventRow, _ alert: AlertRow, _ names: CaseNames
  ) -> [PerfettoDebugAnnotation] {
    var notes = TraceNotes()
    notes.add("event", event.event)
    notes.add("severity", alert.severity)
    notes.add("text", alert.text.isEmpty ? nil : alert.text)
    notes.add("plugin", alert.plugin)
    notes.add("plugin_sha256", alert.pluginSha256)
    notes.add("region", event.regionId.flatMap { names.regions[$0] })
    notes.add("observer", event.observerId.flatMap { names.observers[$0] })
    notes.add("address", event.transmitterId.flatMap { names.addresses[$0] })
    notes.add("fields", alert.fields)
    notes.add("clock_moved_s", names.moved[observer: event.observerId].map { Double($0) / 1e9 })
    return notes.notes
  }
}
