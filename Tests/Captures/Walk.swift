import Glibc
import TestSupport

/// A quarter of an hour in the museum, for demonstrations: a visitor with a phone that records, a
/// dozen beacons, and everybody else's devices. The radio follows the log-distance rule with noise.
struct Walk {
  /// A moment of the walk and where the visitor is then, in metres.
  private static let path: [(second: Double, x: Double, y: Double)] = [
    (0, 0, 2), (60, 4, 4), (120, 9, 4), (180, 10, 12), (260, 16, 15), (330, 22, 14), (400, 24, 6),
    (470, 25, 5), (560, 33, 4), (620, 38, 6), (690, 38, 15), (770, 30, 16), (840, 18, 10),
    (900, 2, 2),
  ]
  static let seconds = 900.0
  /// The phone stops scanning for about a minute.
  static let pause = 402.0..<463.5

  private var random = SplitMix64(seed: 0x7761_6C6B)
  private var packets: [(nanoseconds: Int64, order: Int, packet: HCIPacket)] = []
  private var expected = Expectation()

  static func exhibit() -> Exhibit {
    var walk = Walk()
    walk.scan()
    for station in WalkCast.stations { walk.hear(station) }
    for passer in WalkCast.passers() { walk.hear(passer) }
    walk.packets.sort { ($0.nanoseconds, $0.order) < ($1.nanoseconds, $1.order) }
    let records = walk.packets.map {
      Record($0.nanoseconds, $0.packet.h4, tag: $0.packet.btsnoopFlags)
    }
    let file = BtsnoopWriter.file(datalink: 1002, records)
    return Exhibit(
      file: "museum-walk.btsnoop.gz", container: "btsnoop", compression: "gzip",
      linkTypes: "1002", bytes: Packing.gzip(file, blocks: Deflate.compress(file)),
      expected: walk.expected)
  }

  static func position(at second: Double) -> (x: Double, y: Double) {
    let next = path.firstIndex { $0.second > second } ?? path.count - 1
    let (from, to) = (path[max(next - 1, 0)], path[next])
    let span = to.second - from.second
    let share = span > 0 ? min(max((second - from.second) / span, 0), 1) : 0
    return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
  }

  /// Reset, parameters, on; off for the pause; off at the end.
  private mutating func scan() {
    order(-0.4, HCI.reset, 0x0C03)
    order(-0.3, HCI.setScanParameters(active: false, interval: 160, window: 160), 0x200B)
    order(-0.2, HCI.setScanEnable(true), 0x200C)
    order(Self.pause.lowerBound, HCI.setScanEnable(false), 0x200C)
    order(Self.pause.upperBound - 0.1, HCI.setScanEnable(true), 0x200C)
    order(Self.seconds, HCI.setScanEnable(false), 0x200C)
    expected.listening = 838_800
  }

  private mutating func order(_ second: Double, _ command: HCIPacket, _ opcode: UInt16) {
    put(second, command)
    put(second + 0.0015, HCI.commandComplete(opcode))
  }

  private static func time(_ second: Double) -> Int64 {
    Scene.start + Int64(second * 1_000_000) * 1000
  }

  private mutating func put(_ second: Double, _ packet: HCIPacket) {
    packets.append((Self.time(second), packets.count, packet))
    expected.records += 1
  }

  /// All advertisements of a device, as far as they arrive.
  private mutating func hear(_ device: WalkDevice) {
    var second = device.present.lowerBound + random.fraction() * device.interval
    var count = 0
    while second < device.present.upperBound {
      if let rssi = received(device, at: second) {
        var advert = device.advert(count, second)
        advert.address = device.address
        advert.rssi = rssi
        advert.nanoseconds = Self.time(second)
        let type: UInt8 = device.isConnectable ? 0 : 3
        put(
          second,
          HCI.advertisingReport(
            HCI.LegacyReport(type: type, device.address, advert.data, rssi: rssi)))
        expected.add(advert)
      }
      count += 1
      // The controller adds up to ten milliseconds to every interval.
      second += device.interval + random.fraction() * 0.01
    }
  }

  /// Signal strength at the phone, nil where the packet does not arrive.
  private mutating func received(_ device: WalkDevice, at second: Double) -> Int8? {
    let here = Self.position(at: second)
    let (dx, dy) = (here.x - device.x, here.y - device.y)
    let distance = max((dx * dx + dy * dy + 2.25).squareRoot(), 0.3)
    let mean = Double(device.strength) - 24 * log10(distance)
    let rssi = mean + 3.2 * random.noise()
    // One packet in five meets another; below −88 dBm more and more are lost.
    let chance = 0.8 * min(max((rssi + 99) / 11, 0), 1)
    guard random.fraction() < chance, !Self.pause.contains(second) else { return nil }
    return Int8(max(rssi.rounded(), -99))
  }
}

/// A device of the walk.
struct WalkDevice: Sendable {
  let address: Address
  let x: Double
  let y: Double
  /// True signal strength at one metre, whatever the payload says.
  let strength: Int
  let interval: Double
  var isConnectable = false
  var present = 0.0..<Walk.seconds
  /// The count-th advertisement, so many seconds into the walk.
  let advert: @Sendable (_ count: Int, _ second: Double) -> Advert
}
