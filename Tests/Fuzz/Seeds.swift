import CaptureReader
import CaptureWriter
import Checks
import FrameDecoder
import Foundation
import TestSupport

/// First inputs for the targets, made of the golden cases, of `Captures`, and of what no clock should say.
enum Seeds {
  /// The longest input; longer files are cut.
  static let longest = 8192

  static func files() -> [[UInt8]] {
    cut(Golden.cases("file").map(\.bytes) + captures + ExtremeTimes.files)
  }

  static func records() -> [[UInt8]] {
    cut(Golden.cases("packet").map(record) + readings.map(records) + [periodic])
  }

  /// Periodic advertising on the air: what announces it, and its packets before and after; others that only the
  /// header tells of. Link type 256, every checksum said to be right.
  private static let periodic: [UInt8] = {
    let train: [UInt8] = [0x29, 0x41, 0x76, 0x71]
    let pdu: [UInt8] = [0x07, 0x08, 0x04, 0x40, 0x04, 0x02, 0x01, 0x02, 0x01, 0x06, 1, 2, 3]
    let info = [0, 0, 80, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F] + train + [0x11, 0x22, 0x33, 0, 0]
    let announcement: [UInt8] =
      [0xD6, 0xBE, 0x89, 0x8E, 0x47, 28, 27, 0x29, 1, 2, 3, 4, 5, 0xC6, 7, 0x20] + info + [1, 2, 3]
    let packets: [(flags: UInt16, bytes: [UInt8])] = [
      (0x0C03, train + pdu), (0x0C83, announcement), (0x0C03, train + pdu),
      (0x2C83, [1, 2, 3, 4] + pdu), (0x0C03, [1, 2, 3, 4] + pdu),
    ]
    return packets.reduce(into: row(.leLinkLayerWithHeader)) { seed, packet in
      seed += record([7, 0xCE, 0, 0, 0, 0, 0, 0] + packet.flags.le + packet.bytes, tag: 0)
    }
  }()

  static func packets() -> [[UInt8]] {
    let alone = Golden.cases("hci_h4").map { [$0.bytes] }
    let sequences = Golden.cases("hci_sequence").map { $0.packets.map(\.bytes) }
    let recorded = readings.map { $0.records.filter { isHCI($0.link) }.map(\.bytes) }
    return cut((alone + sequences + recorded).map(packets))
  }

  static func payloads() -> [[UInt8]] {
    let all = readings.flatMap(\.data)
    // Of those that begin alike, one: captures hold the same beacon thousands of times.
    var known: Set<[UInt8]> = []
    return cut(
      Golden.cases("ad").map(\.bytes) + all.filter { known.insert(Array($0.prefix(12))).inserted })
  }

  /// Every input once, and none too long.
  private static func cut(_ inputs: [[UInt8]]) -> [[UInt8]] {
    var known: Set<[UInt8]> = []
    return inputs.map { Array($0.prefix(longest)) }.filter { known.insert($0).inserted }
  }

  private struct Seen: Sendable {
    let records: [SeenRecord]
    /// The reports' advertising data.
    let data: [[UInt8]]
  }

  private static let readings = (Golden.cases("file").map(\.bytes) + captures).map { bytes in
    let reading = Reading(bytes)
    return Seen(records: reading.records, data: reading.decoding.reports.map(\.data))
  }

  /// The committed captures; packed ones as they are.
  private static let captures: [[UInt8]] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Captures")
    let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (paths?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
      .filter { !["md", "tsv", ""].contains($0.pathExtension) }
      .compactMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) }
  }()

  private static func isHCI(_ link: LinkType) -> Bool {
    [.hciH4, .btsnoopH4].contains(link)
  }

  /// As `RecordsTarget` reads them.
  private static func record(_ testCase: GoldenCase) -> [UInt8] {
    row(.pcap(UInt16(testCase.linkType ?? 187))) + record(testCase.bytes, tag: 0)
  }

  private static func records(_ reading: Seen) -> [UInt8] {
    row(reading.records.first?.link ?? .hciH4)
      + reading.records.prefix(100).flatMap { record($0.bytes, tag: $0.tag) }
  }

  private static func row(_ link: LinkType) -> [UInt8] {
    [UInt8(LinkTypes.all.firstIndex { $0.link == link } ?? 0)]
  }

  private static func record(_ bytes: [UInt8], tag: UInt32) -> [UInt8] {
    join(tag.le, UInt16(bytes.count & 0x7FFF).le, bytes)
  }

  /// As `HCITarget` reads them; `packets` with their type bytes.
  private static func packets(_ packets: [[UInt8]]) -> [UInt8] {
    packets.prefix(60).flatMap { packet in
      switch packet.prefix(2) {
      case [4, 0x3E]: [0, UInt8(min(255, packet.count - 3))] + packet.dropFirst(3)
      case [4, 0x0E]: [12, UInt8(min(255, packet.count - 3))] + packet.dropFirst(3)
      default:
        [packet.first == 1 ? 13 : 14, UInt8(min(255, max(0, packet.count - 1)))]
          + packet.dropFirst()
      }
    }
  }
}
