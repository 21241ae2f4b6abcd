package import CaptureWriter
import FrameEncoder

/// The container and the link type of a capture.
package struct RecordingForm: Sendable {
  /// How packets reach the recorder.
  enum Reception: Sendable {
    /// A host controller's reports.
    case hci(HCILink)
    /// A sniffer hears the air.
    case air(AirFraming)
  }
  package let container: String
  package let link: String
  package let order: ByteOrder
  let reception: Reception

  /// Containers by name, with the names of the link types that each can hold; the first is meant
  /// where none is named.
  package static let containers: [(name: String, links: [String])] = [
    ("btsnoop", ["1002", "1001", "2001"]), ("pcap", pcapLinks), ("pcap-ns", pcapLinks),
    ("pcap-modified", pcapLinks), ("pcapng", pcapLinks), ("pcapng-ns", pcapLinks),
    ("packetlogger", ["hci"]), ("btsnooz", ["hci"]), ("btsnooz-v1", ["hci"]),
    ("btsnooz-wide", ["hci"]),
  ]
  private static let pcapLinks = [
    "201", "187", "254", "251", "256", "256-whitened", "272", "272-v1", "272-v2", "192",
  ]

  private static let receptions: [String: Reception] = [
    "187": .hci(.h4), "201": .hci(.h4WithDirection), "254": .hci(.monitor),
    "251": .air(.bare), "256": .air(.withHeader(isWhitened: false)),
    "256-whitened": .air(.withHeader(isWhitened: true)), "272": .air(.nordic(version: 3)),
    "272-v1": .air(.nordic(version: 1)), "272-v2": .air(.nordic(version: 2)), "192": .air(.ppi),
    "1001": .hci(.h1), "1002": .hci(.h4), "2001": .hci(.btsnoopMonitor),
  ]

  /// - Parameter link: nil for the container's first.
  package init(container: String, link: String? = nil, order: ByteOrder = .little)
    throws(SettingsProblem)
  {
    guard let row = Self.containers.first(where: { $0.name == container }) else {
      throw SettingsProblem(
        "there is no container '\(container)'; there are: "
          + Self.containers.map(\.name).joined(separator: ", "))
    }
    let link = link ?? row.links[0]
    guard row.links.contains(link) else {
      throw SettingsProblem(
        "\(container) cannot hold link type '\(link)'; it can: "
          + row.links.joined(separator: ", "))
    }
    self.container = container
    self.link = link
    self.order = order
    switch container {
    case "packetlogger": reception = .hci(.packetLogger)
    case "btsnooz", "btsnooz-v1", "btsnooz-wide": reception = .hci(.btsnooz)
    default: reception = Self.receptions[link] ?? .hci(.h4)
    }
  }

  /// The container that a file's name stands for; nil where it tells nothing.
  package static func container(ofFile name: String) -> String? {
    var name = name[...]
    for packing in [".gz", ".zst"] where name.hasSuffix(packing) {
      name = name.dropLast(packing.count)
    }
    return [
      (".btsnoop", "btsnoop"), (".log", "btsnoop"), (".cfa", "btsnoop"), (".pcap", "pcap"),
      (".pcapng", "pcapng"), (".pklg", "packetlogger"), (".txt", "btsnooz"),
    ].first { name.hasSuffix($0.0) }?.1
  }

  /// Whether all of the capture has to be held until it ends.
  var isHeld: Bool { container.hasPrefix("btsnooz") }

  func writer() -> any RecordWriter {
    let number = UInt32(link.prefix { $0.isNumber }) ?? 0
    switch container {
    case "pcap": return PcapWriter(linkType: number, order: order)
    case "pcap-ns": return PcapWriter(linkType: number, magic: .nanoseconds, order: order)
    case "pcap-modified": return PcapWriter(linkType: number, magic: .modified, order: order)
    case "pcapng", "pcapng-ns":
      return PcapngWriter(
        order,
        [
          .init(
            linkType: UInt16(number), name: interfaceName,
            resolution: container == "pcapng" ? nil : 9)
        ])
    case "packetlogger": return PacketLoggerWriter(order)
    case "btsnooz": return BtsnoozWriter(.version2)
    case "btsnooz-v1": return BtsnoozWriter(.version1)
    case "btsnooz-wide": return BtsnoozWriter(.version2Wide)
    default: return BtsnoopWriter(datalink: number)
    }
  }

  private var interfaceName: String {
    switch reception {
    case .hci(.monitor): "bluetooth-monitor"
    case .hci: "bluetooth0"
    case .air: "sniffer"
    }
  }

  /// How readers name the radio, behind the capture's own name.
  func observer(_ stem: String) -> String {
    switch reception {
    case .hci(.monitor), .hci(.btsnoopMonitor): "\(stem)/hci0"
    default: container.hasPrefix("pcapng") ? "\(stem)/\(interfaceName)" : stem
    }
  }

  private var isAir: Bool {
    if case .air = reception { true } else { false }
  }

  /// The kind of damage that `malformed` means here; others mean themselves.
  func concrete(_ kind: Strike.Kind) -> Strike.Kind {
    kind == .malformed ? (isAir ? .crc : .zeroReports) : kind
  }

  /// Why this kind of damage cannot be done here; nil where it can.
  func refusal(_ kind: Strike.Kind) -> String? {
    switch concrete(kind) {
    case .zeroReports: return isAir ? "only HCI link types have events with reports" : nil
    case .crc: return isAir ? nil : "only packets of the air (251, 256, 272, 192) have a checksum"
    case .snap where container == "packetlogger" || container == "btsnooz-v1":
      return "\(container) does not keep the length a packet had"
    case .length, .junk, .tail:
      return isHeld ? "\(container) is compressed as a whole" : nil
    case .cut, .snap, .malformed: return nil
    }
  }
}

/// Settings that cannot be used, as a sentence without its full stop.
package struct SettingsProblem: Error {
  package let text: String
  package init(_ text: String) { self.text = text }
}
