import CaptureReader
import CaptureWriter
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// Records of which a snap length left the beginning, as people are told.
@Suite("Records that were cut short") struct CutRecordTests {
  /// An HCI event with two legacy reports.
  private static let event: [UInt8] = {
    let report: [UInt8] = [3, 0, 6, 5, 4, 3, 2, 1, 3, 2, 1, 6, 0xC4]
    return [4, 0x3E, 28, 2, 2] + report + report
  }()

  /// - Parameter kept: how many bytes of each.
  private static func remarks(_ kept: [Int]) throws -> [String] {
    let records = kept.enumerated().map { number, count in
      Record(
        1_779_184_800_000_000_000 + Int64(number) * 500_000_000, Array(event.prefix(count)),
        original: event.count)
    }
    var analysis = Analysis(
      [.bytes(PcapWriter(linkType: 187).file(records), name: "cut.pcap")],
      options: Analysis.Options())
    var none = NoSink()
    return Remarks.made(try analysis.run(into: &none).captures[0])
  }

  private static let whole = event.count
  private static let why =
    ": whoever was in what is cut off is not heard in it, and was there all the same; exits may be of that. "
    + "Record whole packets (tcpdump -s 0; Android's HCI snoop log in full)."

  @Test("are told where no report of them is left") func nothingLeft() throws {
    #expect(
      try Self.remarks([Self.whole, 12, 12, 12])
        == ["has 3 of 4 records cut short, first frame 2" + Self.why])
  }

  @Test("are told where only the reports at their end are missing") func endMissing() throws {
    #expect(
      try Self.remarks([Self.whole, 24, 24, 24])
        == [
          "has 3 of 4 records cut short, first frame 2 (3 of these are read up to the cut)"
            + Self.why
        ]
    )
    #expect(
      try Self.remarks([Self.whole, 24, 12, 12])
        == [
          "has 3 of 4 records cut short, first frame 2 (1 of these is read up to the cut)"
            + Self.why
        ]
    )
  }

  @Test("are not told where they are one or two") func few() throws {
    #expect(try Self.remarks([Self.whole, 24, 12]).isEmpty)
  }
}
