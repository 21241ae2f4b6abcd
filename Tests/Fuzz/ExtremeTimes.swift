import CaptureWriter
import FrameEncoder
import TestSupport

/// Captures of a few reports whose clock stands where clocks do not stand: at the ends of what can be told, at
/// 1970, in the year 1, centuries from one report to the next.
enum ExtremeTimes {
  private static let second: Int64 = 1_000_000_000
  private static let now: Int64 = 1_779_184_800 * second
  private static let century: Int64 = 36_525 * 86_400 * second

  /// Nanoseconds since 1970, in the order of the records.
  private static let clocks: [[Int64]] = [
    [.min, .min + 1, .min + second], [.max - second, .max - 1, .max], [-1, 0, 1], [0, 0, 0],
    [.min, 0, .max], [.max, 0, .min], [now, .max, now + second, .min, now + 2 * second],
    [now, now + 31 * second, .max - 31 * second, .max],
    (-2...2).map { $0 * century }, (-2...2).reversed().map { $0 * century },
  ]

  /// Microseconds since the year 0, as btsnoop has them: more than nanoseconds can tell.
  private static let stamps: [[UInt64]] = [
    [0, 1, 366 * 86_400 * 1_000_000], [.max - 1, .max, 0], [1 << 63 - 1, 1 << 63, 1 << 63 + 1],
  ]

  static var files: [[UInt8]] {
    clocks.map { btsnoop($0.map { UInt64(bitPattern: $0 / 1000 + BtsnoopWriter.epoch) }) }
      + stamps.map(btsnoop)
      + clocks.flatMap { [pcapng($0, offset: nil), pcapng($0, offset: -9_223_372_036)] }
      + [pcap([0, 0, 1]), pcap([0, .max, 1]), pcap([1 << 31 - 1, 1 << 31])]
  }

  /// - Returns: a record of a beacon, without a time.
  private static func heard(_ number: Int) -> Record {
    let data = Payload.iBeacon(
      uuid: [UInt8](1...16), major: 1, minor: UInt16(number % 2), power: -59)
    let packet = HCI.advertisingReport(
      HCI.LegacyReport(Address(0xC011_2233_4455, isRandom: true), data, rssi: -60))
    return Record(0, packet.h4, tag: packet.btsnoopFlags)
  }

  private static func heard(_ number: Int, at time: Int64) -> Record {
    var record = heard(number)
    record.nanoseconds = time
    return record
  }

  private static func btsnoop(_ stamps: [UInt64]) -> [UInt8] {
    BtsnoopWriter(datalink: 1002).header
      + stamps.enumerated().flatMap { number, stamp in
        let record = heard(number)
        return join(
          record.originalCount.be, record.originalCount.be, record.tag.be, record.drops.be,
          stamp.be,
          record.data)
      }
  }

  /// - Parameter offset: seconds that the interface adds to its times.
  private static func pcapng(_ times: [Int64], offset: Int64?) -> [UInt8] {
    let writer = PcapngWriter(
      .little, [PcapngWriter.Interface(linkType: 187, resolution: 9, offset: offset)])
    let first = (offset ?? 0) * second
    return writer.file(
      times.filter { time in
        // What the writer can tell.
        let (behind, isOutside) = time.subtractingReportingOverflow(first)
        return !isOutside && behind >= 0
      }.enumerated().map { heard($0, at: $1) })
  }

  /// Seconds since 1970.
  private static func pcap(_ seconds: [UInt32]) -> [UInt8] {
    PcapWriter(linkType: 187).file(
      seconds.enumerated().map { heard($0, at: Int64($1) * second) })
  }
}
