import CaptureReader
import Checks
import FrameDecoder
import Foundation
import TestSupport

/// First inputs for every target, made of the golden cases and of `Captures`: a folder per target.
enum Seeds {
  /// The longest input; longer files are cut.
  static let longest = 8192

  static func write(to folder: String) throws {
    let files = Golden.cases("file").map(\.bytes) + captures()
    let readings = files.map { Reading($0) }
    try write(files, to: folder, "container")
    try write(files, to: folder, "analyze")
    try write(Golden.cases("packet").map(record) + readings.map(records), to: folder, "records")
    let alone = Golden.cases("hci_h4").map { [$0.bytes] }
    let sequences = Golden.cases("hci_sequence").map { $0.packets.map(\.bytes) }
    let recorded = readings.map { $0.records.filter { isHCI($0.link) }.map(\.bytes) }
    try write((alone + sequences + recorded).map(packets), to: folder, "hci")
    let payloads = readings.flatMap { $0.decoding.reports.map(\.data) }
    // Of those that begin alike, one: captures hold the same beacon thousands of times.
    let kinds = Dictionary(grouping: payloads) { $0.prefix(12) }.compactMap(\.value.first)
    try write(Golden.cases("ad").map(\.bytes) + kinds, to: folder, "beacons")
  }

  /// Every input once.
  private static func write(_ inputs: [[UInt8]], to folder: String, _ target: String) throws {
    let path = "\(folder)/\(target)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (number, input) in Set(inputs.map { Array($0.prefix(longest)) }).enumerated() {
      try Data(input).write(to: URL(filePath: "\(path)/seed-\(number)"))
    }
  }

  /// The committed captures; packed ones as they are, cut, and unpacked.
  private static func captures() -> [[UInt8]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Captures")
    let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (paths?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
      .filter { !["md", "tsv", ""].contains($0.pathExtension) }
      .compactMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) }
  }

  private static func isHCI(_ link: LinkType) -> Bool {
    [.hciH4, .btsnoopH4].contains(link)
  }

  /// As `RecordsTarget` reads them.
  private static func record(_ testCase: GoldenCase) -> [UInt8] {
    row(.pcap(UInt16(testCase.linkType ?? 187))) + record(testCase.bytes, tag: 0)
  }

  private static func records(_ reading: Reading) -> [UInt8] {
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
