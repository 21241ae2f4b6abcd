package import Analysis
import Beacons
package import CaptureReader
package import FrameDecoder

/// A frame that decided an event, read again so that its bytes can be shown.
package struct EvidenceFrame: Sendable {
  /// The input as the user named it, and the number of the frame in it.
  package var capture: String
  package var frame: Int
  package var time: Timestamp
  /// dBm; nil where it is not available.
  package var rssi: Int?
  package var address: DeviceAddress
  /// The record as the capture has it.
  package var bytes: [UInt8]
  /// Where in `bytes` the advertising data of the sighting lies; nil where it is not known (a chain of
  /// several packets): then the identity is looked for in all of them.
  package var dataRange: Range<Int>?
  /// dBm at 1 m; nil where the payload gives none.
  package var measuredPower: Int?
  /// What the bytes are, and what the container keeps outside them.
  package var link: LinkType
  package var tag: UInt32
  package var direction: PacketDirection
  /// Bytes on the wire; nil where that is not known.
  package var originalCount: Int?

  /// What the frame itself is, whatever cites it.
  enum Content {
    /// - Parameter others: sightings in the same frame, beside this one.
    case beacon(EventNames.Sender, others: Int)
    /// Of `address`, and no beacon of a known kind.
    case advertisement
    case nothing
  }
  var content = Content.nothing

  /// An identifier that a key made, and when on its beacon's clock.
  struct Resolution {
    let sent: [UInt8]
    let timing: EddystoneResolved.Timing
  }
  /// Of the beacon of `content`; nil where it says itself who it is.
  var resolution: Resolution?
  /// Whether somebody said whose its address is (`--device`): no key has to prove it.
  var isNamed = false
  /// Other frames of which its report was put together: further fragments or packets of a chain, and before it
  /// what pointed to it and gave its address. By number.
  package var parts: [EvidenceFrame] = []

  package init(
    capture: String, frame: Int, time: Timestamp, rssi: Int?, address: DeviceAddress,
    bytes: [UInt8], dataRange: Range<Int>?, measuredPower: Int?, link: LinkType = .none,
    tag: UInt32 = 0, direction: PacketDirection = .unknown, originalCount: Int? = nil
  ) {
    self.capture = capture
    self.frame = frame
    self.time = time
    self.rssi = rssi
    self.address = address
    self.bytes = bytes
    self.dataRange = dataRange
    self.measuredPower = measuredPower
    self.link = link
    self.tag = tag
    self.direction = direction
    self.originalCount = originalCount
  }
}

/// Bytes in hexadecimal with the names of fields under them.
package struct MarkedBytes {
  package struct Mark: Equatable {
    package let name: String
    package let range: Range<Int>

    package init(name: String, range: Range<Int>) {
      self.name = name
      self.range = range
    }
  }

  let bytes: [UInt8]
  package let marks: [Mark]

  package init(bytes: [UInt8], marks: [Mark]) {
    self.bytes = bytes
    self.marks = marks
  }

  /// Rows of so many columns: bytes, and under them as many rows of names as it takes for no two to
  /// cover each other.
  /// - Parameter width: 2 at least.
  func lines(width: Int) -> [String] {
    let perRow = max(1, (width + 1) / 3)
    return stride(from: 0, to: bytes.count, by: perRow).flatMap { start -> [String] in
      let row = start..<min(start + perRow, bytes.count)
      let digits = bytes[row].map { HexText.string([$0]) }.joined(separator: " ")
      return [digits] + names(row, width)
    }
  }

  private func names(_ row: Range<Int>, _ width: Int) -> [String] {
    var lines: [String] = []
    for mark in marks {
      let part = mark.range.clamped(to: row)
      guard !part.isEmpty else { continue }
      let rule = String(repeating: "─", count: max(0, part.count * 3 - 1 - mark.name.columns))
      let label = TextFit.cut(mark.name, width) + rule
      // A name too long for the end of the row moves to the left.
      let column = max(0, min((part.lowerBound - row.lowerBound) * 3, width - label.columns))
      if let place = lines.firstIndex(where: { $0.columns < column || (column == 0 && $0.isEmpty) })
      {
        lines[place] = TextColumns.left(lines[place], column) + label
      } else {
        lines.append(TextColumns.left("", column) + label)
      }
    }
    return lines
  }
}

extension EvidenceFrame {
  /// A frame of its own report.
  func part(_ frame: EvidenceFrame) -> EvidenceFrame {
    var part = frame
    part.address = address
    part.content = content
    part.resolution = resolution
    part.isNamed = isNamed
    return part
  }

  private var own: EventNames.Sender? {
    if case .beacon(let sender, _) = content { return sender }
    return nil
  }

  /// Whom the frame is of. Events are decided by frames of their transmitter; a rule may cite any, so of
  /// an alert only what is in the frame itself is said of it.
  package func sender(of event: TimelineEvent, _ names: EventNames) -> EventNames.Sender? {
    guard event.type != .alert, let number = event.transmitter else { return own }
    let sender = names.sender(number)
    guard address.isPresent, sender.address != address else { return sender }
    return own ?? sender
  }

  /// The record with what can be told apart in it: the advertiser's address, the identity's parts.
  package func marked(_ sender: EventNames.Sender?) -> MarkedBytes {
    guard let sender else { return MarkedBytes(bytes: bytes, marks: []) }
    var marks: [MarkedBytes.Mark] = []
    // Over the air the lowest byte of an address comes first.
    let reversed = (0..<6).map { UInt8(truncatingIfNeeded: address.address >> UInt64(8 * $0)) }
    let data = dataRange.map { $0.clamped(to: bytes.indices) }
    if address.isPresent, let at = place(of: reversed, in: 0..<(data?.lowerBound ?? bytes.count)) {
      marks.append(MarkedBytes.Mark(name: "address", range: at..<(at + 6)))
      if sender.device != nil, !isNamed {
        marks.append(MarkedBytes.Mark(name: "hash", range: at..<(at + 3)))
        marks.append(MarkedBytes.Mark(name: "prand", range: (at + 3)..<(at + 6)))
      }
    }
    // A device is known by its address alone.
    if sender.kind == .device { return MarkedBytes(bytes: bytes, marks: marks) }
    if let resolution, sender == own, let at = place(of: resolution.sent, in: data ?? bytes.indices)
    {
      marks.append(MarkedBytes.Mark(name: "eid", range: at..<(at + resolution.sent.count)))
    } else if let at = place(of: sender.bytes, in: data ?? bytes.indices) {
      marks += sender.parts.map { name, range in
        MarkedBytes.Mark(name: name, range: (at + range.lowerBound)..<(at + range.upperBound))
      }
    }
    return MarkedBytes(
      bytes: bytes, marks: marks.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  private func place(of wanted: [UInt8], in range: Range<Int>) -> Int? {
    guard !wanted.isEmpty, range.count >= wanted.count else { return nil }
    return (range.lowerBound...(range.upperBound - wanted.count)).first {
      bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
