import CaptureReader
import Checks
import FrameDecoder
import Twin

/// The bytes are records of one link type: u8 row of `LinkTypes.all` (bit 7: a batch per record), then
/// per record u32 tag, u16 length (bit 15: the recorder cut it), and data. Numbers are little-endian.
enum RecordsTarget {
  static let target = FuzzTarget(name: "records", seeds: { Seeds.records() }) { bytes in
    guard let first = bytes.first else { return [] }
    let link = LinkTypes.all[Int(first & 0x7F) % LinkTypes.all.count].link
    let records = split(bytes, link)
    return Feeding.faults(records, bytes, isSplit: first & 0x80 != 0)
  }

  private static func split(_ bytes: [UInt8], _ link: LinkType) -> [CaptureRecord] {
    var records: [CaptureRecord] = []
    var at = 1
    while at + 6 <= bytes.count {
      let length = Int(bytes[at + 4]) | Int(bytes[at + 5]) << 8
      let tag = bytes[at..<(at + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let count = min(length & 0x7FFF, bytes.count - at - 6)
      // A millisecond apart; now and then some seconds, so that what waits expires.
      let step = Int64(records.count) * 1_000_000 + Int64(tag >> 28) * 1_000_000_000
      records.append(
        CaptureRecord(
          time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + step),
          frame: records.count + 1, start: at + 6, count: count,
          originalCount: UInt32(count + (length >> 15)), link: link, tag: tag & 0x0FFF_FFFF))
      at += 6 + count
    }
    return records
  }
}

/// Records through the decoder and its twin, one by one and by way of the reports seen lately.
enum Feeding {
  /// - Parameter isSplit: a batch per record, otherwise one for all.
  static func faults(_ records: [CaptureRecord], _ bytes: [UInt8], isSplit: Bool) -> [String] {
    let check = KnownReportsCheck()
    if isSplit {
      for record in records { check.feed([record], bytes) }
    } else {
      check.feed(records, bytes)
    }
    check.finish()
    let decoding = check.plain
    let seen = bytes.withRawSpan { span in records.map { SeenRecord($0, span) } }
    var twin = Twin()
    for record in seen { twin.feed(TwinRecord(record)) }
    twin.finish()
    var faults = Soundness.inBytes(decoding, records: seen)
    faults += TwinComparison.differences(decoding, twin) + check.faults
    if decoding.decoder.tally.records != records.count {
      faults.append("classes add up to \(decoding.decoder.tally.records) of \(records.count)")
    }
    return faults
  }
}
