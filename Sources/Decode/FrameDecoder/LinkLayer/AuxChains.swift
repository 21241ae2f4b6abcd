import CaptureReader

/// Extended advertising on the air comes as a chain: ADV_EXT_IND points to AUX_ADV_IND, that to AUX_CHAIN_IND, and so
/// on. Joined by what each says of the next one: its channel, and when it comes; and by advertising data id and set,
/// and the address where given. These alone (PROTOCOLS.md 2.1) do not do: devices with the same firmware count ids
/// alike, and of three packets the one in the middle may be lost.
struct AuxChains: Sendable {
  struct Chain: Sendable {
    /// Where the chain's data began: time, frame, address.
    var report: AdvertisingReport
    var next: AuxPointer
    var data: [UInt8] = []
    /// A packet has come to which another one pointed; before that only those on advertising channels.
    var isBegun = false
    /// A packet with data has come.
    var hasData = false
    /// What it began with was not heard: in the middle of data no structure begins.
    var isHeadless = false
    var isUsed = true
  }
  var chains: [Chain] = []
  private var open = 0
  static let most = 64

  /// So far off a packet may come behind one that goes on at once: more, and it is the one behind a lost one.
  /// Nanoseconds.
  static let near: Int64 = 1_000_000
  /// So far off the one to which a packet on an advertising channel pointed, where it is the only one that may be it:
  /// times may be those of the computer that the sniffer is plugged in.
  static let far: Int64 = 20_000_000

  /// The chain that a packet behind the first goes on with.
  ///
  /// Of several it is one to which it came in time, then one of its very own address, then the one that it fits
  /// best, then that which began last.
  func find(_ report: AdvertisingReport, _ kind: AuxKind, length: Int64) -> Int? {
    guard kind != .response else { return nil }
    var found: (place: Int, rank: (Int, Int, Int64, Int))?
    for place in chains.indices where chains[place].isUsed {
      let chain = chains[place]
      guard Self.goesOn(chain, report) else { continue }
      let miss = chain.next.miss(report.time, length: length) ?? 0
      // That it goes on with something is what the sniffer guesses: where another one pointed just there, it does not.
      guard miss <= (chain.isBegun || kind == .chained ? Self.near : Self.far) else { continue }
      let isOfSame = report.address.kind != .none && chain.report.address == report.address
      let rank = (miss <= Self.near ? 1 : 0, isOfSame ? 1 : 0, -miss, chain.report.frame)
      if let known = found, known.rank > rank { continue }
      found = (place, rank)
    }
    return found?.place
  }

  /// Whether a packet may be the one that a chain waits for, whenever it comes.
  private static func goesOn(_ chain: Chain, _ report: AdvertisingReport) -> Bool {
    let areChannelsKnown = report.channel != 255 && chain.next.channel != 255
    guard !areChannelsKnown || report.channel == chain.next.channel else { return false }
    if report.sid == 255 {
      // Without id and set, which packets behind the first may leave out, channel and time have to tell.
      guard areChannelsKnown, chain.next.hasTimes, report.time.isKnown,
        chain.isBegun || chain.report.sid == 255
      else { return false }
    } else if !chain.report.isOfSet(of: report) {
      return false
    }
    // AUX_CHAIN_IND has no address.
    return chain.isBegun ? report.address.kind == .none : chain.report.agrees(with: report)
  }

  /// The latest pointer to the same packet.
  func findPointer(_ report: AdvertisingReport, _ next: AuxPointer) -> Int? {
    chains.indices.filter {
      chains[$0].isUsed && !chains[$0].hasData && chains[$0].report.isOfSet(of: report)
        && chains[$0].report.agrees(with: report)
        && chains[$0].next.agrees(with: next, within: Self.far)
    }.max { chains[$0].report.frame < chains[$1].report.frame }
  }

  /// Chains of the set that no time ends.
  func timeless(_ report: AdvertisingReport) -> [Int] {
    chains.indices.filter {
      chains[$0].isUsed && !(chains[$0].next.hasTimes && report.time.isKnown)
        && chains[$0].report.isOfSet(of: report) && chains[$0].report.agrees(with: report)
    }
  }

  /// Whether a packet without an address goes on with an advertisement, but not with where that was left: what lies
  /// between was not heard.
  func isLate(_ report: AdvertisingReport) -> Bool {
    report.address.kind == .none && report.sid != 255
      && chains.contains {
        $0.isUsed && $0.isBegun && $0.report.isOfSet(of: report)
          && ($0.next.isOver(report.time) ?? 0) > Self.near
      }
  }

  /// Where a chain may begin; nil where there are as many as are kept.
  var free: Int? {
    chains.firstIndex { !$0.isUsed } ?? (chains.count < Self.most ? chains.count : nil)
  }

  var areOpen: Bool { open > 0 }

  mutating func end(_ place: Int) {
    chains[place].isUsed = false
    open -= 1
  }

  mutating func begin(_ report: AdvertisingReport, _ next: AuxPointer, at place: Int) {
    open += 1
    if place == chains.count { return chains.append(Chain(report: report, next: next)) }
    chains[place].report = report
    chains[place].next = next
    chains[place].data.removeAll(keepingCapacity: true)
    chains[place].isBegun = false
    chains[place].hasData = false
    chains[place].isHeadless = false
    chains[place].isUsed = true
  }

  mutating func append(_ bytes: RawSpan, to place: Int) {
    // Taken out, so that it is not copied.
    var data = chains[place].data
    chains[place].data = []
    data.append(copying: bytes)
    chains[place].data = data
  }
}

extension AdvertisingReport {
  fileprivate func isOfSet(of other: AdvertisingReport) -> Bool {
    dataID == other.dataID && sid == other.sid
  }

  fileprivate func agrees(with other: AdvertisingReport) -> Bool {
    address == other.address || address.kind == .none || other.address.kind == .none
  }
}
