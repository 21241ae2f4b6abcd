package import CaptureWriter

/// How sniffers wrap a packet of the air.
package enum AirLink {
  /// RF channel of a channel index: 2402 + 2n MHz.
  package static func rfChannel(_ index: UInt8) -> UInt8 {
    switch index {
    case 37: 0
    case 38: 12
    case 39: 39
    case 0...10: index + 1
    default: index + 2
    }
  }

  package struct Header: Sendable {
    package var channel: UInt8
    package var rssi: Int8
    /// 0 1M, 1 2M, 2 coded.
    package var phy: UInt8 = 0
    package enum Packet: Sendable {
      /// On an advertising channel.
      case primary
      /// AUX_ADV_IND.
      case auxiliary
      /// AUX_CHAIN_IND.
      case chained
    }
    package var packet = Packet.primary
    package var crcChecked = true
    package var crcGood = true
    package var isWhitened = false

    package init(channel: UInt8, rssi: Int8, phy: UInt8 = 0, packet: Packet = .primary) {
      self.channel = channel
      self.rssi = rssi
      self.phy = phy
      self.packet = packet
    }
  }

  /// Link type 256: ten bytes before the packet.
  package static func withHeader(_ header: Header, _ packet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    putWithHeader(header, packet, to: &result)
    return result
  }

  static func putWithHeader(_ header: Header, _ packet: [UInt8], to output: inout [UInt8]) {
    // Signal and reference access address are valid.
    var flags: UInt16 = 0x0012
    if !header.isWhitened { flags |= 0x0001 }
    if header.packet != .primary { flags |= 0x0080 }
    if header.packet == .chained { flags |= 0x1000 }
    if header.crcChecked { flags |= 0x0400 }
    if header.crcChecked && header.crcGood { flags |= 0x0800 }
    flags |= UInt16(header.phy) << 14
    output.append(rfChannel(header.channel))
    output.append(UInt8(bitPattern: header.rssi))
    output.append(0)
    output.append(0)
    output.put(Air.advertisingAddress, .little)
    output.put(flags, .little)
    guard header.isWhitened else { return output.append(contentsOf: packet) }
    let start = header.phy == 2 ? 5 : 4
    output += Air.whiten(packet, from: start, channel: header.channel)
  }

  /// Link type 272: the sniffer's own header in version 1, 2 or 3, then the radio's.
  package static func nordic(
    version: UInt8, counter: UInt16, event: UInt16, microseconds: UInt32, _ header: Header,
    _ packet: [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    putNordic(
      version: version, counter: counter, event: event, microseconds: microseconds, header,
      packet, to: &result)
    return result
  }

  static func putNordic(
    version: UInt8, counter: UInt16, event: UInt16, microseconds: UInt32, _ header: Header,
    _ packet: [UInt8], to output: inout [UInt8]
  ) {
    let count = 10 + packet.count
    // The board; then how long the rest is.
    output.append(0)
    if version == 1 {
      output.append(6)
      output.append(UInt8(count))
    } else {
      output.put(UInt16(count), .little)
    }
    output.append(version)
    output.put(counter, .little)
    output.append(version == 3 ? 2 : 6)
    output.append(10)
    let chained: UInt8 = header.packet == .chained ? 1 << 1 : 0
    output.append((header.crcGood ? 1 : 0) | chained | header.phy << 4)
    output.append(header.channel)
    output.append(UInt8(-Int(header.rssi)))
    output.put(event, .little)
    output.put(microseconds, .little)
    output.append(contentsOf: packet)
  }

  /// Link type 192: PPI with a BTLE field and, where a place is given, a GPS field.
  package static func ppi(_ header: Header, position: Position? = nil, _ packet: [UInt8])
    -> [UInt8]
  {
    var result: [UInt8] = []
    putPPI(header, position: position, packet, to: &result)
    return result
  }

  static func putPPI(
    _ header: Header, position: Position?, _ packet: [UInt8], to output: inout [UInt8]
  ) {
    let place = position?.ppi ?? []
    output.put(UInt16(0), .little)
    output.put(UInt16(8 + 16 + (position == nil ? 0 : 4 + place.count)), .little)
    output.put(UInt32(251), .little)
    output.put(UInt16(30006), .little)
    output.put(UInt16(12), .little)
    output.append(0)
    output.put(2402 + 2 * UInt16(rfChannel(header.channel)), .little)
    output.append(0)
    output.put(UInt32(0), .little)
    for _ in 0..<3 { output.append(UInt8(bitPattern: header.rssi)) }
    output.append(1)
    if position != nil {
      output.put(UInt16(30002), .little)
      output.put(UInt16(place.count), .little)
      output += place
    }
    output.append(contentsOf: packet)
  }
}
