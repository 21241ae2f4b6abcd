import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport

/// What radios record that hear the same advertisers again and again.
struct Traffic {
  /// What there may be beside whole advertising events.
  struct Kind {
    var links = Packet.hciLinks
    var interfaces = 1
    var advertisers = 30
    var contents = Advertiser.Content.allCases
    var severalReports = true
    /// Fragments, commands, other events, records that are odd by themselves.
    var hasOthers = true
    /// One record in so many has a wrong byte, or more or fewer, or a wrong number of reports; 0 for
    /// none.
    var damagedOneIn = 0
  }

  var random: Seeded
  let kind: Kind
  private(set) var advertisers: [Advertiser] = []
  private var link: LinkType
  private var clock: Int64 = 1_700_000_000_000_000_000
  /// Packets that wait for others to come between.
  private var waiting: [HCIPacket] = []

  init(seed: Int, _ kind: Kind = Kind()) {
    random = Seeded(seed)
    self.kind = kind
    link = kind.links[0]
    for _ in 0..<kind.advertisers {
      advertisers.append(
        Advertiser(random.pick(kind.contents), isExtended: random.once(in: 2), &random))
    }
  }

  mutating func packets(_ count: Int) -> [Packet] { (0..<count).map { _ in packet() } }

  private mutating func packet() -> Packet {
    if random.once(in: 20) { link = random.pick(kind.links) }
    var packet: Packet
    if let sniffer = Packet.airLinks.first(where: { $0.link == link }) {
      let sender = random.pick(advertisers)
      let pdu = Air.legacy(sender.address, Array(sender.data(&random).prefix(31)))
      // A Nordic header has no room for a positive one.
      packet = Packet(pdu, rssi: min(0, Advertiser.rssi(&random)), by: sniffer)
    } else {
      packet = Packet(hci(), on: link)
    }
    packet.interface = UInt16(random.below(kind.interfaces))
    clock += Int64(random.below(50_000_000))
    if random.once(in: 200) { clock -= 3_600_000_000_000 }
    packet.time = Timestamp(nanoseconds: clock)
    if kind.hasOthers { makeOdd(&packet) }
    if kind.damagedOneIn > 0 && random.once(in: kind.damagedOneIn) { damage(&packet) }
    return packet
  }

  private mutating func hci() -> HCIPacket {
    if kind.hasOthers {
      if !waiting.isEmpty && random.once(in: 3) { return waiting.removeFirst() }
      if random.once(in: 8) { return other() }
    }
    let event = event()
    return kind.damagedOneIn > 0 && random.once(in: kind.damagedOneIn) ? resized(event) : event
  }

  /// More or fewer bytes than its reports take, or another number of reports, under a length that is
  /// right.
  private mutating func resized(_ event: HCIPacket) -> HCIPacket {
    var bytes = event.bytes
    switch random.below(3) {
    case 0: bytes += random.bytes(1 + random.below(12))
    case 1: bytes.removeLast(min(1 + random.below(12), bytes.count - 4))
    default: bytes[3] = UInt8(random.below(5))
    }
    bytes[1] = UInt8(truncatingIfNeeded: bytes.count - 2)
    return HCIPacket(.event, bytes)
  }

  /// An event with reports of one kind.
  mutating func event() -> HCIPacket {
    let first = random.pick(advertisers)
    let count = kind.severalReports && random.once(in: 5) ? 2 + random.below(4) : 1
    let rest = (1..<count).map { _ in random.pick(advertisers) }
      .filter { $0.isExtended == first.isExtended }
    let senders = [first] + rest
    return first.isExtended
      ? HCI.extendedReport(fitting(senders.map { $0.extendedReport(&random) }, \.bytes))
      : legacyEvent(fitting(senders.map { $0.legacyReport(&random) }, \.bytes))
  }

  private func legacyEvent(_ reports: [HCI.LegacyReport]) -> HCIPacket {
    var bytes: [UInt8] = []
    HCI.put(reports, to: &bytes)
    return HCIPacket(.event, bytes)
  }

  /// As many as an event has room for.
  private func fitting<T>(_ reports: [T], _ bytes: (T) -> [UInt8]) -> [T] {
    var room = 253
    return Array(
      reports.prefix { report in
        room -= bytes(report).count
        return room >= 0
      })
  }

  private mutating func other() -> HCIPacket {
    let sender = random.pick(advertisers)
    switch random.below(12) {
    case 0: return HCIPacket(.acl, random.bytes(random.below(20)))
    case 1: return HCI.event(0x13, random.bytes(5))
    case 2:
      waiting.append(HCI.commandComplete(0x200C))
      return HCI.setScanEnable(random.once(in: 2))
    case 3:
      waiting.append(HCI.commandComplete(0x2042))
      return HCI.setExtendedScanEnable(random.once(in: 2), filterDuplicates: true)
    case 4: return HCI.scanTimeout
    case 5:
      return HCI.directedReport(
        sender.address, to: Address(5), rssi: Advertiser.rssi(&random))
    case 6:
      return HCI.batchResults(
        HCI.BatchResult(sender.address, rssi: -70, age: 3, data: sender.data(&random)))
    case 7: return HCI.syncEstablished(handle: 1, sid: 2, sender.address, interval: 80)
    case 8: return HCI.periodicReport(handle: 1, rssi: -60, sender.data(&random))
    case 9 where random.once(in: 4):
      waiting.append(HCI.commandComplete(0x0C03))
      return HCI.reset
    default: return fragmented(sender)
    }
  }

  /// An advertisement in pieces; the rest comes later, or never.
  private mutating func fragmented(_ sender: Advertiser) -> HCIPacket {
    let pieces = sender.extendedReport(&random).fragments(of: 1 + random.below(20))
    guard !pieces.isEmpty else { return HCI.scanTimeout }
    let rest = pieces.dropFirst().map { HCI.extendedReport($0) }
    if !random.once(in: 6) { waiting += rest }
    return HCI.extendedReport(pieces[0])
  }

  private mutating func makeOdd(_ packet: inout Packet) {
    if random.once(in: 60) { packet.time = .none }
    if random.once(in: 80) {
      packet.fault = random.pick([.empty, .unknownInterface, .overrunsBlock, .note])
    }
  }

  private mutating func damage(_ packet: inout Packet) {
    switch random.below(6) {
    case 0: packet.data.removeLast(min(packet.data.count, 1 + random.below(4)))
    case 1: packet.data += random.bytes(1 + random.below(4))
    default:
      guard !packet.data.isEmpty else { return }
      // The front has the lengths and kinds.
      let reach = random.once(in: 2) ? min(20, packet.data.count) : packet.data.count
      let at = random.below(reach)
      packet.data[at] = random.once(in: 3) ? random.byte() : packet.data[at] ^ 1 << random.below(8)
    }
  }
}
