import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Receivers that pass on only whom they were told to, from outside.
@Suite("Receivers that hear listed advertisers only", .timeLimit(.minutes(60)))
struct ListedOnlyTests {
  private let scratch: Scratch

  private static let listed = [
    HCI.setScanParameters(active: false, interval: 160, window: 160, listedOnly: true),
    HCI.commandComplete(0x200B, [0]),
  ]
  private static let filtered =
    filter([1, 0, 1, 0x20, 0, 0x11, 0x11, 1, 0x80, 0]) + filter([0, 1])

  /// A command of Android's content filter.
  private static func filter(_ bytes: [UInt8]) -> [HCIPacket] {
    [
      HCIPacket(.command, [0x57, 0xFD, UInt8(bytes.count)] + bytes),
      HCI.commandComplete(0xFD57, Array(bytes.prefix(2))),
    ]
  }

  /// `before` hears six beacons every second for ten minutes; the others do not hear the first one. `listed` has a
  /// list, the content filter of `filtered` is on, that of `partly` for 3 min 20 s.
  init() throws {
    scratch = try Scratch()
    try write("before", 1...6, [], day: 0)
    try write("after", 2...6, [], day: 7)
    try write("listed", 2...6, Self.listed, day: 7)
    try write("filtered", 2...6, Self.filtered, day: 7)
    try write("partly", 2...6, Self.filtered, day: 7, endsAt: 200)
  }

  /// - Parameter end: of the content filter, in seconds of the scan.
  private func write(
    _ folder: String, _ minors: ClosedRange<UInt16>, _ first: [HCIPacket], day: Int64,
    endsAt end: Int64? = nil
  ) throws {
    let start = WordingTests.start + day * 86_400 * 1_000_000_000
    let enable = [HCI.setScanEnable(true), HCI.commandComplete(0x200C, [0])]
    var records = (first + enable).map { Record(start, $0.h4) }
    for second in Int64(1)..<600 {
      let time = start + second * 1_000_000_000
      if second == end { records += Self.filter([0, 0]).map { Record(time, $0.h4) } }
      for minor in minors {
        records.append(
          WordingTests.heard(
            WordingTests.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)),
            at: time + Int64(minor) * 1_000_000))
      }
    }
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: folder), withIntermediateDirectories: true)
    try scratch.write("\(folder)/hall.pcap", PcapWriter(linkType: 187).file(records))
  }

  private func words(_ words: String...) throws -> String {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private func json(_ words: String...) throws -> JSON {
    try JSON(try Tool.run(words + ["--format", "json"], in: scratch.folder).bytes)
  }

  @Test("compare says that whoever is missing may not have been passed on")
  func compare() throws {
    for after in ["listed", "filtered"] {
      let told = try words("compare", "-q", "before", after)
      #expect(told.contains(":1:1 thin: last heard"), "\(told)")
      #expect(told.contains("; its radio passes on only whom it was told to now"), "\(told)")
      #expect(
        told.contains(
          "! AFTER: hall passed on only whom it was told to (advertisers on a list, or Android's content "
            + "filter) for a tenth of the time and more: who is missing may just not have been passed on."
        ), "\(told)")
      let json = try json("compare", "-q", "before", after)
      let missing = try #require(json["missing"]?.list?.first)
      #expect(missing["grade"]?.text == "thin" && missing["doubt"]?.text == "listed_only")
      #expect(json["remarks"]?.list?.contains { $0["code"]?.text == "listed_only" } == true)
    }
    let partly = try words("compare", "-q", "before", "partly")
    #expect(partly.contains(":1:1 gone: last heard") && partly.contains("! AFTER: hall passed on"))
    let plain = try words("compare", "-q", "before", "after")
    #expect(plain.contains(":1:1 gone: last heard") && !plain.contains("passed on"))
  }

  @Test(
    "info and analyze say for how long the content filter was on, and that others were left out")
  func analyze() throws {
    for command in ["info", "analyze"] {
      #expect(try words(command, "-q", "filtered/hall.pcap").contains(", content filter on"))
      #expect(
        try words(command, "-q", "partly/hall.pcap").contains(", content filter on for 3 min 20 s"))
      #expect(try !words(command, "-q", "listed/hall.pcap").contains("content filter"))
      #expect(try words(command, "-q", "listed/hall.pcap").contains("listed advertisers only"))
    }
    let remarks = [
      "listed": "advertisers on its list:",
      "filtered": "whom Android's content filter lets through:",
      "partly": "whom Android's content filter lets through for 3 min 20 s of its scans:",
    ]
    for (folder, text) in remarks {
      let told = try words("analyze", "-q", "\(folder)/hall.pcap")
      #expect(
        told.contains("! hall passed on only \(text) who else was there was not heard."), "\(told)")
    }
    #expect(try !words("analyze", "-q", "after/hall.pcap").contains("passed on"))
  }

  @Test("each scan has it in JSON, and so has each of several receivers, where there is any")
  func windows() throws {
    func window(_ folder: String) throws -> JSON? {
      let json = try json("info", "-q", "\(folder)/hall.pcap")
      let observer = json["captures"]?.list?.first?["observers"]?.list?.first
      return observer?["scan"]?["windows"]?.list?.first
    }
    let plain = try window("after")
    #expect(plain != nil && plain?["listed_only_s"] == nil && plain?["content_filter_s"] == nil)
    let partly = try window("partly")
    #expect(partly?["listed_only_s"]?.number == 200 && partly?["content_filter_s"]?.number == 200)
    let listed = try window("listed")
    #expect(listed?["listed_only_s"]?.number ?? 0 > 590 && listed?["content_filter_s"] == nil)
    let all = ["analyze", "-q", "--observers", "folder", "after", "partly"]
    let run = try Tool.run(all + ["--format", "json"], in: scratch.folder)
    let receivers = try JSON(run.bytes)["receivers"]?.list ?? []
    #expect(receivers.map { $0["listed_only_s"]?.number } == [nil, 200])
    let told = try Tool.run(all, in: scratch.folder).output
    #expect(told.contains("for 3 min 20 s only whom it was told to pass on"), "\(told)")
  }
}
