import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

/// What is said of an exit: how much of its period could be heard, and what a silence that is sure needs no chance for.
@Suite("Words of exits", .timeLimit(.minutes(60)))
struct ExitWordsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Two beacons, heard at seconds.
  private func record(_ first: some Sequence<Int>, _ others: some Sequence<Int>) throws {
    var heard = first.map { (Int64($0) * 1000, UInt16(1)) }
    heard += others.map { (Int64($0) * 1000 + 900, UInt16(2)) }
    let records = heard.sorted { $0.0 < $1.0 }.map { milliseconds, minor in
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(
          Address(0xC4B0_0000_0100 + UInt64(minor)), WordingTests.iBeacon(minor), rssi: -60))
      return Record(
        WordingTests.start + milliseconds * 1_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    try scratch.write("a.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
  }

  private static let region = "tag=address:c4:b0:00:00:01:01"

  private func words(_ command: [String], after period: String) throws -> String {
    let run = try Tool.run(
      command + ["-q", "--region", Self.region, "--set", "exit_after=\(period)", "a.btsnoop"],
      in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private func lastExit(after period: String) throws -> String {
    let run = try Tool.run(
      "events", "-q", "--format", "ndjson", "--region", Self.region, "--set",
      "exit_after=\(period)", "a.btsnoop", in: scratch.folder)
    let exits = try run.lines.map { try JSON($0) }.filter { $0["type"]?.text == "exit" }
    return try #require(exits.last?["id"]?.text)
  }

  @Test("a pause that only reaches into the period says for how long was listened before it")
  func latePause() throws {
    try record(0...100, Array(0..<130) + Array(170..<300))
    let exit = try lastExit(after: "30")
    let text = try words(["explain", exit], after: "30")
    #expect(
      text.contains(
        "listening? known for 29.900 s of the 30.000 s only: nothing was recorded for 41.000 s; deaf "
          + "10:02:09.900–10:02:50.900 therefore deaf"), "\(text)")
  }

  @Test("a pause from the last sighting on leaves nothing that was listened to")
  func wholePause() throws {
    try record(0...100, Array(0..<100) + Array(170..<300))
    let text = try words(["explain", try lastExit(after: "30")], after: "30")
    #expect(text.contains("listening? not known: nothing was recorded for 70.900 s"), "\(text)")
  }

  @Test("a silence shorter than the interval is no matter of loss")
  func shorterThanInterval() throws {
    try record(stride(from: 0, to: 600, by: 10), 0..<700)
    let events = try words(["events"], after: "5")
    #expect(events.contains("exit tag thin, shorter than the usual interval of 10 s, last seen"))
    #expect(!events.contains("p = 1"))
    let text = try words(["explain", try lastExit(after: "5")], after: "5")
    #expect(
      text.contains(
        "the limit is 5 s; such a silence is to be expected: shorter than the usual interval of 10 s was anyone"
      ),
      "\(text)")
  }
}
