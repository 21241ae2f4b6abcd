public import CaptureReader
public import FrameDecoder

/// Advertising reports → sightings, and labels for whatever else advertises. One decoder serves one
/// capture: identities have numbers of its own.
public struct BeaconDecoder: ~Copyable, Sendable {
  /// The sightings of the last batch.
  public var sightings = Rows<Sighting>(capacity: RecordBatch.capacity)
  public var identities = IdentityTable()
  public var transmitters = TransmitterTable()
  public var tally = BeaconTally()

  /// About the report under way.
  public internal(set) var labels = AdvertiserLabels.none
  public private(set) var layoutCompany: UInt16 = 0
  public private(set) var reason: BeaconReason?
  private var loose = BeaconWarnings.none
  private var firstOfReport = 0
  private var isListed = false
  private var hasEddystone = false
  private var odd = FrameWarnings.none
  private var memory = PayloadMemory()

  public init() {}

  /// Decodes a batch; `sightings` then holds what it gave.
  /// - Parameters:
  ///   - bytes: what the reports' `start` counts in.
  ///   - joined: what it counts in where a report was put together from several frames.
  public mutating func decode(
    _ reports: Span<AdvertisingReport>, _ bytes: RawSpan, joined: [UInt8]
  ) {
    sightings.removeAll()
    for index in reports.indices {
      let start = Int(reports[index].start)
      let end = start &+ Int(reports[index].count)
      if reports[index].isJoined {
        let whole = reports[index]
        joined.withRawSpan { decode(whole, $0.extracting(start..<end)) }
      } else {
        recall(reports[index], bytes.extracting(start..<end))
      }
    }
  }

  /// One report, by way of the payloads seen lately.
  @inline(__always)
  private mutating func recall(_ report: borrowing AdvertisingReport, _ data: RawSpan) {
    guard data.byteCount >= PayloadKey.shortest, data.byteCount <= PayloadKey.longest else {
      return decode(report, data)
    }
    let key = PayloadKey(data, report.address)
    let slot = key.slot
    let observer = report.observer
    if memory.entries[slot].key == key && memory.entries[slot].observer == observer {
      replay(memory.entries[slot], report)
    } else {
      decode(report, data)
      remember(key, slot, report)
    }
  }

  @inline(__always)
  private mutating func replay(
    _ entry: borrowing PayloadMemory.Entry, _ report: borrowing AdvertisingReport
  ) {
    if entry.hasSighting {
      var sighting = entry.sighting
      sighting.time = report.time
      sighting.frame = report.frame
      sighting.index = report.index
      sighting.frameWarnings.formUnion(report.warnings)
      sighting.rssi = report.rssi
      sighting.channel = report.channel
      sighting.phy = report.dataPHY
      sightings.append(sighting)
    }
    if !entry.isPlain { countAgain(entry, report) }
  }

  /// What a payload seen before counts for beside its sighting.
  private mutating func countAgain(
    _ entry: borrowing PayloadMemory.Entry, _ report: borrowing AdvertisingReport
  ) {
    if UInt64(entry.sighting.warnings.rawValue) | entry.sighting.frameWarnings.rawValue != 0 {
      tally.note(
        entry.sighting.warnings, entry.sighting.frameWarnings, nil, frame: report.frame)
    }
    if !entry.labels.isEmpty {
      tally.label(entry.labels, company: entry.layoutCompany)
    } else if !entry.hasSighting {
      tally.unlabelled += 1
    }
  }

  /// Keeps what the report just decoded came to, if its bytes and its sender alone decided it.
  private mutating func remember(
    _ key: PayloadKey, _ slot: Int, _ report: borrowing AdvertisingReport
  ) {
    guard reason == nil, sightings.count - firstOfReport <= 1 else { return }
    var entry: PayloadMemory.Entry
    if firstOfReport < sightings.count {
      entry = PayloadMemory.Entry(sightings[firstOfReport])
      // Telemetry is different each time: it would only push others out.
      guard !BeaconFormats.isTelemetry(entry.sighting.kind) else { return }
      entry.hasSighting = true
    } else {
      entry = PayloadMemory.Entry(Sighting(of: report, BeaconKind(rawValue: 0)))
    }
    entry.key = key
    entry.observer = report.observer
    entry.labels = labels
    entry.layoutCompany = layoutCompany
    // The report's own warnings come with each report.
    entry.sighting.frameWarnings = odd
    entry.sighting.warnings.formUnion(loose)
    entry.isPlain =
      entry.hasSighting && labels.isEmpty && odd.isEmpty && entry.sighting.warnings.isEmpty
    memory.entries[slot] = entry
  }

  /// One report; `data` is its advertising data.
  public mutating func decode(_ report: borrowing AdvertisingReport, _ data: RawSpan) {
    firstOfReport = sightings.count
    labels = .none
    loose = .none
    reason = nil
    isListed = false
    hasEddystone = false
    odd = .none
    var walker = ADWalker()
    while walker.next(data) {
      let structure = data.extracting(walker.start..<(walker.start + walker.count))
      switch walker.type {
      case ADType.manufacturerData.rawValue:
        if structure.byteCount < 2 {
          odd.insert(.manufacturerDataTooShort)
        } else {
          manufacturerData(structure, report)
        }
      case ADType.serviceData16.rawValue:
        if structure.byteCount < 2 {
          odd.insert(.serviceDataTooShort)
        } else {
          serviceData(structure, report)
        }
      case ADType.incompleteServices16.rawValue, ADType.completeServices16.rawValue:
        services(structure)
      default: break
      }
    }
    odd.formUnion(walker.warnings)
    conclude(report)
  }

  @inline(__always)
  private mutating func manufacturerData(_ data: RawSpan, _ report: borrowing AdvertisingReport) {
    switch BeaconFormats.manufacturer(data) {
    case .beacon(let draft):
      keep(draft, report)
      if draft.identity.kind == .iBeacon && data.byteCount > IBeacon.length {
        appleElements(data, from: IBeacon.length, report, afterBeacon: true)
      }
    case .rejected(let reason): reject(reason)
    case .notMine:
      if data.le16(0) == IBeacon.company {
        appleElements(data, from: 2, report, afterBeacon: false)
      } else {
        labels.formUnion(AdvertiserLabels.manufacturer(data))
        if labels.contains(.iBeaconLayout) { layoutCompany = data.le16(0) }
      }
    }
  }

  @inline(__always)
  private mutating func serviceData(_ data: RawSpan, _ report: borrowing AdvertisingReport) {
    switch BeaconFormats.serviceData(data, report, &identities) {
    case .beacon(let draft):
      hasEddystone = true
      keep(draft, report)
    case .rejected(let reason): reject(reason)
    case .notMine:
      labels.formUnion(AdvertiserLabels.service(data))
      if data.le16(0) == 0xFD6F && data.byteCount != 22 { warn(.exposureBadLength) }
    }
  }

  @inline(__always)
  private mutating func services(_ list: RawSpan) {
    var at = 0
    while at + 2 <= list.byteCount {
      let uuid = list.le16(at)
      if uuid == Eddystone.uuid {
        isListed = true
      } else if uuid >= 0xFA00 {
        labels.formUnion(AdvertiserLabels.listed(uuid))
      }
      at += 2
    }
  }

  @inline(__always)
  mutating func keep(_ draft: BeaconDraft, _ report: borrowing AdvertisingReport) {
    var sighting = Sighting(of: report, draft.identity.kind)
    sighting.extra = draft.extra
    sighting.warnings = draft.warnings
    sighting.power = draft.power
    sighting.identity = identities.intern(draft.identity)
    sighting.transmitter = transmitters.intern(
      Transmitter(
        address: report.address, identity: sighting.identity, observer: UInt32(report.observer)))
    sightings.append(sighting)
  }

  mutating func reject(_ reason: BeaconReason) {
    if self.reason == nil { self.reason = reason }
  }

  mutating func warn(_ warning: BeaconWarnings) { loose.insert(warning) }

  /// What was learnt about the report as a whole goes to its sightings and into the tally.
  @inline(__always)
  private mutating func conclude(_ report: borrowing AdvertisingReport) {
    if hasEddystone && !isListed { loose.insert(.eddystoneNotListed) }
    var all = loose
    for index in firstOfReport..<sightings.count {
      if !loose.isEmpty || !odd.isEmpty {
        sightings[index].warnings.formUnion(loose)
        sightings[index].frameWarnings.formUnion(odd)
      }
      all.formUnion(sightings[index].warnings)
    }
    if !all.isEmpty || !odd.isEmpty || reason != nil {
      tally.note(all, odd, reason, frame: report.frame)
    }
    if labels.isEmpty {
      if sightings.count == firstOfReport { tally.unlabelled += 1 }
    } else {
      tally.label(labels, company: layoutCompany)
    }
  }

  /// Warnings about the last report as a whole (for tests of single payloads).
  public var lastWarnings: BeaconWarnings {
    (firstOfReport..<sightings.count).reduce(loose) { $0.union(sightings[$1].warnings) }
  }
}

/// Warnings, refused payloads and labels, counted by report.
public struct BeaconTally: Sendable {
  /// By bit of `BeaconWarnings`.
  public var warnings = [FrameTally.Count](
    repeating: FrameTally.Count(), count: BeaconWarnings.names.count)
  /// By bit of `FrameWarnings`: those found in the advertising data.
  public var frameWarnings = [FrameTally.Count](
    repeating: FrameTally.Count(), count: FrameWarnings.names.count)
  /// By raw value of `BeaconReason`.
  public var reasons = [FrameTally.Count](
    repeating: FrameTally.Count(), count: BeaconReason.names.count)
  /// Reports by bit of `AdvertiserLabels`.
  public var labels = [Int](repeating: 0, count: AdvertiserLabels.names.count)
  /// Reports with iBeacon's layout, by the other company.
  public var layoutCompanies: [UInt16: Int] = [:]
  /// Reports that are neither a beacon nor labelled.
  public var unlabelled = 0

  public init() {}

  mutating func note(
    _ warnings: BeaconWarnings, _ frameWarnings: FrameWarnings, _ reason: BeaconReason?, frame: Int
  ) {
    var bits = warnings.rawValue
    while bits != 0 {
      self.warnings[bits.trailingZeroBitCount].add(frame)
      bits &= bits - 1
    }
    var frameBits = frameWarnings.rawValue
    while frameBits != 0 {
      self.frameWarnings[frameBits.trailingZeroBitCount].add(frame)
      frameBits &= frameBits - 1
    }
    if let reason { reasons[Int(reason.rawValue)].add(frame) }
  }

  @inline(__always)
  mutating func label(_ set: AdvertiserLabels, company: UInt16) {
    var bits = set.rawValue
    while bits != 0 {
      labels[bits.trailingZeroBitCount] += 1
      bits &= bits - 1
    }
    if set.contains(.iBeaconLayout) { layoutCompanies[company, default: 0] += 1 }
  }
}
