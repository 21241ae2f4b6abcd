import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder

/// An advertisement that has arrived.
struct Arrival {
  /// Nanoseconds since the start.
  let time: Int64
  let advertisement: Advertisement
  let rssi: Int8
  /// Which advertiser sent it: advertising data ids are told apart by it.
  let sender: Int
}

/// The receiver's end: arrivals become packets of the capture's link type, and what readers must
/// make of them is told.
struct Receiver: ~Copyable {
  var recorder: Recorder
  let reception: RecordingForm.Reception
  private let scan: Scenario.Scan
  /// Sightings by value, in the order of the capture; emptied by whoever reads them.
  var sightings: [Sighting] = []
  /// Advertisements that readers find, beacons or not.
  private(set) var reports = 0
  /// Of what is no beacon, by label.
  private(set) var labels = [Int](repeating: 0, count: Phone.labels.count)
  /// Whether sightings are wanted.
  private let isTold: Bool
  /// Reports that wait for more to share an event with.
  private var waiting: [Arrival] = []
  /// By address: when the duplicate filter let it pass.
  private var told: [UInt64: Int64] = [:]
  private var packet: [UInt8] = []
  private var sniffed = 0
  private var random: SplitMix64

  init(
    _ recorder: consuming Recorder, _ form: RecordingForm, _ scan: Scenario.Scan, seed: UInt64,
    isTold: Bool
  ) {
    self.recorder = recorder
    reception = form.reception
    self.scan = scan
    self.isTold = isTold
    random = .stream(seed: seed, 0x4EC)
  }

  /// Whether the controller's duplicate filter keeps an advertisement to itself.
  mutating func filters(_ sender: Address, at time: Int64) -> Bool {
    guard case .hci = reception, let span = scan.filteredFor else { return false }
    if let last = told[sender.value], time - last < span { return true }
    told[sender.value] = time
    return false
  }

  /// Whether this receiver can hear such an advertisement at all.
  func hears(_ form: BeaconPlan.Advertising) -> Bool {
    switch (reception, form) {
    case (_, .legacy): true
    case (.hci, _): scan.isExtended
    case (.air(let framing), .coded): framing.tellsPHY
    case (.air, .extended): true
    }
  }

  /// A controller waits so long for another report to share an event with.
  static let patience: Int64 = 20_000_000

  /// When the reports that wait have to go; nil where none does.
  var deadline: Int64? { waiting.first.map { $0.time + Self.patience } }

  /// A legacy advertisement. (The others come in pieces: `Pieces.swift`.)
  mutating func hear(_ arrival: Arrival) throws {
    switch reception {
    case .air(let framing): try sniff(arrival, framing)
    case .hci(let link):
      if scan.reportsPerEvent == 1 { return try report([arrival], at: arrival.time, link) }
      if !hasRoom(for: arrival) { try hurry(at: arrival.time) }
      waiting.append(arrival)
      if waiting.count == scan.reportsPerEvent { try hurry(at: arrival.time) }
    }
  }

  /// Whether one more report fits into the event of those that wait. Five legacy ones always do; of the
  /// extended ones, which say more, five may be too long.
  private func hasRoom(for arrival: Arrival) -> Bool {
    guard scan.isExtended else { return true }
    return HCI.extendedReportsFit((waiting + [arrival]).map(\.advertisement.data.count))
  }

  /// The reports that wait go out.
  mutating func hurry(at time: Int64) throws {
    guard case .hci(let link) = reception, !waiting.isEmpty else { return }
    let arrivals = waiting
    waiting.removeAll(keepingCapacity: true)
    try report(arrivals, at: time, link)
  }

  private mutating func report(_ arrivals: [Arrival], at time: Int64, _ link: HCILink) throws {
    recorder.begin(at: time)
    link.begin(.event, in: &recorder.record)
    let start = recorder.record.data.count
    if scan.isExtended {
      recorder.record.data += HCI.extendedReport(arrivals.map(Self.extended)).bytes
    } else {
      HCI.put(arrivals.map(Self.legacy), to: &recorder.record.data)
    }
    let fate = try recorder.write(
      at: time, packet: start, reports: arrivals.count, standsAlone: true)
    for (index, arrival) in arrivals.enumerated() {
      tell(arrival, fate, index: index, channel: 255, phy: .le1M)
    }
  }

  private static func legacy(_ arrival: Arrival) -> HCI.LegacyReport {
    HCI.LegacyReport(
      type: arrival.advertisement.isConnectable ? 0 : 3, arrival.advertisement.address,
      arrival.advertisement.data, rssi: arrival.rssi)
  }

  /// A legacy advertisement as the reports of Bluetooth 5 have it.
  private static func extended(_ arrival: Arrival) -> HCI.ExtendedReport {
    var report = HCI.ExtendedReport(
      arrival.advertisement.address, arrival.advertisement.data, rssi: arrival.rssi)
    report.type = arrival.advertisement.isConnectable ? 0x13 : 0x10
    report.secondaryPHY = 0
    report.sid = 0xFF
    return report
  }

  private mutating func sniff(_ arrival: Arrival, _ framing: AirFraming) throws {
    let channel = 37 + UInt8(random.below(3))
    packet.removeAll(keepingCapacity: true)
    Air.put(
      legacy: arrival.advertisement.isConnectable ? 0 : 2, arrival.advertisement.address,
      arrival.advertisement.data, to: &packet)
    let fate = try put(
      packet, AirLink.Header(channel: channel, rssi: arrival.rssi), framing, at: arrival.time,
      standsAlone: true)
    tell(arrival, fate, index: 0, channel: Self.told(channel, framing), phy: .le1M)
  }

  /// A packet of the air as a record.
  mutating func put(
    _ packet: [UInt8], _ header: AirLink.Header, _ framing: AirFraming, at time: Int64,
    standsAlone: Bool
  ) throws -> Recorder.Fate {
    recorder.begin(at: time)
    framing.put(packet, header, number: sniffed, position: nil, in: &recorder.record)
    sniffed += 1
    return try recorder.write(at: time, packet: 0, reports: 1, standsAlone: standsAlone)
  }

  /// A command or an event of the host's own.
  mutating func put(_ packet: HCIPacket, at time: Int64) throws -> Recorder.Fate? {
    guard case .hci(let link) = reception else { return nil }
    recorder.begin(at: time)
    link.begin(packet.kind, in: &recorder.record)
    recorder.record.data += packet.bytes
    return try recorder.write(at: time, packet: 0, reports: 0, standsAlone: false)
  }

  /// A word of the kernel's monitor; on other links there is none.
  mutating func note(adapter: UInt16, opcode: UInt16, _ payload: [UInt8], at time: Int64) throws {
    guard case .hci(let link) = reception else { return }
    recorder.begin(at: time)
    guard
      let record = link.note(
        adapter: adapter, opcode: opcode, payload, at: recorder.record.nanoseconds)
    else { return }
    recorder.record = record
    _ = try recorder.write(at: time, packet: 0, reports: 0, standsAlone: false)
  }

  /// What the link type says of the channel; 255 for nothing.
  static func told(_ channel: UInt8, _ framing: AirFraming) -> UInt8 {
    if case .bare = framing { 255 } else { channel }
  }

  /// What a reader must make of an arrival.
  mutating func tell(
    _ arrival: Arrival, _ fate: Recorder.Fate, index: Int, channel: UInt8, phy: PHY
  ) {
    guard let frame = fate.frame, index < fate.reports else {
      if let note = fate.note, arrival.advertisement.meaning != nil {
        recorder.lose(sightings: 1, note: note)
      }
      return
    }
    reports += 1
    guard let meaning = arrival.advertisement.meaning else {
      labels[arrival.advertisement.label] += 1
      return
    }
    guard isTold else { return }
    var rssi = arrival.rssi
    if case .air(let framing) = reception, !framing.tellsRSSI { rssi = 127 }
    let address = arrival.advertisement.address
    sightings.append(
      Sighting(
        of: meaning.draft, identity: meaning.identity, time: Timestamp(nanoseconds: fate.time),
        frame: frame, index: UInt16(index),
        address: DeviceAddress(address.value, address.isRandom ? .random : .publicDevice),
        observer: 0, rssi: rssi, channel: channel, phy: phy))
  }
}
