import CaptureWriter
import FrameDecoder
import FrameEncoder

/// A packet that will be put into the capture at a time of its own.
struct Piece {
  enum Content {
    /// A command or an event that is no report.
    case hci(HCIPacket)
    /// Opcode and payload for the kernel's monitor.
    case note(adapter: UInt16, opcode: UInt16, [UInt8])
    /// Part of an advertisement, its number, and how many parts there are.
    case part(Part, of: Int, number: Int, count: Int)
  }
  enum Part {
    case report(HCI.ExtendedReport)
    case air(AirLink.Header, [UInt8])
  }
  /// Nanoseconds since the start.
  let time: Int64
  let content: Content
}

/// Packets that wait for their time, and advertisements of which not all parts are out.
struct Outbox {
  /// In the order of time; what was put first comes first.
  private(set) var pieces: [Piece] = []
  /// Advertisements under way, by number.
  private(set) var arrivals: [Int: Arrival] = [:]
  /// What became of the part that a sighting's time and frame come from.
  private(set) var beginnings: [Int: Recorder.Fate] = [:]
  private var numbers = 0

  /// When the next packet has to go.
  var next: Int64? { pieces.first?.time }

  mutating func put(_ piece: Piece) {
    let place = pieces.firstIndex { $0.time > piece.time } ?? pieces.count
    pieces.insert(piece, at: place)
  }

  mutating func put(_ parts: [(Int64, Piece.Part)], of arrival: Arrival) {
    numbers += 1
    arrivals[numbers] = arrival
    for (number, (time, part)) in parts.enumerated() {
      put(
        Piece(
          time: time, content: .part(part, of: numbers, number: number, count: parts.count)))
    }
  }

  mutating func take() -> Piece { pieces.removeFirst() }

  mutating func begin(_ arrival: Int, _ fate: Recorder.Fate) { beginnings[arrival] = fate }

  mutating func end(_ number: Int) -> (Arrival, Recorder.Fate)? {
    guard let arrival = arrivals.removeValue(forKey: number),
      let fate = beginnings.removeValue(forKey: number)
    else { return nil }
    return (arrival, fate)
  }
}

/// Extended advertisements: several packets on the air, several reports of a controller.
extension Receiver {
  /// The advertiser and the controller put so many bytes into one packet.
  private static var most: Int { 80 }
  private static var gap: Int64 { 1_000_000 }

  /// Where data are cut: behind a structure, since tshark, which puts nothing together, takes a
  /// structure that goes on in another packet for a broken one.
  private static func cuts(_ data: [UInt8]) -> [Range<Int>] {
    var cuts: [Range<Int>] = []
    var start = 0
    var end = 0
    while end < data.count {
      let next = min(end + 1 + Int(data[end]), data.count)
      if next - start > most && end > start {
        cuts.append(start..<end)
        start = end
      }
      end = next
    }
    return cuts + [start..<data.count]
  }

  /// The packets of an extended advertisement, with their times.
  func parts(of arrival: Arrival) -> [(Int64, Piece.Part)] {
    switch reception {
    case .hci:
      var report = HCI.ExtendedReport(
        arrival.advertisement.address, arrival.advertisement.data, rssi: arrival.rssi)
      report.sid = 2
      if arrival.advertisement.form == .coded {
        report.primaryPHY = 3
        report.secondaryPHY = 3
      }
      let cuts = Self.cuts(report.data)
      return cuts.enumerated().map { number, cut in
        var piece = report
        piece.data = Array(report.data[cut])
        piece.status = number + 1 < cuts.count ? 1 : 0
        return (arrival.time + Int64(number) * Self.gap, .report(piece))
      }
    case .air: return arrival.advertisement.form == .coded ? coded(arrival) : chain(arrival)
    }
  }

  /// A pointer on an advertising channel, then the data on others.
  private func chain(_ arrival: Arrival) -> [(Int64, Piece.Part)] {
    let data = arrival.advertisement.data
    let set = (sid: UInt8(2), id: UInt16(arrival.sender & 0xFFF))
    var pdus = [Air.extended(set: set, pointer: Air.AuxPointer(channel: 8))]
    for cut in Self.cuts(data) {
      let pointer = cut.upperBound < data.count ? Air.AuxPointer(channel: 21) : nil
      pdus.append(
        cut.lowerBound == 0
          ? Air.extended(
            arrival.advertisement.address, set: set, pointer: pointer, txPower: 4,
            Array(data[cut]))
          : Air.extended(set: set, pointer: pointer, Array(data[cut])))
    }
    return pdus.enumerated().map { number, pdu in
      let header = AirLink.Header(
        channel: [37, 8, 21][min(number, 2)], rssi: arrival.rssi,
        packet: [.primary, .auxiliary, .chained][min(number, 2)])
      return (
        arrival.time + Int64(number) * Self.gap, .air(header, Air.packet(pdu))
      )
    }
  }

  /// The auxiliary packet alone: sniffers follow one of two PHYs.
  private func coded(_ arrival: Arrival) -> [(Int64, Piece.Part)] {
    let pdu = Air.extended(
      arrival.advertisement.address, set: (3, UInt16(arrival.sender & 0xFFF)),
      arrival.advertisement.data)
    let header = AirLink.Header(channel: 30, rssi: arrival.rssi, phy: 2, packet: .auxiliary)
    return [(arrival.time, .air(header, Air.packet(pdu, codingIndicator: 0)))]
  }

  /// Puts a part into the capture. Returns the sighting's fate once the last part is out.
  mutating func put(
    _ part: Piece.Part, of arrival: Int, number: Int, count: Int, at time: Int64,
    _ outbox: inout Outbox
  ) throws {
    let fate: Recorder.Fate?
    // Time, frame and channel are those of the first packet with data.
    var beginning = 0
    switch (part, reception) {
    case (.report(let report), _): fate = try put(HCI.extendedReport(report), at: time)
    case (.air(let header, let packet), .air(let framing)):
      fate = try put(packet, header, framing, at: time, standsAlone: false)
      beginning = count > 1 ? 1 : 0
    case (.air, .hci): fate = nil
    }
    if number == beginning, let fate { outbox.begin(arrival, fate) }
    guard number == count - 1, let (arrival, fate) = outbox.end(arrival) else { return }
    let whole = Recorder.Fate(frame: fate.frame, time: fate.time, reports: 1, note: nil)
    tell(arrival, whole, index: 0, channel: channel(arrival), phy: phy(arrival))
  }

  private func channel(_ arrival: Arrival) -> UInt8 {
    guard case .air(let framing) = reception else { return 255 }
    return Self.told(arrival.advertisement.form == .coded ? 30 : 8, framing)
  }

  private func phy(_ arrival: Arrival) -> PHY {
    if arrival.advertisement.form == .coded { return .coded }
    if case .air(let framing) = reception, !framing.tellsPHY { return .unknown }
    return .le1M
  }
}
