import CaptureReader

/// Extended advertising on the air comes as a chain: ADV_EXT_IND points to AUX_ADV_IND, that to
/// AUX_CHAIN_IND, and so on. Joined by advertising data id and set, and the address where given.
struct AuxChains: Sendable {
  struct Chain: Sendable {
    /// Where the chain's data began: time, frame, address.
    var report: AdvertisingReport
    var data: [UInt8] = []
    /// A packet with data has come; before that only a pointer to one.
    var hasData = false
    var isUsed = true
  }
  var chains: [Chain] = []
  static let most = 64
  /// An AuxPtr reaches 8191 · 300 µs ahead, 2.46 s; what comes later belongs to another chain.
  static let reach: Int64 = 2_460_000_000
}

extension FrameDecoder {
  /// Takes one extended PDU: hands it on, keeps it for the rest of its chain, or completes one.
  mutating func chain(
    _ report: AdvertisingReport, _ bytes: RawSpan, _ pointer: UInt32?, _ hasDataID: Bool,
    _ observer: Int
  ) {
    guard hasDataID else { return deliver(report) }
    expireChains(before: report.time, observer: observer)
    let isPrimary =
      report.channel == 255 ? bytes.byteCount == 0 && pointer != nil : report.channel >= 37
    if let place = findChain(report, observer: observer) {
      if !isPrimary {
        return continueChain(place, report, bytes, more: pointer != nil, observer: observer)
      }
      // A new round of the same set: what the last one left open ends here.
      endChain(place, observer: observer, .chainUnfinished)
    }
    guard pointer != nil else { return deliver(report) }
    beginChain(report, bytes, isPrimary: isPrimary, observer: observer)
  }

  /// Of several that it may belong to (two advertisers had one id and set by chance, and their packets give no
  /// address) one of the very same address, then the one that began last: what follows comes soon, and of an older
  /// one the rest was lost.
  private func findChain(_ report: AdvertisingReport, observer: Int) -> Int? {
    let chains = observers[observer].chains.chains
    var found: Int?
    for place in chains.indices
    where chains[place].isUsed && chains[place].report.dataID == report.dataID
      && chains[place].report.sid == report.sid
      && (chains[place].report.address == report.address
        || chains[place].report.address.kind == .none || report.address.kind == .none)
    {
      func rank(_ place: Int) -> (Int, Int) {
        (chains[place].report.address == report.address ? 1 : 0, chains[place].report.frame)
      }
      if let known = found, rank(known) > rank(place) { continue }
      found = place
    }
    return found
  }

  private mutating func beginChain(
    _ report: AdvertisingReport, _ bytes: RawSpan, isPrimary: Bool, observer: Int
  ) {
    let chains = observers[observer].chains.chains
    var place = chains.firstIndex { !$0.isUsed } ?? chains.count
    if place == AuxChains.most {
      place = chains.indices.min { chains[$0].report.frame < chains[$1].report.frame } ?? 0
      endChain(place, observer: observer, .chainUnfinished)
    }
    if place == chains.count {
      observers[observer].chains.chains.append(AuxChains.Chain(report: report))
    } else {
      observers[observer].chains.chains[place].report = report
      observers[observer].chains.chains[place].data.removeAll(keepingCapacity: true)
      observers[observer].chains.chains[place].isUsed = true
    }
    observers[observer].chains.chains[place].hasData = !isPrimary || bytes.byteCount > 0
    append(bytes, to: place, observer: observer)
  }

  private mutating func continueChain(
    _ place: Int, _ report: AdvertisingReport, _ bytes: RawSpan, more: Bool, observer: Int
  ) {
    // Fields, not the chain: a copy at hand would make every append below copy its data.
    if !observers[observer].chains.chains[place].hasData {
      // The pointer leads here; only its address may be worth keeping.
      var start = report
      if start.address.kind == .none {
        let pointer = observers[observer].chains.chains[place].report
        start.address = pointer.address
        // What gives the address is a part, too.
        if options.keepsParts, pointer.address.kind != .none { wait(pointer.frame, for: start) }
      }
      if !more {
        observers[observer].chains.chains[place].isUsed = false
        if options.keepsParts { noteParts(of: start) }
        return deliver(start)
      }
      observers[observer].chains.chains[place].report = start
      observers[observer].chains.chains[place].hasData = true
      return append(bytes, to: place, observer: observer)
    }
    let count = observers[observer].chains.chains[place].data.count
    if count + bytes.byteCount > FragmentStore.longest {
      endChain(place, observer: observer, .chainTooLong)
      return deliver(report)
    }
    append(bytes, to: place, observer: observer)
    if options.keepsParts {
      wait(report.frame, for: observers[observer].chains.chains[place].report)
    }
    observers[observer].chains.chains[place].report.rssi = report.rssi
    observers[observer].chains.chains[place].report.warnings.formUnion(report.warnings)
    if !more { endChain(place, observer: observer, []) }
  }

  private mutating func append(_ bytes: RawSpan, to place: Int, observer: Int) {
    var data = observers[observer].chains.chains[place].data
    observers[observer].chains.chains[place].data = []
    for at in 0..<bytes.byteCount { data.append(bytes.u8(at)) }
    observers[observer].chains.chains[place].data = data
  }

  /// Hands on what a chain has. A pointer that led nowhere held no data: that is an ordinary loss.
  private mutating func endChain(_ place: Int, observer: Int, _ warning: FrameWarnings) {
    let chain = observers[observer].chains.chains[place]
    observers[observer].chains.chains[place].isUsed = false
    var report = chain.report
    join(&report, chain.data)
    if options.keepsParts { noteParts(of: report) }
    if chain.hasData && !warning.isEmpty {
      report.warnings.insert(warning)
      report.dataStatus = .more
      tally.warn(warning, frame: report.frame)
    }
    deliver(report)
  }

  private mutating func expireChains(before time: Timestamp, observer: Int) {
    guard time.isKnown else { return }
    for place in observers[observer].chains.chains.indices {
      let chain = observers[observer].chains.chains[place]
      guard chain.isUsed, chain.report.time.isKnown else { continue }
      let age = time.nanoseconds.subtractingReportingOverflow(chain.report.time.nanoseconds)
      if age.overflow || age.partialValue > AuxChains.reach {
        endChain(place, observer: observer, .chainUnfinished)
      }
    }
  }

  mutating func flushChains(observer: Int) {
    for place in observers[observer].chains.chains.indices
    where observers[observer].chains.chains[place].isUsed {
      endChain(place, observer: observer, .chainUnfinished)
    }
  }
}
