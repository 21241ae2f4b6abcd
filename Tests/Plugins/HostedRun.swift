import Analysis
import CaptureReader
import CaptureWriter
import FrameEncoder
import Plugins
import Regions
import Synchronization
import TestSupport

/// Plugins over a capture made by a test, with what they told.
struct HostedRun {
  /// Milliseconds since 1970 at which made-up captures begin.
  static let start: Int64 = 1_779_184_800_000

  struct Heard {
    /// Milliseconds since the start.
    var at: Int64
    var minor: UInt16 = 1
    var rssi: Int8 = -60
  }

  let timeline: Timeline
  let view: RunView
  /// What plugins printed, and what was wrong with them.
  let lines: [String]

  /// - Parameter plugins: texts; they are called `a`, `b`, `c`….
  init(
    _ plugins: [String], _ captures: [[Heard]], regions: [String] = [], batch: Int = 1024,
    readsAhead: Bool = false
  ) throws {
    let told = Told()
    let files = try plugins.enumerated().map { place, text in
      (
        file: try PluginFile(
          path: "\(Character(UnicodeScalar(UInt8(97 + place)))).lua", text: Array(text.utf8)),
        isSite: false
      )
    }
    let written = try regions.map { try Region.parse($0) }
    let host = try PluginHost(files, regions: written) { told.add($0) }
    try host.checkNames()
    var settings = FollowSettings()
    settings.regions = RegionList(host.declarations.flatMap(\.regions) + written)
    settings.judge = host
    settings.custom = host.decoders
    var options = Analysis.Options()
    options.batch = batch
    options.readsAhead = readsAhead
    options.follow = settings
    let sources = captures.enumerated().map { place, heard in
      CaptureSource.bytes(Self.bytes(heard), name: "capture \(place)")
    }
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    timeline = result.timeline ?? Timeline()
    view = RunView(
      identities: result.statistics.identities, transmitters: result.statistics.transmitters,
      observers: timeline.observers.map(\.name), captures: result.captureNames,
      tracks: timeline.tracks, regions: timeline.regions, messages: [], profile: "site")
    lines = told.lines
  }

  /// What plugins said of a run.
  static func lines(_ plugins: [String], _ captures: [[Heard]]) throws(PluginProblem) -> [String] {
    do {
      return try HostedRun(plugins, captures).lines
    } catch let problem as PluginProblem {
      throw problem
    } catch {
      throw PluginProblem("\(error)")
    }
  }

  private final class Told: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ line: String) { all.withLock { $0.append(line) } }
    var lines: [String] { all.withLock { $0 } }
  }

  static func bytes(_ heard: [Heard]) -> [UInt8] {
    BtsnoopWriter(datalink: 1002).file(
      heard.map { one in
        let data = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: one.minor, power: -59)
        let address = Address(UInt64(one.minor), isRandom: true)
        let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: one.rssi))
        return Record((start + one.at) * 1_000_000, packet.h4, tag: packet.kind.btsnoopFlags)
      })
  }

  /// `2.000 a: title [frames]`, in the order of the timeline.
  var alerts: [String] {
    timeline.events.compactMap { event in
      guard let alert = event.alert.map({ timeline.alerts[$0] }) else { return nil }
      let milliseconds = (alert.time.nanoseconds - Self.start * 1_000_000) / 1_000_000
      let frames = alert.evidence.map { "\($0.number)" }.joined(separator: " ")
      return "\(milliseconds) \(alert.rule.plugin): \(alert.title) [\(frames)]"
    }
  }
}
