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
    _ name: String, _ range: Range<Int>, from start: Int64 = Recording.start, seed: Int = 0
  ) -> CaptureSource {
    let records = range.map { place in
      let report = HCI.LegacyReport(
        JudgeOrderTests.one, Recording.iBeacon(1), rssi: Int8(-50 - (place * 7 + seed) % 30))
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
      #expect(try Self.sharing([Self.capture("part", range), whole]) == [nil, "part 100"])
    }
  }

  @Test("two that overlap by more than half, and none that overlap by less")
  func overlaps() throws {
    let first = Self.capture("first", 0..<2000)
    let found = try Self.sharing([first, Self.capture("second", 800..<2800)])
    #expect(found[1]?.hasPrefix("first ") == true)
    #expect(try Self.sharing([first, Self.capture("second", 1600..<3600)]) == [nil, nil])
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
