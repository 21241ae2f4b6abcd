import CaptureReader
import CaptureWriter
import FrameEncoder
import Foundation
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// What `analyze` prints of a folder full of captures.
@Suite("Many captures") struct ManyCapturesTests {
  private static let start: Int64 = 1_779_184_800

  /// A beacon heard each second for as many seconds as the number says, and once before that.
  private static func capture(_ number: Int, backwards: Bool = false) -> CaptureSource {
    let from = start + Int64(200 * number)
    let steps = backwards ? [1, 0] : [0, 1]
    let records = (steps + Array(2..<(10 + number))).map { second in
      let data = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
      let report = HCI.LegacyReport(Address(0xC4A1_0000_0401), data, rssi: -60)
      let packet = HCI.advertisingReport(report)
      return Record(
        (from + Int64(second)) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    let name = "night/\(number + 1000)/gate \(number + 1000) with a long name.btsnoop"
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func lines(_ sources: [CaptureSource], showsAll: Bool = false) throws -> [String] {
    var options = Analysis.Options()
    options.follow = FollowSettings()
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    return AnalysisText(style: Style(colour: false), showsAll: showsAll).lines(result)
  }

  /// Up to the next heading.
  private static func section(_ title: String, _ lines: [String]) -> [String] {
    let rest = lines.drop { !$0.hasPrefix(title) }
    let end = rest.dropFirst().firstIndex { $0.first?.isUppercase == true } ?? rest.endIndex
    return Array(rest[..<end])
  }

  @Test("a few have a paragraph each") func few() throws {
    let lines = try Self.lines((0..<6).map { Self.capture($0) })
    #expect(!lines.contains { $0.hasPrefix("CAPTURES") })
    #expect(lines.count { $0.hasPrefix("night/") } == 6)
  }

  @Test("many have a line each, below what holds for all of them") func many() throws {
    let sources = (0..<25).map { Self.capture($0) }
    let table = try Self.section("CAPTURES", Self.lines(sources))
    let records = (0..<25).reduce(0) { $0 + 10 + $1 }
    #expect(table[0].hasPrefix("CAPTURES  25 in night: \(records) records, "))
    #expect(table.joined(separator: " ").contains("\(records) advertising"))
    #expect(table.joined(separator: " ").contains("25 whose scan start was not captured"))
    let rows = table.filter { $0.contains("gate") || $0.contains(".btsnoop") }
    #expect(rows.count == 20)
    #expect(rows[0].contains("10:00:00–10:00:09") && rows[0].contains(" 10 "), "\(rows[0])")
    #expect(table.contains("  …5 more (--all)"))
    let all = try Self.lines(sources, showsAll: true)
    #expect(all.count { $0.hasPrefix("night/") } == 25)
  }

  @Test("of a region those observers have a row that saw most of it, in their order") func rows()
    throws
  {
    let lines = try Self.section("REGIONS", Self.lines((0..<20).map { Self.capture($0) }))
    let rows = lines.filter { $0.contains("1 visit, ") }
    #expect(rows.count == 6)
    #expect(
      rows.map { $0.split(separator: ",")[1].prefix(5) } == [
        " 23 s", " 24 s", " 25 s", " 26 s", " 27 s", " 28 s",
      ])
    // 9 to 22 seconds each.
    #expect(lines.contains { $0.hasPrefix("  14 others") && $0.contains("14 visits, 3 min 37 s") })
  }

  @Test("what is said of many is said in whole of two") func alike() throws {
    let sources = (0..<9).map { Self.capture($0, backwards: $0 != 3) }
    let lines = try Self.section("WORTH KNOWING", Self.lines(sources))
    #expect(lines.count { $0.contains("the clock steps back") } == 2)
    let told = lines.joined().replacing("    ", with: " ")
    #expect(told.contains("…and likewise 6 more captures: night/1002/"), "\(told)")
    #expect(!told.contains("night/1003/gate 1003 with a long name.btsnoop,"))
    let all = try Self.lines(sources, showsAll: true)
    #expect(all.count { $0.contains("the clock steps back") } == 8)
  }

  @Test("what is said of a group is said of each, and of pairs that there are more") func groups()
    throws
  {
    func capture(_ name: String, _ seconds: Range<Int64>) -> CaptureSource {
      let records = seconds.map { second in
        let data = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
        let report = HCI.LegacyReport(Address(0xC4A1_0000_0401), data, rssi: -60)
        let packet = HCI.advertisingReport(report)
        return Record(
          (Self.start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
      }
      return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
    }
    let sources = (0..<4).flatMap { phone -> [CaptureSource] in
      let from = Int64(10_000 * phone)
      return [
        capture("\(phone)/hci.log.1", from..<(from + 90)),
        capture("\(phone)/hci.log", (from + 80)..<(from + 200)),
      ]
    }
    let lines = try Self.section("WORTH KNOWING", Self.lines(sources))
    let told = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    for phone in 0..<4 { #expect(told.contains("--observer \(phone)=\(phone)"), "\(told)") }
    #expect(told.components(separatedBy: "hold the same packets").count == 3)
    #expect(
      told.contains("…and 2 more such pairs: an earlier capture and 2/hci.log, 3/hci.log (--all)"))
  }

  @Test("what nothing was told of in whole is counted, and not told to be alike") func noRoom()
    throws
  {
    var alike = AlikeRemarks()
    for number in 0..<5 {
      _ = alike.isToBeTold(Remark("late", capture: "c\(number)", "late"))
      let early = Remark("early", capture: "c\(number)", "early")
      if alike.isToBeTold(early) { alike.told(early, upTo: number + 1) }
    }
    #expect(alike.untold == 3)
    #expect(alike.rest.map(\.place) == [2])
    #expect(alike.rest.map(\.text) == ["…and likewise 3 more captures: c2, c3, c4 (--all)"])
  }

  @Test("no line is wider than 80 columns", arguments: [7, 40]) func width(_ count: Int) throws {
    let lines = try Self.lines((0..<count).map { Self.capture($0, backwards: true) })
    #expect(lines.filter { $0.count > 80 } == [])
  }
}
