import CaptureWriter
import FrameEncoder
import Glibc
import Synth
import TestSupport

/// A quarter of an hour in the museum, for demonstrations: a visitor with a phone that records, a
/// dozen beacons, and everybody else's devices. The radio follows the log-distance rule with noise.
struct Walk {
  /// A moment of the walk and where the visitor is then, on a plan of 41 by 19 squares.
  private static let path: [(second: Double, x: Double, y: Double)] = [
    (0, 0, 2), (40, 2, 4.5), (80, 2.5, 5), (140, 8.6, 7), (170, 9, 6.6), (230, 6.5, 13),
    (270, 12, 15.5), (300, 12.3, 15.6), (350, 20, 16.6), (400, 21, 8.5), (460, 15, 3.6),
    (500, 23, 4.6), (540, 28, 8.6), (590, 36, 2.6), (630, 36, 3), (690, 39.5, 9),
    (750, 38.6, 16.5), (800, 31, 17.5), (850, 20, 10), (900, 2, 2),
  ]
  static let seconds = 900.0
  /// Side of a square of the plan, in metres.
  static let square = 1.7
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
        for (code, count) in device.codes { expected.codes[code, default: 0] += count }
      }
      count += 1
      // The controller adds up to ten milliseconds to every interval.
      second += device.interval + random.fraction() * 0.01
    }
  }

  /// Signal strength at the phone, nil where the packet does not arrive.
  private mutating func received(_ device: WalkDevice, at second: Double) -> Int8? {
    let here = Self.position(at: second)
    let (dx, dy) = ((here.x - device.x) * Self.square, (here.y - device.y) * Self.square)
    // The phone is a metre higher or lower than the beacon.
    let distance = (dx * dx + dy * dy + 1).squareRoot()
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
  /// What every advertisement of it is remarked upon with.
  var codes: [String: Int] = [:]
  var present = 0.0..<Walk.seconds
  /// The count-th advertisement, so many seconds into the walk.
  let advert: @Sendable (_ count: Int, _ second: Double) -> Advert
}
