import CaptureReader
import CaptureWriter
import FrameEncoder
import Foundation
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// Files that one recorder wrote one after the other, and what is told of times that cannot be.
@Suite("Remarks about several captures") struct RotatedLogsTests {
  private static let start: Int64 = 1_779_184_800

  /// A beacon heard every second.
  private static func capture(
    _ name: String, _ seconds: Range<Int64>, from start: Int64 = start, shift: Int64 = 0
  ) -> CaptureSource {
    let records = seconds.map { second in
      let address = Address(0xC4A1_0000_0401)
      let data = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: -60))
      let time = (start + second) * 1_000_000_000 + shift * 1_000_000
      return Record(time, packet.h4, tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func remarks(
    _ sources: [CaptureSource], comparesClocks: Bool = false
  ) throws -> [String: [String]] {
    var options = Analysis.Options()
    options.comparesClocks = comparesClocks
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    var texts: [String: [String]] = [:]
    let beacons = result.statistics.summaries()
    Remarks.forEach(result, beacons, IdentifierChains(beacons, result)) {
      texts[$0.code, default: []].append($0.text)
    }
    return texts
  }

  @Test(
    "names of one recorder, one after the other",
    arguments: [
      ("hci", ["hci.log.last", "hci.log"]),
      ("gate", ["gate_00001_20260519.pcapng", "gate_00002_20260520.pcapng"]),
      ("site", ["site.pcap", "site.pcap1", "site.pcap2.gz"]),
      ("radio", ["1.log", "2.log"]),
    ])
  func rotated(name: String, names: [String]) throws {
    let sources = names.enumerated().map { place, name in
      Self.capture(name, Int64(100 * place)..<Int64(100 * place + 90))
    }
    for order in [sources, sources.reversed()] {
      let found = try #require(try Self.remarks(order)["rotated_logs"])
      #expect(
        found == [
          "\(names[0]) to \(names[names.count - 1]): \(names.count) captures that follow one another, each "
            + "taken for a radio of its own. If one wrote them all: --observer "
            + "\(name)=\(names.joined(separator: ","))"
        ])
    }
  }

  @Test("where a file is missing among several they are one recorder's; a few far apart are not")
  func missing() throws {
    func found(_ places: [Int64]) throws -> [String] {
      let sources = places.map {
        Self.capture("hall/\(100 + $0).log", (3600 * $0)..<(3600 * $0 + 3590))
      }
      return try Self.remarks(sources)["rotated_logs"] ?? []
    }
    #expect(
      try found([0, 1, 2, 4, 7]) == [
        "hall/100.log to hall/107.log: 5 captures that follow one another but for 2 pauses (up to 2 h 00 min), each taken "
          + "for a radio of its own. If one wrote them all: --observer hall=hall"
      ])
    #expect(try found([0, 2, 3, 4]).first?.contains("but for 1 pause (1 h 00 min)") == true)
    #expect(try found([0, 1, 3, 4]).count == 2)
    #expect(try found([0, 1, 2, 40]).first?.contains("3 captures") == true)
  }

  private static func bugReports(of phones: [String]) -> [CaptureSource] {
    phones.flatMap { phone in
      ["hci.log.last", "hci.log"].enumerated().map { place, name in
        Self.capture(
          "\(phone)/FS/data/misc/bluetooth/logs/\(name)",
          Int64(100 * place)..<Int64(100 * place + 90), shift: phone == "anna" ? 0 : 300)
      }
    }
  }

  @Test("of a bug report the option proposes the folder that is of the phone")
  func bugReports() throws {
    let options = try Self.remarks(Self.bugReports(of: ["anna"]))["rotated_logs"]?.map {
      $0.split(separator: " ").last ?? ""
    }
    #expect(options == ["anna=anna/FS/data/misc/bluetooth/logs"])
  }

  @Test("where each radio has a folder one option says it of all of them") func folders() throws {
    let folder = "FS/data/misc/bluetooth/logs"
    #expect(
      try Self.remarks(Self.bugReports(of: ["anna", "bert"]))["rotated_logs"] == [
        "2 folders hold captures that follow one another, each taken for a radio of its own: anna/\(folder) (2), "
          + "bert/\(folder) (2). If one radio wrote each folder: --observers folder"
      ])
  }

  @Test("all of a folder are named by it, and not where something else lies below it")
  func folder() throws {
    let logs = ["a/hci.log.2", "a/hci.log.1", "a/hci.log"].enumerated().map { place, name in
      Self.capture(name, Int64(100 * place)..<Int64(100 * place + 90))
    }
    func option(_ other: String) throws -> Substring? {
      let sources = logs + [Self.capture(other, 1000..<1090)]
      return try Self.remarks(sources)["rotated_logs"]?.first?.split(separator: " ").last
    }
    #expect(try option("ab/hci.log") == "a=a")
    #expect(try option("a/b/hci.log") == "hci=a/hci.log.2,a/hci.log.1,a/hci.log")
  }

  @Test(
    "neither other names nor other folders, nor times that overlap or lie far apart",
    arguments: [
      ("north.log", "south.log", 100),
      ("a/hci.log", "b/hci.log", 100),
      ("hci.log.1", "hci.log", 50),
      ("hci.log.1", "hci.log", 1000),
    ])
  func others(first: String, second: String, start: Int64) throws {
    let sources = [Self.capture(first, 0..<90), Self.capture(second, start..<(start + 90))]
    #expect(try Self.remarks(sources)["rotated_logs"] == nil)
  }

  @Test("each has a name of its own, which no other capture's observer has") func names() throws {
    func options(_ names: [String], _ other: String) throws -> [String] {
      let sources = names.enumerated().map { place, name in
        let from = Int64(100 * (place % 2))
        return Self.capture(name, from..<(from + 90), shift: Int64(7 * place))
      }
      let all = sources + [Self.capture(other, 5000..<5090)]
      return try #require(try Self.remarks(all)["rotated_logs"]).map {
        $0.components(separatedBy: "--observer ").last ?? ""
      }
    }
    let days = ["anna/am/1.log", "anna/am/2.log"]
    #expect(try options(days, "x.log") == ["am=anna/am"])
    #expect(try options(["anna/h.log.1", "anna/h.log"], "anna.log") == ["'anna#2=anna'"])
  }

  @Test(
    "what a shell would take apart is quoted, and what has commas or equals signs is named, too")
  func quoting() throws {
    func told(_ name: String) throws -> String {
      let sources = [Self.capture("\(name).1", 0..<9), Self.capture(name, 10..<20)]
      let text = try Self.remarks(sources)["rotated_logs"]?.first ?? ""
      return text.components(separatedBy: "all: ").last ?? ""
    }
    #expect(
      try told("it's a.log") == "--observer 'it'\\''s a=it'\\''s a.log.1,it'\\''s a.log'")
    #expect(try told("a,b.log") == "--observer a,b=a,b.log.1 --observer a,b=a,b.log")
    #expect(try told("a,b=c/h.log") == "--observer a,b-c=a,b=c")
  }

  /// A restarted recorder writes the last seconds once more.
  @Test("the next begins with the end of the one before") func repeated() throws {
    func captures(_ parts: [Range<Int64>]) throws -> [String: [String]] {
      try Self.remarks(
        parts.enumerated().map { Self.capture("a/h.log.\(9 - $0.offset)", $0.element) })
    }
    let found = try captures([0..<150, 130..<300, 280..<450])
    #expect(
      found["rotated_logs"] == [
        "a/h.log.9 to a/h.log.7: 3 captures that follow one another, each taken for a radio of its own. If one "
          + "wrote them all: --observer a=a (one begins with the end of another: what both hold counts twice, "
          + "then, too)"
      ])
    #expect(found["shared_packets"]?.count == 2)
    // Copies, parts, and what holds more of the same than of its own.
    for copy: [Range<Int64>] in [
      [0..<90, 0..<90], [0..<90, 0..<80], [0..<90, 50..<90], [0..<90, 30..<120],
    ] {
      #expect(try captures(copy)["rotated_logs"] == nil)
    }
  }

  @Test("what is told to hold the same packets is not told to hold hardly the same")
  func copiesWithoutAClock() throws {
    let (part, whole) = (Self.capture("part.log", 0..<200), Self.capture("whole.log", 0..<400))
    let copies = try Self.remarks([part, whole], comparesClocks: true)
    #expect(copies["shared_packets"]?.count == 1 && copies["clocks_not_known"] == nil, "\(copies)")
    let other = Self.capture("other.log", 1000..<1400, shift: 500)
    let words = "hardly the same packets: nothing shows whether their clocks agree."
    let unlike = try Self.remarks([whole, other], comparesClocks: true)
    #expect(
      unlike["clocks_not_known"] == [
        "Some beacons were heard in several of these captures, but \(words)"
      ])
    let all = try Self.remarks([part, whole, other], comparesClocks: true)
    #expect(all["shared_packets"]?.count == 1)
    #expect(
      all["clocks_not_known"] == [
        "But for captures that hold the same packets, some beacons were heard in several of these captures, "
          + "but \(words)"
      ])
  }

  /// Three beacons that send now and then, as a radio hears them.
  private static func heard(
    _ name: String, later shift: Int64, rssi: Int8, jitter: Int
  ) -> CaptureSource {
    var random = Seeded(3)
    var own = Seeded(jitter + 7)
    var time = start * 1_000_000_000
    let records = (0..<1200).map { number in
      time += Int64(random.below(200_000)) * 1000
      let address = Address(0xC4A1_0000_0401 + UInt64(number % 3))
      let data = Payload.iBeacon(
        uuid: [UInt8](0..<16), major: 1, minor: UInt16(number % 3), power: -59)
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: rssi))
      let late = jitter > 0 ? Int64(own.below(jitter)) * 1000 : 0
      return Record(time + late + shift * 1_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  @Test("two radios that are said to be one are told by what both heard", arguments: [0, 12_000])
  func radiosAsOne(_ shift: Int64) throws {
    var options = Analysis.Options()
    options.comparesClocks = true
    options.follow = FollowSettings()
    options.follow?.observerNames = [0: "door", 1: "door"]
    var analysis = Analysis(
      [
        Self.heard("a.log", later: 0, rssi: -60, jitter: 0),
        Self.heard("b.log", later: shift, rssi: -70, jitter: 2000),
      ], options: options)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    var texts: [String] = []
    let beacons = result.statistics.summaries()
    Remarks.forEach(result, beacons, IdentifierChains(beacons, result)) {
      if $0.code == "captures_overlap" { texts.append($0.text) }
    }
    let end =
      shift == 0
      ? " packets were heard in both at the same times, and hardly any with the same signal and time stamp: they are "
        + "of two radios whose clocks agree. Give each a name of its own (--observer)."
      : " packets were heard in both, in b.log 12 s later: its clock is off, or they are of two radios and one clock "
        + "is."
    #expect(texts.count == 1)
    #expect(texts.first?.hasSuffix(end) == true, "\(texts)")
  }

  @Test("captures of one observer that are of one time and share nothing are told as that")
  func twoRadios() throws {
    func told(_ second: Range<Int64>, shift: Int64) throws -> [String: [String]] {
      var options = Analysis.Options()
      options.follow = FollowSettings()
      options.follow?.observerNames = [0: "phone", 1: "phone"]
      var analysis = Analysis(
        [Self.capture("a.log", 0..<90), Self.capture("b.log", second, shift: shift)],
        options: options)
      var none = NoSink()
      let result = try analysis.run(into: &none)
      var texts: [String: [String]] = [:]
      let beacons = result.statistics.summaries()
      Remarks.forEach(result, beacons, IdentifierChains(beacons, result)) {
        texts[$0.code, default: []].append($0.text)
      }
      return texts
    }
    let beginning = "a.log and b.log are said to be of one observer, phone, and overlap for "
    let other = try told(30..<130, shift: 500)["captures_overlap"]?.first ?? ""
    #expect(other.hasPrefix(beginning), "\(other)")
    #expect(
      other.hasSuffix(
        "; they share no packets: their clocks disagree, or they are of two radios."), "\(other)")
    let few = try told(85..<88, shift: 500)["captures_overlap"]?.first
    #expect(few?.hasSuffix("; what both may hold counts twice.") == true, "\(few ?? "nothing")")
    let shared = try told(30..<130, shift: 0)
    #expect(shared["captures_overlap"] == nil)
    #expect(
      shared["shared_packets"] == [
        "b.log and a.log hold the same packets: by a sample, 67 % of the sightings of beacons in the one that "
          + "has fewer. What both hold counts twice."
      ])
  }

  @Test("a clock from before there was low energy")
  func clock() throws {
    let old = try Self.remarks([Self.capture("old", 0..<9, from: 978_307_200)])
    #expect(
      old["clock_not_set"] == [
        "old says it is of 2001-01-01, before there was Bluetooth Low Energy: its clock was not set. Times "
          + "in it can be compared with each other only; --clock moves them."
      ])
    #expect(try Self.remarks([Self.capture("new", 0..<9)])["clock_not_set"] == nil)
  }
}
