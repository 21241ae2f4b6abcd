public import CaptureReader

/// One row per link type that can be read.
public struct LinkTypeRow: Sendable {
  public let link: LinkType
  /// For people: `HCI H4`, `BLE link layer with header`.
  public let name: String
  /// Decodes a run of records of this link type. Called once per run, never per frame.
  let decode: @Sendable (inout FrameDecoder, Span<CaptureRecord>, _ bytes: RawSpan) -> Void
}

/// All link types. What is not listed is counted as unsupported.
public enum LinkTypes {
  public static let all: [LinkTypeRow] = [
    HCIH4.row, HCIH4.btsnoopRow, HCIH4WithDirection.row, HCIH1.row, LinuxMonitor.row,
    LinuxMonitor.btsnoopRow, PacketLoggerLink.row, LELinkLayer.row, LELinkLayerWithHeader.row,
    NordicSniffer.row, PPI.row,
  ]

  private static let byLink = Dictionary(uniqueKeysWithValues: all.map { ($0.link, $0) })

  static func find(_ link: LinkType) -> LinkTypeRow { byLink[link] ?? unsupported }

  public static func isSupported(_ link: LinkType) -> Bool { byLink[link] != nil }

  /// Name for people; nil where the link type is not one of ours.
  public static func name(_ link: LinkType) -> String? { byLink[link]?.name }

  private static let unsupported = LinkTypeRow(
    link: LinkType(rawValue: .max), name: "unsupported",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { _, _, _, _ in .unsupported(.unsupportedLinkType) }
    })
}
