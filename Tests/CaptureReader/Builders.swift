import CaptureReader

/// Captures made by hand: a header, and records of one advertising event each.
struct Sample: Sendable, CustomStringConvertible {
  let description: String
  let format: String
  let header: [UInt8]
  /// One record: number and payload.
  let record: @Sendable (Int, [UInt8]) -> [UInt8]
  /// Where the length stands in a record, and how it is written.
  let lengthAt: Int
  let isBigEndian: Bool

  static let start = 1_700_000_000

  /// An event of its own for each number: the number is in the address and the name.
  static func event(_ number: Int, padding: Int = 0) -> [UInt8] {
    let low = UInt8(truncatingIfNeeded: number)
    let high = UInt8(truncatingIfNeeded: number >> 8)
    let data: [UInt8] = [3, 9, low, high]
    let report: [UInt8] = [2, 1, 0, 1, low, high, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC4]
    return [4, 0x3E, UInt8(report.count)] + report + [UInt8](repeating: 0x55, count: padding)
  }

  func file(_ numbers: Range<Int>) -> [UInt8] { file(numbers.map { record($0, Self.event($0)) }) }
  func file(_ records: [[UInt8]]) -> [UInt8] { header + records.flatMap { $0 } }

  /// A record whose length field says something else.
  func record(_ number: Int, claiming length: Int) -> [UInt8] {
    var bytes = record(number, Self.event(number))
    bytes.replaceSubrange(
      lengthAt..<(lengthAt + 4), with: isBigEndian ? Bytes.big(length, 4) : Bytes.little(length, 4))
    return bytes
  }
}

enum Bytes {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }
}

extension Sample {
  static let btsnoop = Sample(
    description: "btsnoop H4", format: "btsnoop",
    header: Array("btsnoop\0".utf8) + Bytes.big(1, 4) + Bytes.big(1002, 4),
    record: { number, data in
      let time = 0x00DC_DDB3_0F2F_8000 + (start + number) * 1_000_000
      return Bytes.big(data.count, 4) + Bytes.big(data.count, 4) + Bytes.big(3, 4)
        + Bytes.big(0, 4) + Bytes.big(time, 8) + data
    }, lengthAt: 4, isBigEndian: true)

  static let pcap = Sample(
    description: "pcap H4", format: "pcap",
    header: [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + Bytes.little(0, 8) + Bytes.little(65535, 4)
      + Bytes.little(187, 4),
    record: { number, data in
      Bytes.little(start + number, 4) + Bytes.little(number, 4) + Bytes.little(data.count, 4)
        + Bytes.little(data.count, 4) + data
    }, lengthAt: 8, isBigEndian: false)

  static let pcapng = Sample(
    description: "pcapng H4", format: "pcapng",
    header: Bytes.big(0x0A0D_0D0A, 4) + Bytes.little(28, 4) + Bytes.little(0x1A2B_3C4D, 4)
      + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + Bytes.little(28, 4)
      + Bytes.little(1, 4) + Bytes.little(20, 4) + [187, 0, 0, 0] + Bytes.little(0, 4)
      + Bytes.little(20, 4),
    record: { number, data in
      let time = (start + number) * 1_000_000
      let padding = [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      let length = 32 + data.count + padding.count
      return Bytes.little(6, 4) + Bytes.little(length, 4) + Bytes.little(0, 4)
        + Bytes.little(time >> 32, 4) + Bytes.little(time & 0xFFFF_FFFF, 4)
        + Bytes.little(data.count, 4) + Bytes.little(data.count, 4) + data + padding
        + Bytes.little(length, 4)
    }, lengthAt: 4, isBigEndian: false)

  static let packetLogger = Sample(
    description: "PacketLogger", format: "packetlogger", header: [],
    record: { number, data in
      // Its type byte 01 stands for an event; the H4 type is not in the data.
      Bytes.big(data.count + 8, 4) + Bytes.big(start + number, 4) + Bytes.big(number, 4) + [1]
        + data.dropFirst()
    }, lengthAt: 0, isBigEndian: true)

  static let all = [btsnoop, pcap, pcapng, packetLogger]
}

/// All that a capture gives, read to its end.
struct Reading {
  var frames: [Int] = []
  /// The records' data, each with its H4 type byte.
  var data: [[UInt8]] = []
  var times: [Timestamp] = []
  var links: [LinkType] = []
  var faults: [RecordFault] = []
  var originals: [UInt32] = []
  var log = ContainerLog()
  var format = ""
  var compression: Compression?
  var sha256: [UInt8]?
  var span: TimeSpan?
  var problem: CaptureProblem?

  init(_ bytes: [UInt8]) { self.init(.bytes(bytes, name: "capture")) }

  init(_ source: CaptureSource) {
    do throws(CaptureProblem) {
      let reader = try CaptureReader.open(source)
      format = reader.format
      compression = reader.compression
      var batch = RecordBatch()
      while try reader.next(into: &batch) {
        reader.withBytes { span in
          for record in batch.records.array { take(record, span) }
        }
      }
      log = reader.log
      sha256 = reader.sha256
      span = reader.timeSpan
    } catch {
      problem = error
    }
  }

  private mutating func take(_ record: CaptureRecord, _ bytes: RawSpan) {
    let start = Int(record.start)
    let found = bytes.extracting(start..<(start + Int(record.count))).array()
    frames.append(record.frame)
    data.append(record.link == .packetLogger && record.tag == 1 ? [4] + found : found)
    times.append(record.time)
    links.append(record.link)
    faults.append(record.fault)
    originals.append(record.originalCount)
  }

  var codes: Set<String> { Set(log.notes.keys.map(\.rawValue)) }
}
