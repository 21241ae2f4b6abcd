import Analysis
import CaseStore
import Exports

/// A trace for Perfetto's viewer: what happened on tracks of regions and alerts, what was heard on those
/// of beacons, and the frames that prove it, with flows from frame to event to alert.
enum PerfettoExport {
  static let form = CaseExport(
    name: "perfetto",
    purpose: "A trace for Perfetto's viewer (ui.perfetto.dev): regions, alerts, beacons, frames.",
    usualName: "case.pftrace", shape: .binary(write))

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    let begin = try file.fact("from_ns").flatMap { Int64($0) } ?? 0
    var trace = try TraceStream(output, from: UInt64(max(begin, 0)))
    let names = try CaseNames(file)
    let flows = try FrameFlows(file)
    // In the order in which the viewer shows them. What is cited stands in the file before what cites
    // it: of things at one moment the first one is where a flow begins.
    let regions = try trace.track("Regions")
    let alerts = try trace.track("Alerts")
    let beacons = try trace.track("Beacons")
    let frames = try trace.track("Frames")
    try FrameTracks(root: frames).write(file, names, flows, to: &trace)
    var regionTracks = RegionTracks(root: regions, names)
    try regionTracks.visits(file, to: &trace)
    try regionTracks.events(file, to: &trace)
    try AlertTrack(track: alerts).write(file, names, to: &trace)
    try BeaconTracks(root: beacons).write(file, names, to: &trace)
    try trace.end()
    return trace.leftOut.sentences
  }
}

/// By which flows a frame leads to events; a flow has the event's id.
struct FrameFlows {
  struct Frame: Hashable {
    let capture: Int64
    let number: Int
  }

  private var events: [Frame: [UInt64]] = [:]

  init(_ file: CaseFile) throws {
    let select = """
      SELECT capture_id, number, event FROM evidence JOIN events ON events.id = event_id
        WHERE capture_id IS NOT NULL ORDER BY evidence.id
      """
    try file.forEach(select: select) { row in
      let frame = Frame(capture: row[0].int ?? 0, number: Int(row[1].int ?? 0))
      events[frame, default: []].append(try Self.flow(row[2].text ?? ""))
    }
  }

  subscript(frame: Frame) -> [UInt64] { events[frame] ?? [] }

  static func flow(_ event: String) throws -> UInt64 {
    guard let id = EventReference.id(event) else {
      throw CaseNonsense("an event has the id '\(event)', which has to be 16 digits, 0-9 and a-f")
    }
    return id
  }
}
