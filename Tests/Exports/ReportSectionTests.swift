import CaptureReader
import CaptureWriter
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// A bug report may hold Android's log more than once.
@Suite("Several btsnooz sections in a bug report") struct ReportSectionTests {
  private static let event: [UInt8] = [0x3E, 15, 2, 1, 3, 0, 6, 5, 4, 3, 2, 1, 3, 2, 1, 6, 0xC4]

  /// Of these seconds, a record each.
  private static func section(_ seconds: Range<Int64>) -> [UInt8] {
    BtsnoozWriter(.version2).file(
      seconds.map {
        Record(1_779_184_800_000_000_000 + $0 * 1_000_000_000, event, tag: 0x10)
      })
  }

  private static func read(_ bytes: [UInt8]) throws -> CaptureFacts {
    var analysis = Analysis(
      [.bytes(bytes, name: "bugreport.txt")], options: Analysis.Options())
    var none = NoSink()
    return try analysis.run(into: &none).captures[0]
  }

  private static func seconds(_ facts: CaptureFacts) -> Int64 {
    (facts.span.latest.nanoseconds - facts.span.earliest.nanoseconds) / 1_000_000_000
  }

  /// Where a section begins.
  private static func begin(_ bytes: [UInt8], after: Int = 0) throws -> Int64 {
    let mark = Array("--- BEGIN".utf8)
    return Int64(try #require(bytes[after...].firstRange(of: mark)).lowerBound)
  }

  @Test("are one capture where one goes on behind the other") func following() throws {
    let (one, other) = (Self.section(0..<60), Self.section(60..<180))
    let found = try Self.read(one + other)
    #expect(found.format == "btsnooz" && found.accounting.records == 180)
    #expect(Self.seconds(found) == 179 && !found.isDamaged)
    let joined = try #require(found.accounting.warnings.first { $0.code == .capturesJoined })
    #expect(joined.count == 1 && joined.firstFrame == 61)
    let place = try Self.begin(one + other, after: one.count)
    #expect(joined.firstOffset == place)
    let remark = try #require(Remarks.joined(found).first).text
    #expect(remark.contains("head -c \(place) bugreport.txt >part1"), "\(remark)")
  }

  @Test("count records once that stand in both") func overlapping() throws {
    let found = try Self.read(Self.section(0..<60) + Self.section(20..<80))
    #expect(found.accounting.records == 80 && Self.seconds(found) == 79 && !found.isDamaged)
    let repeated = try #require(found.accounting.warnings.first { $0.code == .sectionRepeated })
    #expect(repeated.detail.hasPrefix("the first 40 records of the btsnooz section at byte "))
    for other in [0..<60, 10..<40] as [Range<Int64>] {
      let found = try Self.read(Self.section(0..<60) + Self.section(other))
      #expect(found.accounting.records == 60 && !found.isDamaged)
      #expect(found.accounting.warnings.map(\.code) == [.sectionRepeated])
    }
  }

  @Test("are told where they cannot be read as one") func skipped() throws {
    let (one, earlier) = (Self.section(60..<120), Self.section(0..<30))
    let bad = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY\n!\n--- END:BTSNOOP_LOG_SUMMARY\n".utf8)
    let bytes = bad + one + earlier
    let found = try Self.read(bytes)
    #expect(found.accounting.records == 60 && found.isDamaged)
    let skipped = try #require(found.accounting.warnings.first { $0.code == .sectionSkipped })
    let place = try Self.begin(bytes, after: bad.count + one.count)
    #expect(skipped.count == 2 && skipped.firstOffset == 0)
    #expect(
      ProblemText.damage(found) == [
        "bugreport.txt: 2 of its 3 btsnooz sections not read, at byte 0 (its btsnooz section is not base64 "
          + "text), at byte \(place) (it begins before the one before it ended): save each to a file of "
          + "its own, and read that, too."
      ])
    #expect(throws: CaptureProblem.self) {
      try CaptureReader.open(.bytes(bad + bad, name: "bad.txt"))
    }
  }

  @Test("are told where one has no end, and the next begins in it") func noEnd() throws {
    let one = Self.section(0..<60)
    let end = try #require(one.firstRange(of: Array("--- END".utf8))).lowerBound
    let other = Self.section(60..<90)
    let found = try Self.read(Array(one[..<end]) + other[Int(try Self.begin(other))...])
    let codes = Set(found.accounting.warnings.map(\.code))
    #expect(found.accounting.records == 90 && codes == [.sectionEndMissing, .capturesJoined])
    let cut = try #require(other.firstRange(of: Array("--- END".utf8))).lowerBound
    let last = try Self.read(one + other[..<cut])
    #expect(last.accounting.records == 90 && last.isDamaged)
    #expect(last.accounting.warnings.contains { $0.code == .sectionEndMissing })
  }

  @Test("are unpacked up to sixteen, and the others counted") func many() throws {
    let all = (0..<18).flatMap { Self.section($0 * 10..<$0 * 10 + 10) }
    let found = try Self.read(all)
    #expect(found.accounting.records == 160)
    let skipped = found.accounting.warnings.first { $0.code == .sectionSkipped }
    #expect(skipped?.count == 2)
  }
}
