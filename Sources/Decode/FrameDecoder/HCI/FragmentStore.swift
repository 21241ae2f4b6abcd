import CaptureReader

/// Advertisements of which fragments have come and more are to come. Its buffers are used again.
struct FragmentStore: Sendable {
  struct Slot: Sendable {
    var report: AdvertisingReport
    var data: [UInt8]
    var isUsed: Bool
  }

  /// The most an advertisement may carry (Bluetooth Core 5: 1650 bytes).
  static let longest = 1650
  /// Advertisers that a controller keeps apart at once are few; more means that ends were missed.
  static let most = 64

  private(set) var slots: [Slot] = []
  private(set) var used = 0

  var isEmpty: Bool { used == 0 }
  var isFull: Bool { used == Self.most }

  func find(_ report: AdvertisingReport) -> Int? {
    slots.firstIndex {
      $0.isUsed && $0.report.address == report.address && $0.report.sid == report.sid
        && $0.report.source == report.source
        // Periodic trains are told apart by their handles: of one whose beginning was not captured
        // nothing else is known.
        && ($0.report.source != .periodic || $0.report.eventType == report.eventType)
    }
  }

  /// Index of a slot for a new chain; nil where all are taken.
  mutating func begin(_ report: AdvertisingReport) -> Int? {
    let index: Int
    if let free = slots.firstIndex(where: { !$0.isUsed }) {
      index = free
    } else if slots.count < Self.most {
      slots.append(Slot(report: report, data: [], isUsed: false))
      index = slots.count - 1
    } else {
      return nil
    }
    slots[index].report = report
    slots[index].data.removeAll(keepingCapacity: true)
    slots[index].isUsed = true
    used += 1
    return index
  }

  mutating func append(_ bytes: RawSpan, to index: Int) {
    // Taken out and put back, so that it is not copied.
    var data = slots[index].data
    slots[index].data = []
    data.append(copying: bytes)
    slots[index].data = data
  }

  /// The last fragment decides these; time and frame stay those of the first.
  mutating func update(_ index: Int, from last: AdvertisingReport) {
    slots[index].report.rssi = last.rssi
    slots[index].report.dataStatus = last.dataStatus
    slots[index].report.warnings.formUnion(last.warnings)
  }

  mutating func end(_ index: Int) {
    slots[index].isUsed = false
    used -= 1
  }

  /// The chain that has waited longest.
  var oldest: Int? {
    slots.indices.filter { slots[$0].isUsed }.min {
      slots[$0].report.frame < slots[$1].report.frame
    }
  }
}

extension FrameDecoder {
  /// Appends while more is to come, hands on when complete, and never keeps more than 1650 bytes.
  mutating func reassemble(_ report: AdvertisingReport, _ bytes: RawSpan, observer: Int) {
    let found = observers[observer].fragments.find(report)
    if found == nil && report.dataStatus != .more {
      var single = report
      if single.dataStatus == .truncated { mark(&single, .dataTruncatedByController) }
      deliver(single)
      return
    }
    var place = found
    if let index = found,
      observers[observer].fragments.slots[index].data.count + bytes.byteCount
        > FragmentStore.longest
    {
      flushFragment(index, observer: observer, .chainTooLong, at: report.frame)
      place = nil
    }
    guard let index = place ?? beginFragment(report, observer: observer) else { return }
    observers[observer].fragments.append(bytes, to: index)
    observers[observer].fragments.update(index, from: report)
    if options.keepsParts {
      wait(report.frame, for: observers[observer].fragments.slots[index].report)
    }
    switch report.dataStatus {
    case .more: break
    case .truncated:
      flushFragment(index, observer: observer, .dataTruncatedByController, at: report.frame)
    case .complete, .reserved: flushFragment(index, observer: observer, [], at: report.frame)
    }
  }

  private mutating func beginFragment(_ report: AdvertisingReport, observer: Int) -> Int? {
    if observers[observer].fragments.isFull, let oldest = observers[observer].fragments.oldest {
      flushFragment(oldest, observer: observer, .chainUnfinished, at: report.frame)
    }
    guard let index = observers[observer].fragments.begin(report) else { return nil }
    fragmentsWaiting += 1
    return index
  }

  /// - Parameter frame: of the record under way.
  private mutating func flushFragment(
    _ index: Int, observer: Int, _ warning: FrameWarnings, at frame: Int
  ) {
    let slot = observers[observer].fragments.slots[index]
    observers[observer].fragments.end(index)
    fragmentsWaiting -= 1
    var report = slot.report
    join(&report, slot.data)
    if options.keepsParts { noteParts(of: report) }
    if warning == .chainUnfinished {
      report.warnings.insert(warning)
      tally.warn(warning, frame: report.frame)
    } else if !warning.isEmpty {
      mark(&report, warning)
    }
    deliver(report, at: frame)
  }

  /// What no last fragment came for: at a reset, and at the end of the capture.
  mutating func flushFragments(observer: Int, at frame: Int) {
    while let oldest = observers[observer].fragments.oldest {
      flushFragment(oldest, observer: observer, .chainUnfinished, at: frame)
    }
  }

  /// Puts data beside the batch's bytes and makes the report refer to them.
  mutating func join(_ report: inout AdvertisingReport, _ data: [UInt8]) {
    report.start = Int32(joined.count)
    report.count = Int32(data.count)
    report.isJoined = true
    joined.append(contentsOf: data)
  }

  /// A frame is a part of a report that is not complete yet. Only where parts are kept: this stands beside the chains,
  /// which cost nothing more where nobody asks.
  mutating func wait(_ frame: Int, for report: AdvertisingReport) {
    guard frame != report.frame else { return }
    partsWaiting[PartKey(frame: report.frame, index: report.index), default: []].append(frame)
  }

  /// Tells from which frames a report was put together, beside its own.
  mutating func noteParts(of report: AdvertisingReport) {
    let key = PartKey(frame: report.frame, index: report.index)
    for frame in partsWaiting.removeValue(forKey: key) ?? [] {
      parts.append(ReportPart(report: report.frame, frame: frame))
    }
  }

  /// Whether a report that began in a frame is not complete yet.
  public func isUnderWay(_ frame: Int) -> Bool {
    observers.contains { observer in
      observer.fragments.slots.contains { $0.isUsed && $0.report.frame == frame }
        || observer.chains.chains.contains { $0.isUsed && $0.report.frame == frame }
    }
  }

  /// Warns about a report and about the record under way.
  @inline(__always)
  mutating func mark(_ report: inout AdvertisingReport, _ warning: FrameWarnings) {
    report.warnings.insert(warning)
    warnings.insert(warning)
  }
}
