import Analysis
import CaptureReader
import Regions
import Testing

/// Between the captures of an observer nothing is known of it: whoever judges is told where they begin
/// and end.
@Suite struct RecordingTurnTests {
  /// - Parameters:
  ///   - captures: name, and when each hears somebody, in seconds.
  ///   - observers: by place of the capture.
  private static func turns(
    _ captures: [(name: String, seconds: [Int64])], observers: [Int: String] = [:],
    readsAhead: Bool = false
  ) throws -> [String] {
    let sources = captures.map { name, seconds in
      var recording = Recording(name)
      for second in seconds {
        recording.hear(
          Recording.iBeacon(1), from: JudgeOrderTests.one, at: second * 1000, rssi: -60)
      }
      return recording.source
    }
    var settings = try JudgeOrderTests.settings("tag=address:00:00:00:00:00:01,exit_after=5")
    settings.observerNames = observers
    return try JudgedRun(sources, settings, readsAhead: readsAhead) {
      $0.tellsReach = false
      $0.tellsRecordings = true
    }.log.lines
  }

  @Test("An end is told with the capture's last frame, a beginning behind what was due in between")
  func pause() throws {
    for readsAhead in [false, true] {
      #expect(
        try Self.turns(
          [("a", [0, 2]), ("b", [1000])], observers: [0: "hall", 1: "hall"], readsAhead: readsAhead)
          == [
            "begin 0.000", "recording begins 0.000 at hall: a1", "state tag inside 0.000 at hall",
            "recording ends 2.000 at hall: a2", "exit tag 7.000 at hall",
            "recording begins 1000.000 at hall: b1", "enter tag 1000.000 at hall",
            "recording ends 1000.000 at hall: b1", "finish 1000.000",
          ])
    }
  }

  @Test("Captures of one observer that overlap are one")
  func overlap() throws {
    let lines = try Self.turns(
      [("a", [0, 2, 4]), ("b", [3, 5])], observers: [0: "hall", 1: "hall"])
    #expect(
      lines.filter { $0.hasPrefix("recording") } == [
        "recording begins 0.000 at hall: a1", "recording ends 5.000 at hall: b2",
      ])
  }

  @Test("Each observer has its own")
  func observers() throws {
    let lines = try Self.turns([("a", [0, 2]), ("b", [1, 4])])
    #expect(
      lines.filter { $0.hasPrefix("recording") } == [
        "recording begins 0.000 at a: a1", "recording begins 1.000 at b: b1",
        "recording ends 2.000 at a: a2", "recording ends 4.000 at b: b2",
      ])
  }
}
