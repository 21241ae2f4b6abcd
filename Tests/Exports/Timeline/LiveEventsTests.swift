import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Foundation
import Regions
import Synchronization
import Testing

@testable import Exports

/// Events written as they happen are those written at the end, byte for byte.
@Suite struct LiveEventsTests {
  /// Says something at every entry.
  private final class Greeter: Judge {
    let wishes = JudgeWishes()
    let reports: [JudgeReport] = []
    private let said = Mutex<[Alert]>([])

    func begin(at: Timestamp, _: TimelineEvent.Evidence, known: [KnownPresence], _: RunView) {}
    func consider(_: JudgedSighting, _: RunView) {}
    func take(_: RecordingTurn, _: RunView) {}
    func resume(_: ScanLimits, of: String) {}
    func take(
      _: Span<BriefSighting>, _: Span<Sighting>, capture: UInt32, fields: [CustomFields],
      _: RunView
    ) {}
    func take(_ event: TimelineEvent, _: RunView) {
      guard event.type == .enter else { return }
      var alert = Alert(
        time: event.time, severity: .notice, title: "Somebody came",
        rule: Alert.Rule(plugin: "greeter", version: "1", sha256: "00ff"))
      alert.region = event.region
      alert.observer = event.observer
      alert.evidence = event.evidence
      alert.events = [event.id]
      said.withLock { $0.append(alert) }
    }
    func take(_: ObserverNote, observer: Int, capture: UInt32, _: RunView) {}
    func reach(_: Timestamp, _: RunView) {}
    func finish(at: Timestamp, _: RunView) {}
    func takeMarkers() -> [Timestamp] { [] }
    func takeAlerts() -> [Alert] {
      said.withLock { alerts in
        defer { alerts = [] }
        return alerts
      }
    }
  }

  private final class Collector: TextOutput, @unchecked Sendable {
    // Unchecked: the run's queue writes, and it is read when the run has ended.
    var bytes: [UInt8] = []
    func write(_ bytes: [UInt8]) { self.bytes += bytes }
    var lines: [String] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private final class Writer: RunListener {
    let output = Collector()
    func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView) {
      var sink = EventsNDJSON(output)
      do {
        try sink.take([event], EventNames(view, profiles: [Profiles.site], alert: alert))
        try sink.end()
      } catch {
        Issue.record(error)
      }
    }
    func take(_: ObserverNote, observer: Int, capture: UInt32, _: RunView) {}
    func reach(_: Timestamp, _: RunView) {}
  }

  @Test func eventsAreWrittenAsTheyHappen() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let capture = root.appending(path: "Captures/museum-walk.btsnoop.gz").path
    let writer = Writer()
    var options = Analysis.Options()
    var settings = FollowSettings()
    settings.judge = Greeter()
    settings.listener = writer
    settings.wantsProximity = true
    options.follow = settings
    var analysis = Analysis([.file(capture)], options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    let names = try #require(EventNames(result))
    let output = Collector()
    var sink = EventsNDJSON(output)
    try names.timeline.forEachBatch { try sink.take($0, names) }
    try sink.end()
    #expect(output.lines.contains { $0.contains("Somebody came") })
    #expect(output.lines.contains { $0.contains("\"proximity\"") })
    #expect(writer.output.lines.sorted() == output.lines.sorted())
  }
}
