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
    // Signal and reference access address are valid.
    var flags: UInt16 = 0x0012
    if !header.isWhitened { flags |= 0x0001 }
    if header.packet != .primary { flags |= 0x0080 }
    if header.packet == .chained { flags |= 0x1000 }
    if header.crcChecked { flags |= 0x0400 }
    if header.crcChecked && header.crcGood { flags |= 0x0800 }
    flags |= UInt16(header.phy) << 14
    let start = header.phy == 2 ? 5 : 4
    return join(
      [rfChannel(header.channel)], header.rssi.le, [0, 0], Air.advertisingAddress.le, flags.le,
      header.isWhitened ? Air.whiten(packet, from: start, channel: header.channel) : packet)
  }

  /// Link type 272: the sniffer's own header in version 1, 2 or 3, then the radio's.
  package static func nordic(
    version: UInt8, counter: UInt16, event: UInt16, microseconds: UInt32, _ header: Header,
    _ packet: [UInt8]
  ) -> [UInt8] {
    var flags: UInt8 = header.crcGood ? 1 : 0
    if header.packet == .chained { flags |= 1 << 1 }
    flags |= header.phy << 4
    let radio = join(
      [10, flags, header.channel, UInt8(-Int(header.rssi))], event.le, microseconds.le, packet)
    let board: UInt8 = 0
    let id: UInt8 = version == 3 ? 2 : 6
    if version == 1 {
      return join([board, 6, UInt8(radio.count), 1], counter.le, [id], radio)
    }
    return join([board], UInt16(radio.count).le, [version], counter.le, [id], radio)
  }

  /// Link type 192: PPI with a BTLE field and, where a place is given, a GPS field.
  package static func ppi(_ header: Header, position: Position? = nil, _ packet: [UInt8])
    -> [UInt8]
  {
    let megahertz = 2402 + 2 * UInt16(rfChannel(header.channel))
    let radio = join(
      [0], megahertz.le, [0], UInt32(0).le, header.rssi.le, header.rssi.le, header.rssi.le, [1])
    var fields = join(UInt16(30006).le, UInt16(radio.count).le, radio)
    if let position {
      let place = position.ppi
      fields += join(UInt16(30002).le, UInt16(place.count).le, place)
    }
    return join([0, 0], UInt16(8 + fields.count).le, UInt32(251).le, fields, packet)
  }
}

/// A place on earth as capture files write it.
package struct Position: Sendable {
  package var latitude: Double
  package var longitude: Double
  package var altitude: Double

  package init(latitude: Double, longitude: Double, altitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  private static func angle(_ degrees: Double) -> UInt32 {
    UInt32(((degrees + 180) * 10_000_000).rounded())
  }
  private var height: UInt32 { UInt32(((altitude + 180_000) * 10_000).rounded()) }

  /// PPI-GPS: latitude, longitude, altitude.
  package var ppi: [UInt8] {
    join(
      [2, 0], UInt16(20).le, UInt32(0x0E).le, Self.angle(latitude).le, Self.angle(longitude).le,
      height.le)
  }

  /// Kismet's custom option 2989 with its enterprise number: longitude first.
  package func kismet(_ order: ByteOrder) -> [UInt8] {
    join(
      order.bytes(UInt32(55922)), [0x47, 1], order.bytes(UInt16(12)), order.bytes(UInt32(0x0E)),
      order.bytes(Self.angle(longitude)), order.bytes(Self.angle(latitude)), order.bytes(height))
  }
}
