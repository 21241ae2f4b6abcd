import CaptureReader

extension FrameDecoder {
  /// Takes one extended PDU: hands it on, keeps it for the rest of its chain, or completes one.
  /// - Parameter length: how long it takes, nanoseconds.
  mutating func chain(
    _ report: AdvertisingReport, _ bytes: RawSpan, _ pointer: UInt32?, _ kind: AuxKind,
    length: Int64, _ observer: Int
  ) {
    var next = pointer.flatMap { AuxPointer($0, from: report.time, length: length) }
    // Without id and set, channel and time have to tell what goes on with it.
    if report.sid == 255, report.channel == 255 || next?.channel == 255 || !report.time.isKnown {
      next = nil
    }
    // AUX_CHAIN_IND has no address, whatever a sniffer takes it for.
    let kind = kind == .chained && report.address.kind != .none ? .unknown : kind
    let isPrimary =
      report.channel == 255
      ? bytes.byteCount == 0 && pointer != nil && kind == .unknown : report.channel >= 37
    if isPrimary {
      guard let next else { return deliver(report) }
      return point(report, bytes, next, observer: observer)
    }
    if let place = observers[observer].chains.find(report, kind, length: length) {
      return continueChain(place, report, bytes, next, observer: observer)
    }
    if kind == .chained || observers[observer].chains.isLate(report) {
      return beginHeadless(report, next, observer: observer)
    }
    guard let next else { return deliver(report) }
    let place = beginChain(report, bytes, next, observer: observer)
    observers[observer].chains.chains[place].isBegun = true
    observers[observer].chains.chains[place].hasData = true
  }

  /// A packet on an advertising channel. The three of an event point to the same one, and are one advertisement with
  /// it.
  private mutating func point(
    _ report: AdvertisingReport, _ bytes: RawSpan, _ next: AuxPointer, observer: Int
  ) {
    if bytes.byteCount == 0, let place = observers[observer].chains.findPointer(report, next) {
      observers[observer].chains.chains[place].next = next
      if report.address.kind != .none {
        observers[observer].chains.chains[place].report = report
      }
      return
    }
    // A new round: where no time ends what the last one left open, this does.
    for place in observers[observer].chains.timeless(report) {
      endChain(place, observer: observer, .chainUnfinished, at: report.frame)
    }
    let place = beginChain(report, bytes, next, observer: observer)
    observers[observer].chains.chains[place].hasData = bytes.byteCount > 0
  }

  private mutating func beginChain(
    _ report: AdvertisingReport, _ bytes: RawSpan, _ next: AuxPointer, observer: Int
  ) -> Int {
    let place = observers[observer].chains.free ?? makeRoom(observer: observer, at: report.frame)
    observers[observer].chains.begin(report, next, at: place)
    observers[observer].chains.append(bytes, to: place)
    return place
  }

  /// Ends the oldest one, whose place is free then.
  private mutating func makeRoom(observer: Int, at frame: Int) -> Int {
    let chains = observers[observer].chains.chains
    let oldest =
      chains.indices.min { chains[$0].report.frame < chains[$1].report.frame } ?? 0
    endChain(oldest, observer: observer, .chainUnfinished, at: frame)
    return oldest
  }

  /// The middle of an advertisement, whose beginning was not heard: there was one, and nothing in it can be read.
  private mutating func beginHeadless(
    _ report: AdvertisingReport, _ next: AuxPointer?, observer: Int
  ) {
    var report = report
    report.count = 0
    report.dataStatus = .truncated
    mark(&report, .chainStartMissing)
    guard let next else { return deliver(report) }
    let place = beginChain(report, RawSpan(), next, observer: observer)
    observers[observer].chains.chains[place].isBegun = true
    observers[observer].chains.chains[place].hasData = true
    observers[observer].chains.chains[place].isHeadless = true
  }

  private mutating func continueChain(
    _ place: Int, _ report: AdvertisingReport, _ bytes: RawSpan, _ next: AuxPointer?,
    observer: Int
  ) {
    // Fields, not the chain: a copy at hand would make every append below copy its data.
    if let next { observers[observer].chains.chains[place].next = next }
    observers[observer].chains.chains[place].isBegun = true
    guard observers[observer].chains.chains[place].hasData else {
      return startData(place, report, bytes, isLast: next == nil, observer: observer)
    }
    let count = observers[observer].chains.chains[place].data.count
    if count + bytes.byteCount > FragmentStore.longest {
      endChain(place, observer: observer, .chainTooLong, at: report.frame)
      return beginHeadless(report, next, observer: observer)
    }
    if !observers[observer].chains.chains[place].isHeadless {
      observers[observer].chains.append(bytes, to: place)
    }
    if options.keepsParts {
      wait(report.frame, for: observers[observer].chains.chains[place].report)
    }
    observers[observer].chains.chains[place].report.warnings.formUnion(report.warnings)
    if next == nil { endChain(place, observer: observer, [], at: report.frame) }
  }

  /// The pointer leads here; only its address may be worth keeping.
  private mutating func startData(
    _ place: Int, _ report: AdvertisingReport, _ bytes: RawSpan, isLast: Bool, observer: Int
  ) {
    var start = report
    if start.address.kind == .none {
      let pointer = observers[observer].chains.chains[place].report
      start.address = pointer.address
      // What gives the address is a part, too.
      if options.keepsParts, pointer.address.kind != .none { wait(pointer.frame, for: start) }
    }
    guard !isLast else {
      observers[observer].chains.end(place)
      if options.keepsParts { noteParts(of: start) }
      return deliver(start)
    }
    observers[observer].chains.chains[place].report = start
    observers[observer].chains.chains[place].hasData = true
    observers[observer].chains.append(bytes, to: place)
  }

  /// Hands on what a chain has. A pointer that led nowhere held no data: that is an ordinary loss.
  /// - Parameter frame: with which.
  private mutating func endChain(
    _ place: Int, observer: Int, _ warning: FrameWarnings, at frame: Int
  ) {
    let chain = observers[observer].chains.chains[place]
    observers[observer].chains.end(place)
    var report = chain.report
    join(&report, chain.data)
    if options.keepsParts { noteParts(of: report) }
    if chain.hasData && !chain.isHeadless && !warning.isEmpty {
      report.warnings.insert(warning)
      report.dataStatus = .more
      tally.warn(warning, frame: report.frame)
    }
    deliver(report, at: frame)
  }

  /// Ends chains whose next packet would have come, or of a time before the clock was set back: with any packet, so that
  /// what they held is told when it is due.
  /// - Parameter record: with which: it comes before whatever that one says.
  mutating func expireChains(before record: borrowing CaptureRecord, observer: Int) {
    guard observers[observer].chains.areOpen else { return }
    let time = record.time
    for place in observers[observer].chains.chains.indices
    where observers[observer].chains.chains[place].isUsed {
      let next = observers[observer].chains.chains[place].next
      if (next.isOver(time) ?? 0) > AuxChains.far || next.isFarOff(time) {
        endChain(place, observer: observer, .chainUnfinished, at: record.frame - 1)
      }
    }
  }

  mutating func flushChains(observer: Int, at frame: Int) {
    for place in observers[observer].chains.chains.indices
    where observers[observer].chains.chains[place].isUsed {
      endChain(place, observer: observer, .chainUnfinished, at: frame)
    }
  }
}
