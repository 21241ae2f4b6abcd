import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Receivers whose controller leaves out what is repeated, from outside.
@Suite("Receivers that filter duplicates", .timeLimit(.minutes(60)))
struct FilteredComparisonTests {
  private let scratch: Scratch

  /// `hall` hears each of two beacons every second, `store` once in twenty, as its controller filters.
  init() throws {
    scratch = try Scratch()
    try write("before/hall", every: 1, filters: false, day: 0)
    try write("before/store", every: 1, filters: false, day: 0)
    try write("after/hall", every: 3, filters: false, day: 7)
    try write("after/store", every: 20, filters: true, day: 7)
  }

  private func write(_ folder: String, every: Int, filters: Bool, day: Int64) throws {
    let start = WordingTests.start + day * 86_400 * 1_000_000_000
    var records = [
      Record(start, HCI.setScanEnable(true, filterDuplicates: filters).h4),
      Record(start + 1_000_000, HCI.commandComplete(0x200C, [0]).h4),
    ]
    for second in stride(from: 1, to: 600, by: every) {
      records.append(
        WordingTests.heard(
          WordingTests.iBeacon(1), at: start + Int64(second) * 1_000_000_000))
    }
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: folder), withIntermediateDirectories: true)
    try scratch.write(
      "\(folder)/a.pcap", PcapWriter(linkType: 187).file(records))
  }

  private func words(_ words: String...) throws -> String {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test("advise says so of them, and tells neither interval nor loss nor period")
  func advise() throws {
    let told = try words("advise", "-q", "--observers", "folder", "after")
    #expect(told.contains("! store filtered duplicates: it tells of a beacon once in a while"))
    #expect(told.contains("Duplicates were filtered here: these exits do not tell which period"))
    #expect(told.contains("duplicates were filtered: interval and loss cannot be told"))
    #expect(told.contains("3.0 s"), "\(told)")
    let json = try JSON(
      try Tool.run(
        "advise", "-q", "--format", "json", "--observers", "folder", "after", in: scratch.folder
      ).bytes)
    #expect(json["duplicates_filtered"]?.list?.map(\.text) == ["store"])
    let store = json["regions"]?.list?.first { $0["observer"]?.text == "store" }
    let beacon = try #require(store?["beacons"]?.list?.first)
    #expect(beacon["interval_ms"] == .null && beacon["loss"] == .null)
    #expect(beacon["not_known_for"]?.text == "duplicates_filtered")
    #expect(!(try words("advise", "-q", "--observers", "folder", "before")).contains("filtered"))
  }

  @Test("compare names them and their side, and compares intervals by the others")
  func compare() throws {
    let told = try words("compare", "-q", "--observers", "folder", "before", "after")
    #expect(
      told.contains(
        "! AFTER: store filtered duplicates: counts and signals there are not representative, who is "
          + "missing may just not have been told, and intervals are compared by the other receivers."
      ), "\(told)")
    #expect(told.contains(":1:1 990 ms → 3.0 s"), "\(told)")
    #expect(
      !told.contains("BEFORE: store filtered") && !told.contains("intervals are not compared"))
    let alone = try words("compare", "-q", "before/store", "after/store")
    #expect(
      alone.contains("No receiver of AFTER kept duplicates: intervals are not compared."),
      "\(alone)")
  }
}
