import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Which receiver is which one, where a recording lies in several files, and where the kernel numbers controllers.
@Suite("Receivers by files and controllers", .timeLimit(.minutes(60)))
struct ComparedReceiverTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func address(_ number: UInt64) -> Address {
    Address(0x001A_7DDA_7100 + number, isRandom: false)
  }

  /// A dongle in one computer: it hears each of these every two seconds.
  private struct Dongle {
    let adapter: UInt16
    let controller: UInt64
    let rssi: Int8
    var minors: [UInt16] = [1, 2, 3]
    var seconds = 0..<600
    /// It leaves out what is repeated.
    var filters = false
  }

  /// A capture of the Linux monitor.
  private func record(_ name: String, day: Int, _ dongles: [Dongle]) throws {
    let start = WordingTests.start + Int64(day) * 86_400_000_000_000
    var records = dongles.map { dongle in
      Record(
        start, Monitor.newIndex(Self.address(dongle.controller), name: "hci\(dongle.adapter)"),
        tag: BtsnoopWriter.monitorFlags(adapter: dongle.adapter, opcode: 0))
    }
    for dongle in dongles where dongle.filters {
      for packet in [
        HCI.setScanEnable(true, filterDuplicates: true), HCI.commandComplete(0x200C, [0]),
      ] {
        records.append(
          Record(
            start, packet.bytes,
            tag: BtsnoopWriter.monitorFlags(
              adapter: dongle.adapter, opcode: packet.kind.monitorOpcode)))
      }
    }
    for second in stride(from: 0, to: 600, by: 2) {
      for dongle in dongles
      where dongle.seconds.contains(second) && (!dongle.filters || second % 30 == 0) {
        for minor in dongle.minors {
          let packet = HCI.advertisingReport(
            HCI.LegacyReport(
              Address(0xC4B0_0000_0100 + UInt64(minor)), WordingTests.iBeacon(minor),
              rssi: dongle.rssi))
          let time = start + Int64(second) * 1_000_000_000 + Int64(minor) * 1_000_000
          records.append(
            Record(
              time, packet.bytes,
              tag: BtsnoopWriter.monitorFlags(
                adapter: dongle.adapter, opcode: packet.kind.monitorOpcode)))
        }
      }
    }
    let folder = scratch.folder.appending(path: name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try scratch.write(name, BtsnoopWriter(datalink: 2001).file(records))
  }

  private func words(_ arguments: String...) throws -> String {
    let run = try Tool.run(arguments, in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private static let near: Int8 = -60
  private static let far: Int8 = -80

  @Test("a dongle that has the number of another one after a restart is compared with itself")
  func swapped() throws {
    try record(
      "may/pi.btsnoop", day: 0,
      [
        Dongle(adapter: 0, controller: 1, rssi: Self.near),
        Dongle(adapter: 1, controller: 2, rssi: Self.far),
      ])
    try record(
      "june/pi.btsnoop", day: 7,
      [
        Dongle(adapter: 0, controller: 2, rssi: Self.far),
        Dongle(adapter: 1, controller: 1, rssi: Self.near),
      ])
    let text = try words("compare", "may", "june")
    #expect(text.contains("0 changed, 3 as before"), "\(text)")
    #expect(
      text.contains(
        "! pi/hci0 of BEFORE is pi/hci1 of AFTER, by its controller (00:1a:7d:da:71:01)"), "\(text)"
    )
    // Read as one receiver's: what compares signals is told, and the page says which they were.
    try record(
      "all/pi/2026-05-19.btsnoop", day: 0, [Dongle(adapter: 0, controller: 1, rssi: Self.near)])
    try record(
      "all/pi/2026-05-26.btsnoop", day: 7, [Dongle(adapter: 0, controller: 2, rssi: Self.far)])
    let all = try words("analyze", "--observers", "folder", "--report", "all.html", "all")
    #expect(
      all.contains("pi/hci0 was controller 00:1a:7d:da:71:01 before 2026-05-26"), "\(all)")
    let page = try String(contentsOf: scratch.folder.appending(path: "all.html"), encoding: .utf8)
    #expect(
      page.contains("pi/hci0 (controller 00:1a:7d:da:71:01, then 00:1a:7d:da:71:02)"))
  }

  @Test("a dongle that got another number has its counterpart by its controller")
  func renumbered() throws {
    let attic = Dongle(adapter: 0, controller: 9, rssi: Self.near)
    try record("may/attic.btsnoop", day: 0, [attic])
    try record("may/pi.btsnoop", day: 0, [Dongle(adapter: 0, controller: 1, rssi: Self.near)])
    try record("june/attic.btsnoop", day: 7, [attic])
    try record("june/pi.btsnoop", day: 7, [Dongle(adapter: 1, controller: 1, rssi: Self.near)])
    let text = try words("compare", "may", "june")
    #expect(!text.contains("no counterpart"), "\(text)")
    #expect(text.contains("pi/hci0 of BEFORE is pi/hci1 of AFTER"), "\(text)")
  }

  @Test("signals of another controller in a receiver's place are not compared")
  func replaced() throws {
    try record("may/pi.btsnoop", day: 0, [Dongle(adapter: 0, controller: 1, rssi: Self.near)])
    try record("june/pi.btsnoop", day: 7, [Dongle(adapter: 0, controller: 2, rssi: Self.far)])
    try record("same/pi.btsnoop", day: 7, [Dongle(adapter: 0, controller: 1, rssi: Self.far)])
    let text = try words("compare", "may", "june")
    #expect(text.contains("0 changed, 3 as before"), "\(text)")
    #expect(
      text.contains(
        "! The radio was controller 00:1a:7d:da:71:01 in BEFORE, and is 00:1a:7d:da:71:02 in AFTER"),
      "\(text)")
    #expect(try words("compare", "may", "same").contains("3 changed, 0 as before"))
  }

  @Test("where each side has two radios, and none of them on both, all are named")
  func twoReplaced() throws {
    func pair(_ name: String, day: Int, _ controllers: (UInt64, UInt64)) throws {
      for (number, controller) in [controllers.0, controllers.1].enumerated() {
        try record(
          "\(name)/\(number)-of-\(name).btsnoop", day: day,
          [Dongle(adapter: 0, controller: controller, rssi: Self.near)])
      }
    }
    try pair("may", day: 0, (1, 2))
    try pair("june", day: 7, (3, 4))
    let text = try words("compare", "may", "june")
    #expect(
      text.contains(
        "! The radios were controllers 00:1a:7d:da:71:01 and 00:1a:7d:da:71:02 in BEFORE, and are controllers "
          + "00:1a:7d:da:71:03 and 00:1a:7d:da:71:04 in AFTER: other radios, so signals are not compared"
      ),
      "\(text)")
  }

  @Test("a filter of duplicates is not taken for a radio that is hard of hearing")
  func filtered() throws {
    let plain = Dongle(adapter: 0, controller: 1, rssi: Self.near)
    var filtering = plain
    filtering.filters = true
    try record("may/pi.btsnoop", day: 0, [plain])
    try record("june/pi.btsnoop", day: 7, [filtering])
    let text = try words("compare", "may", "june")
    #expect(text.contains("AFTER: pi/hci0 filtered duplicates"), "\(text)")
    #expect(!text.contains("hard of hearing"), "\(text)")
  }

  @Test("recordings of one time were not named the other way round; one other is heard now")
  func order() throws {
    let one = Dongle(adapter: 0, controller: 1, rssi: Self.near, seconds: 4..<600)
    try record("may/pi.btsnoop", day: 0, [one])
    try record("june/pi.btsnoop", day: 0, [Dongle(adapter: 0, controller: 1, rssi: Self.near)])
    #expect(try !words("compare", "may", "june").contains("the other way round"))
    try record(
      "july/pi.btsnoop", day: 7, [Dongle(adapter: 0, controller: 1, rssi: Self.near, minors: [1])])
    let later = try words("compare", "may", "july")
    #expect(later.contains("of 2 others that its radio heard 1 is heard now"), "\(later)")
    #expect(try words("compare", "july", "may").contains("the other way round"))
  }

  @Test("two numbers of one controller are told as such, but not where both listened at once")
  func pluggedInAgain() throws {
    try record(
      "again.btsnoop", day: 0,
      [
        Dongle(adapter: 0, controller: 1, rssi: Self.near, seconds: 0..<200),
        Dongle(adapter: 1, controller: 1, rssi: Self.near, seconds: 300..<600),
      ])
    let sentence = "are one controller (00:1a:7d:da:71:01), one after the other"
    let again = try words("analyze", "again.btsnoop")
    #expect(again.contains("again/hci0 and again/hci1 \(sentence)"), "\(again)")
    try record(
      "clones.btsnoop", day: 0,
      [
        Dongle(adapter: 0, controller: 1, rssi: Self.near),
        Dongle(adapter: 1, controller: 1, rssi: Self.near),
      ])
    #expect(try !words("analyze", "clones.btsnoop").contains("are one controller"))
  }

  @Test("what fell silent in one of several files was silent until the end of the last of them")
  func daily() throws {
    func day(_ name: String, _ day: Int, _ minors: [UInt16], dead: UInt16? = nil) throws {
      var dongles = [Dongle(adapter: 0, controller: 1, rssi: Self.near, minors: minors)]
      if let dead {
        dongles.append(
          Dongle(adapter: 0, controller: 1, rssi: Self.near, minors: [dead], seconds: 0..<250))
      }
      try record(name, day: day, dongles)
    }
    try day("gate/2026-05-18.btsnoop", 0, [1, 2, 3])
    try day("gate/2026-05-20.btsnoop", 2, [1, 2], dead: 3)
    try day("gate/2026-05-21.btsnoop", 3, [1, 2])
    try day("gate/2026-05-22.btsnoop", 4, [1, 2])
    let sides =
      ["gate/2026-05-18.btsnoop", "--after"] + (20...22).map { "gate/2026-05-\($0).btsnoop" }
    func words(_ more: [String]) throws -> String {
      let run = try Tool.run(["compare"] + sides + more, in: scratch.folder)
      try #require(run.status == 0, "\(run.errors)")
      return run.output.split { " \n".contains($0) }.joined(separator: " ")
    }
    let (plain, joined) = (try words([]), try words(["--observers", "folder"]))
    for text in [plain, joined] {
      let silent = text.components(separatedBy: "SILENT").last ?? ""
      #expect(silent.contains("1:3 not any more from 2026-05-2"), "\(text)")
      #expect(silent.contains("of a recording until 2026-05-2"), "\(text)")
      #expect(!text.contains("by 3 radios"), "\(text)")
    }
    #expect(plain.contains("! 3 captures of AFTER follow one another"), "\(plain)")
    #expect(plain.contains("If one radio wrote each folder: --observers folder"), "\(plain)")
    #expect(!joined.contains("follow one another"), "\(joined)")
    let json = try Tool.run(
      ["compare", "--format", "json"] + sides, in: scratch.folder)
    let changes = try JSON(json.bytes)["changed"]?.list?[0]["changes"]?.list
    let until = changes?.first { $0["what"]?.text == "fell_silent" }?["listened_until"]?.text
    #expect(until?.hasPrefix(Self.lastDay) == true, "\(json.output)")
  }

  @Test("files of several controllers are not said to be of one receiver")
  func otherControllers() throws {
    func day(_ name: String, _ day: Int, _ controller: UInt64) throws {
      try record(name, day: day, [Dongle(adapter: 0, controller: controller, rssi: Self.near)])
    }
    try day("before/a.btsnoop", 0, 1)
    for (own, isTold) in [(UInt64(1), true), (2, false)] {
      try day("after/b.btsnoop", 2, 1)
      try day("after/c.btsnoop", 3, own)
      let text = try words("compare", "before", "after")
      #expect(text.contains("follow one another") == isTold, "\(text)")
    }
  }

  /// Of the four days behind the first.
  private static var lastDay: String {
    let date = Date(timeIntervalSince1970: Double(WordingTests.start) / 1e9 + 4 * 86_400)
    return date.formatted(.iso8601.year().month().day())
  }
}
