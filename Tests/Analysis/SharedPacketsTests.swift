import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@testable import Analysis

/// Captures that hold packets of others, whatever their names.
@Suite("Shared packets") struct SharedPacketsTests {
  /// A beacon heard every 100 ms, with a signal that changes.
  private static func capture(
    _ name: String, _ range: Range<Int>, from start: Int64 = Recording.start, seed: Int = 0,
    minor: UInt16 = 1, address: Address = JudgeOrderTests.one
  ) -> CaptureSource {
    let records = range.map { place in
      let report = HCI.LegacyReport(
        address, Recording.iBeacon(minor), rssi: Int8(-50 - (place * 7 + seed) % 30))
      let packet = HCI.advertisingReport(report)
      return Record(
        (start + Int64(place) * 100) * 1_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func sharing(_ sources: [CaptureSource]) throws -> [String?] {
    var analysis = Analysis(sources)
    var none = NoSink()
    return try analysis.run(into: &none).captures.map { facts in
      facts.sharing.map { "\($0.name) \(Int(($0.part * 100).rounded()))" }
    }
  }

  @Test("the beginning, the end and the middle of another one, and in whatever order")
  func parts() throws {
    let whole = Self.capture("whole", 0..<20_000)
    for range in [0..<300, 19_000..<20_000, 5000..<7000] {
      #expect(try Self.sharing([whole, Self.capture("part", range)]) == [nil, "whole 100"])
      #expect(try Self.sharing([Self.capture("part", range), whole]) == ["whole 100", nil])
    }
  }

  @Test("two that overlap by much or by little, in whatever order")
  func overlaps() throws {
    let first = Self.capture("first", 0..<2000)
    for start in [800, 1600, 1980] {
      let second = Self.capture("second", start..<(start + 2000))
      let found = try Self.sharing([first, second])
      #expect(found[0] == nil && found[1]?.hasPrefix("first ") == true)
      #expect(try Self.sharing([second, first]) == found.reversed())
    }
  }

  @Test("a beginning and a part that overlaps, both with the whole")
  func severalOfOne() throws {
    let captures = [
      Self.capture("whole", 0..<2000), Self.capture("beginning", 0..<500),
      Self.capture("end", 1500..<2500),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let found = try Self.sharing(order.map { captures[$0] })
      let byName = order.indices.sorted { order[$0] < order[$1] }.map { found[$0] }
      #expect(byName[0] == nil)
      #expect(byName[1] == "whole 100")
      #expect(byName[2]?.hasPrefix("whole ") == true)
    }
  }

  @Test("the same bytes under several names: all with the first of these") func copies() throws {
    let names = ["a", "b", "c"].map { Self.capture($0, 0..<2000) }
    let part = Self.capture("part", 100..<600)
    for captures in [names + [part], names.reversed() + [part]] {
      let found = try Self.sharing(captures)
      let byName = captures[0].name == "a" ? found : [found[2], found[1], found[0], found[3]]
      #expect(byName == [nil, "a 100", "a 100", "a 100"])
    }
    // Too few packets to say anything of.
    #expect(try Self.sharing(["a", "b"].map { Self.capture($0, 0..<4) }) == [nil, nil])
  }

  @Test("not two radios that hear others at the same times, as loud")
  func sameTimes() throws {
    let first = Self.capture("first", 0..<2000)
    #expect(try Self.sharing([first, Self.capture("second", 0..<2000, minor: 2)]) == [nil, nil])
    let address = Self.capture("third", 0..<2000, address: JudgeOrderTests.two)
    #expect(try Self.sharing([first, address]) == [nil, nil])
  }

  @Test("not two radios that hear the same beacon, nor a few packets")
  func others() throws {
    let first = Self.capture("first", 0..<2000)
    #expect(try Self.sharing([first, Self.capture("second", 0..<2000, seed: 3)]) == [nil, nil])
    let later = Self.capture("second", 0..<2000, from: Recording.start + 13)
    #expect(try Self.sharing([first, later]) == [nil, nil])
    #expect(try Self.sharing([first, Self.capture("second", 0..<4)]) == [nil, nil])
  }
}
