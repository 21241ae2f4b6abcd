import Analysis
import CaptureReader
import CaptureWriter
import FrameEncoder
import Plugins
import Regions
import TestSupport
import Testing

@testable import StateFile

/// Runs one behind the other that share a state file: regions and plugins go on.
@Suite("Runs that share a state file")
struct RestartFileTests {
  private static let start: Int64 = 1_767_225_600
  private static let counter = """
    plugin { version = "1" }
    state.save("runs")
    state.runs = (state.runs or 0) + 1
    on("start", function()
      alert { severity = "info", title = "run " .. state.runs }
    end)
    on("exit", function(e) alert { severity = "info", title = "left" } end)
    """

  /// - Parameter seconds: when the beacon is heard; another advertiser is heard at `until`.
  private static func run(
    _ scratch: Scratch, _ plugin: String?, heardAt seconds: [Int64], until: Int64
  ) throws -> Timeline {
    let file = try StateFile.open(scratch.path)
    let host = try plugin.map { text in
      try PluginHost(
        [(try PluginFile(path: "counter.lua", text: Array(text.utf8)), isSite: false)],
        saved: file.plugins, tell: { Issue.record("\($0)") })
    }
    func record(_ second: Int64, _ path: String) -> Record {
      let data = Payload.eddystoneURL(
        scheme: 3, rest: Array(path.utf8) + [UInt8(ascii: "/")], power: -18)
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(Address(0xC235_3330_2550), data, rssi: -60))
      return Record((start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    let bytes = BtsnoopWriter(datalink: 1002).file(
      seconds.map { record($0, "a") } + [record(until, "b")])
    var follow = FollowSettings()
    follow.regions = RegionList([try Region.parse("shop=url:https://a/")])
    follow.observerNames[0] = "hci0"
    follow.judge = host
    follow.restored = file.restored(tell: { _ in })
    follow.keeper = file.keeper(of: host) { Issue.record("\($0)") }
    var options = Analysis.Options()
    options.follow = follow
    var analysis = Analysis([.bytes(bytes, name: "a")], options: options)
    var none = NoSink()
    let timeline = try analysis.run(into: &none).timeline ?? Timeline()
    try file.finish()
    return timeline
  }

  private static func told(_ timeline: Timeline) -> [String] {
    timeline.events.map { event in
      event.alert.map { "alert \(timeline.alerts[$0].title)" } ?? event.type.rawValue
    }
  }

  @Test("count on, and tell one exit")
  func goesOn() throws {
    let scratch = try Scratch()
    let first = try Self.run(scratch, Self.counter, heardAt: [0, 10, 20], until: 25)
    #expect(Self.told(first) == ["state", "alert run 1"])
    // Without plugins: what they saved is kept.
    let second = try Self.run(scratch, nil, heardAt: [60], until: 61)
    #expect(Self.told(second) == [])
    let third = try Self.run(scratch, Self.counter, heardAt: [], until: 70)
    #expect(Self.told(third) == ["alert run 2"])
    let fourth = try Self.run(scratch, Self.counter, heardAt: [80], until: 120)
    #expect(Self.told(fourth) == ["alert run 3", "exit", "alert left"])
  }
}
