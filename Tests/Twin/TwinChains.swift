/// ADV_EXT_IND points to AUX_ADV_IND, that to AUX_CHAIN_IND, and so on: one advertisement.
///
/// A packet is the one that another one promised if it comes on that channel, at that time, with the same data id and
/// set, and from no other address.
struct AuxiliaryChains: Sendable {
  /// Where and when the next one comes.
  struct Promise: Sendable {
    /// Nil for none of the secondary ones.
    let channel: Int?
    /// Nanoseconds; nil where times are not known.
    let window: ClosedRange<Int128>?

    /// Of the packet that promises it, nanoseconds.
    let length: Int128

    /// Bits 0–5 channel, 7 unit (30 or 300 µs), 8–20 offset; of no offset none comes.
    init?(_ field: Int, from time: Int64?, length: Int128) {
      channel = field & 63 < 37 ? field & 63 : nil
      let unit: Int128 = field >> 7 & 1 == 1 ? 300_000 : 30_000
      let offset = Int128(field >> 8 & 0x1FFF) * unit
      if offset == 0 { return nil }
      let drift = offset / 1000
      window = time.flatMap {
        let begin = Int128($0) + offset
        let end = begin + unit + drift
        return end > Int128(Int64.max) ? nil : (begin - drift)...end
      }
      self.length = length
    }

    private func off(_ time: Int128) -> Int128 {
      window.map { max(0, $0.lowerBound - time, time - $0.upperBound) } ?? 0
    }

    /// Stamped at the beginning of packets, or at their ends.
    func miss(_ packet: Packet) -> Int128? {
      guard window != nil, let time = packet.report.nanoseconds else { return nil }
      return min(off(Int128(time)), off(Int128(time) - (packet.length - length)))
    }

    func isOver(_ time: Int64?, by slack: Int128) -> Bool {
      guard let window, let time else { return false }
      return Int128(time) - window.upperBound > slack
    }

    /// The clock was set back.
    func isFarOff(_ time: Int64?) -> Bool { time.map { off(Int128($0)) > 2_460_000_000 } ?? false }
  }

  struct Packet: Sendable {
    var report: TwinReport
    /// DID and SID.
    var id: Int?
    private(set) var next: Promise?
    private let hasPointer: Bool
    /// 1 goes on with another one, 3 answers a request.
    var kind: Int
    /// Nanoseconds on the air.
    var length: Int128

    init(_ report: TwinReport, id: Int?, pointer: Int?, kind: Int, payload: Int) {
      self.report = report
      self.id = id
      // What goes on with something has no address.
      self.kind = kind == 1 && report.address != .none ? 0 : kind
      hasPointer = pointer != nil
      length =
        switch report.phy {
        case 2: 4000 * Int128(2 + 4 + 2 + payload + 3)
        case 3: 1000 * Int128(80 + 256 + 16 + 24 + 8 * 8 * (2 + payload + 3) + 24)
        default: 8000 * Int128(1 + 4 + 2 + payload + 3)
        }
      let (time, length) = (report.nanoseconds, length)
      next = pointer.flatMap { Promise($0, from: time, length: length) }
      if id == nil, report.channel == nil || next?.channel == nil || time == nil { next = nil }
    }

    /// Without a channel: a packet without data that points on is the first of a round.
    var isPrimary: Bool {
      report.channel.map { $0 >= 37 }
        ?? (report.data.isEmpty && hasPointer && kind == 0)
    }
  }

  struct Chain: Sendable {
    let id: Int?
    var report: TwinReport
    var next: Promise
    /// A packet that was pointed to has come.
    var isBegun = false
    /// One with data has come.
    var hasData = false
    /// Its beginning was not heard: nothing in it counts.
    var isHeadless = false

    func agrees(_ other: TwinReport) -> Bool {
      report.address == other.address || report.address == .none || other.address == .none
    }
  }
  private var open: [Chain] = []

  private static let near: Int128 = 1_000_000
  private static let far: Int128 = 20_000_000

  /// What will not go on any more, with any packet.
  mutating func expire(_ time: Int64?) -> [TwinReport] {
    let isOver = { (chain: Chain) in
      chain.next.isOver(time, by: Self.far) || chain.next.isFarOff(time)
    }
    let done = open.filter(isOver).map(\.report)
    open.removeAll(where: isOver)
    return done
  }

  mutating func take(_ packet: Packet) -> [TwinReport] {
    let time = packet.report.nanoseconds
    if packet.isPrimary {
      guard let next = packet.next else { return [packet.report] }
      return point(packet, next)
    }
    if let place = place(packet) { return goOn(place, packet) }
    let isLate = open.contains {
      $0.isBegun && $0.id == packet.id && $0.next.isOver(time, by: Self.near)
    }
    if packet.kind == 1 || isLate && packet.report.address == .none && packet.id != nil {
      return lose(packet)
    }
    guard let next = packet.next else { return [packet.report] }
    return begin(
      Chain(id: packet.id, report: packet.report, next: next, isBegun: true, hasData: true))
  }

  private mutating func point(_ packet: Packet, _ next: Promise) -> [TwinReport] {
    let known = open.indices.filter {
      let chain = open[$0]
      guard !chain.hasData, chain.id == packet.id, chain.agrees(packet.report),
        chain.next.channel == next.channel
      else { return false }
      switch (chain.next.window, next.window) {
      case (nil, nil): return true
      case (let one?, let other?):
        return max(one.lowerBound, other.lowerBound) - min(one.lowerBound, other.lowerBound)
          <= Self.far
      default: return false
      }
    }
    let youngest = known.max { open[$0].report.frame < open[$1].report.frame }
    if packet.report.data.isEmpty, let place = youngest {
      open[place].next = next
      if packet.report.address != .none { open[place].report = packet.report }
      return []
    }
    let timeless = { (chain: Chain) in
      (chain.next.window == nil || packet.report.nanoseconds == nil) && chain.id == packet.id
        && chain.agrees(packet.report)
    }
    let ended = open.filter(timeless).map(\.report)
    open.removeAll(where: timeless)
    return ended
      + begin(
        Chain(
          id: packet.id, report: packet.report, next: next, hasData: !packet.report.data.isEmpty))
  }

  private func place(_ packet: Packet) -> Int? {
    guard packet.kind != 3 else { return nil }
    let report = packet.report
    let fitting = open.indices.filter { place in
      let chain = open[place]
      let areChannelsKnown = report.channel != nil && chain.next.channel != nil
      if areChannelsKnown, report.channel != chain.next.channel { return false }
      let miss = chain.next.miss(packet)
      if let miss, miss > (chain.isBegun || packet.kind == 1 ? Self.near : Self.far) {
        return false
      }
      if packet.id == nil {
        guard areChannelsKnown, miss != nil, chain.isBegun || chain.id == nil else { return false }
      } else if chain.id != packet.id {
        return false
      }
      return chain.isBegun ? report.address == .none : chain.agrees(report)
    }
    return fitting.max { rank($0, packet) < rank($1, packet) }
  }

  private func rank(_ place: Int, _ packet: Packet) -> (Int, Int, Int128, Int) {
    let (report, miss) = (packet.report, open[place].next.miss(packet) ?? 0)
    let isOfSame = report.address != .none && open[place].report.address == report.address
    return (miss <= Self.near ? 1 : 0, isOfSame ? 1 : 0, -miss, open[place].report.frame)
  }

  private mutating func begin(_ chain: Chain) -> [TwinReport] {
    var ended: [TwinReport] = []
    if open.count == 64,
      let oldest = open.indices.min(by: { open[$0].report.frame < open[$1].report.frame })
    {
      ended.append(open.remove(at: oldest).report)
    }
    open.append(chain)
    return ended
  }

  /// Nothing in it can be read.
  private mutating func lose(_ packet: Packet) -> [TwinReport] {
    var report = packet.report
    report.data = []
    guard let next = packet.next else { return [report] }
    return begin(
      Chain(
        id: packet.id, report: report, next: next, isBegun: true, hasData: true, isHeadless: true))
  }

  private mutating func goOn(_ place: Int, _ packet: Packet) -> [TwinReport] {
    var chain = open.remove(at: place)
    if !chain.hasData {
      let address = chain.report.address
      chain.report = packet.report
      if packet.report.address == .none { chain.report.address = address }
    } else if chain.report.data.count + packet.report.data.count > 1650 {
      return [chain.report] + lose(packet)
    } else if !chain.isHeadless {
      chain.report.data += packet.report.data
    }
    chain.isBegun = true
    chain.hasData = true
    guard let next = packet.next else { return [chain.report] }
    chain.next = next
    open.insert(chain, at: place)
    return []
  }

  mutating func flush() -> [TwinReport] {
    defer { open = [] }
    return open.map(\.report)
  }
}
