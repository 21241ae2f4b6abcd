import CaptureWriter
import FrameEncoder
import TestSupport

/// The scene as a sniffer hears it: every packet of the air, one of them damaged.
struct AirScene {
  struct Packet {
    let nanoseconds: Int64
    let header: AirLink.Header
    let bytes: [UInt8]
  }
  private(set) var packets: [Packet] = []
  private(set) var expected = Expectation()
  /// For every sighting of the expectation, the packet that its time comes from.
  private(set) var packetOfSighting: [Int] = []
  private var channel: UInt8 = 37

  /// `tellsPHY`: whether the link can say that a packet came on the coded PHY.
  init(tellsPHY: Bool) {
    for var advert in Scene.adverts {
      switch advert.form {
      case .legacy: put(advert, Air.legacy(advert.address, advert.data))
      case .directed(let target): put(advert, Air.directed(advert.address, to: target))
      case .extended:
        chain(advert)
        // Its data begin with the second packet.
        advert.nanoseconds += Scene.millisecond
      case .coded: if tellsPHY { coded(advert) } else { continue }
      }
      expected.add(advert)
      var packet = packets.count - 1
      if case .extended = advert.form { packet -= 1 }
      packetOfSighting += advert.beacons.map { _ in packet }
    }
    addIgnored()
  }

  private mutating func put(_ advert: Advert, _ pdu: [UInt8]) {
    let header = AirLink.Header(channel: channel, rssi: advert.rssi)
    channel = channel == 39 ? 37 : channel + 1
    put(advert.nanoseconds, header, Air.packet(pdu))
  }

  private mutating func put(_ nanoseconds: Int64, _ header: AirLink.Header, _ bytes: [UInt8]) {
    packets.append(Packet(nanoseconds: nanoseconds, header: header, bytes: bytes))
    expected.records += 1
  }

  /// A pointer on an advertising channel, then the data in two packets on other channels.
  private mutating func chain(_ advert: Advert) {
    let set: (sid: UInt8, id: UInt16) = (2, 0x123)
    let cut = 60
    let pdus = [
      Air.extended(set: set, pointer: Air.AuxPointer(channel: 8)),
      Air.extended(
        advert.address, set: set, pointer: Air.AuxPointer(channel: 21), txPower: 4,
        Array(advert.data[..<cut])),
      Air.extended(set: set, Array(advert.data[cut...])),
    ]
    let kinds: [AirLink.Header.Packet] = [.primary, .auxiliary, .chained]
    for (place, channel) in [UInt8(37), 8, 21].enumerated() {
      let header = AirLink.Header(channel: channel, rssi: advert.rssi, packet: kinds[place])
      put(
        advert.nanoseconds + Int64(place) * Scene.millisecond, header, Air.packet(pdus[place]))
    }
  }

  /// An auxiliary packet on the coded PHY whose pointer was missed.
  private mutating func coded(_ advert: Advert) {
    let header = AirLink.Header(channel: 30, rssi: advert.rssi, phy: 2, packet: .auxiliary)
    let pdu = Air.extended(advert.address, set: (3, 0x456), advert.data)
    put(advert.nanoseconds, header, Air.packet(pdu, codingIndicator: 0))
  }

  /// A scan request is no advertisement; a packet with a wrong CRC is not believed.
  private mutating func addIgnored() {
    let target = Scene.adverts[0].address
    put(
      Scene.start + 5900 * Scene.millisecond, AirLink.Header(channel: 37, rssi: -50),
      Air.packet(Air.scanRequest(from: Scene.scanner, to: target)))
    expected.codes["scan_request"] = 1
    let whole = Air.packet(Air.legacy(target, Scene.adverts[0].data))
    var broken = whole
    broken[broken.count - 5] ^= 0x10
    var header = AirLink.Header(channel: 38, rssi: -88)
    header.crcGood = false
    expected.codes["crc_bad"] = 1
    put(Scene.start + 5950 * Scene.millisecond, header, broken)
  }

  // MARK: As records of a link

  func records(_ link: (Packet) -> [UInt8]) -> [Record] {
    packets.map { Record($0.nanoseconds, link($0)) }
  }

  /// Link type 256.
  func withHeader(isWhitened: Bool = false) -> [Record] {
    records { packet in
      var header = packet.header
      header.isWhitened = isWhitened
      return AirLink.withHeader(header, packet.bytes)
    }
  }

  /// Link type 272.
  func nordic(version: UInt8) -> [Record] {
    packets.enumerated().map { number, packet in
      let micros = UInt32((packet.nanoseconds - Scene.start) / 1000)
      return Record(
        packet.nanoseconds,
        AirLink.nordic(
          version: version, counter: UInt16(number), event: 0, microseconds: micros, packet.header,
          packet.bytes))
    }
  }

  /// The sniffer walks east.
  static func place(_ number: Int) -> Position {
    Position(latitude: 52.5, longitude: 13.25 + Double(number) * 0.00001, altitude: 34.5)
  }

  /// Link type 192.
  func ppi() -> [Record] {
    packets.enumerated().map { number, packet in
      return Record(
        packet.nanoseconds, AirLink.ppi(packet.header, position: Self.place(number), packet.bytes))
    }
  }
}
