import CaptureReader
import FrameDecoder

/// Which packets of the air are one advertisement: as the decoder has it that reads them. A class, as a decoder
/// cannot be copied.
final class AirJoining {
  struct Advertisement {
    /// Numbers of its records, ascending.
    let records: [Int]
    /// As it goes over the air, lowest byte first; nil where it is not known.
    let sender: [UInt8]?
    /// What it began with was not heard: nobody reads anything in it.
    let isHeadless: Bool
  }

  private var decoder: FrameDecoder
  private static let links: [UInt16: LinkType] = [
    192: .ppi, 251: .leLinkLayer, 256: .leLinkLayerWithHeader, 272: .nordicSniffer,
  ]

  /// - Parameter keepsGarbage: as `PacketRewriting` has it.
  init(keepsGarbage: Bool) {
    var options = FrameDecoder.Options(keepBadCRC: keepsGarbage)
    options.keepsParts = true
    decoder = FrameDecoder(options: options)
  }

  static func isOfAir(_ linkType: UInt16) -> Bool { links[linkType] != nil }

  /// - Parameter number: of the record, which no other has.
  /// - Returns: what was complete with it, or before it; and whether it is, or is a part of, an advertisement.
  func add(
    _ bytes: [UInt8], linkType: UInt16, interface: Int, time: Timestamp, number: Int
  ) -> (complete: [Advertisement], isAdvertising: Bool) {
    guard let link = Self.links[linkType] else { return ([], false) }
    let before = decoder.tally.count(.advertising)
    let record = CaptureRecord(
      time: time, frame: number, start: 0, count: bytes.count,
      originalCount: UInt32(clamping: bytes.count), link: link,
      interface: UInt16(truncatingIfNeeded: interface))
    bytes.withRawSpan { decoder.decode([record].span, $0) }
    return (complete, decoder.tally.count(.advertising) > before)
  }

  /// Nothing more comes.
  func end() -> [Advertisement] {
    decoder.finish()
    return complete
  }

  private var complete: [Advertisement] {
    let parts = Dictionary(grouping: decoder.parts, by: \.report)
    return decoder.reports.array.map { report in
      let others = parts[report.frame]?.map(\.frame) ?? []
      let address = report.address.address
      return Advertisement(
        records: Set(others + [report.frame]).sorted(),
        sender: report.address.kind == .none
          ? nil : (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * $0)) },
        isHeadless: report.warnings.contains(.chainStartMissing))
    }
  }
}
