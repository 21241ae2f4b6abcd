public import BeaconKeys
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
  /// Fields of the custom beacons of the last batch; `Sighting.extra` says whose.
  public internal(set) var customFields: [CustomFields] = []
  /// Reports of the last batch on which somebody's own decoder failed, once for each time.
  var undecoded: [UndecodedReport] = []
  /// Decoders that failed on the report under way.
  var failed: [Int] = []
  /// Those of which it has been noted that they are switched off.
  var decodersOff: Set<Int> = []

  /// About the report under way.
  public internal(set) var labels = AdvertiserLabels.none
  public private(set) var layoutCompany: UInt16 = 0
  public private(set) var reason: BeaconReason?
  private var loose = BeaconWarnings.none
  private var firstOfReport = 0
  /// Where in the advertising data the changing bytes of the last service data would begin.
  private var changesAt = 0
  private var isListed = false
  private var hasEddystone = false
  private var odd = FrameWarnings.none
  let custom: CustomDecoders?
  /// Whether somebody may be asked who is no format.
  private let asks: Bool
  private var keyed: KeyedDecoding?
  /// Whether more than the report decided what it came to: a decoder of somebody's own, or what was heard
  /// before.
  var isUndecided = false
  /// Whether the structure under way claims to be a beacon and is none.
  var isRefused = false

  /// - Parameters:
  ///   - custom: decodes what no format here claims.
  ///   - keys: of beacons whose identifiers change.
  public init(custom: (any CustomDecoding)? = nil, keys: KeyRing? = nil) {
    keyed = keys.map(KeyedDecoding.init)
    self.custom = custom.map(CustomDecoders.init)
    asks = custom != nil || keys != nil
  }

  /// Decodes a batch; `sightings` then holds what it gave.
  /// - Parameters:
  ///   - bytes: what the reports' `start` counts in.
  ///   - joined: what it counts in where a report was put together from several frames.
  public mutating func decode(
    _ reports: Span<AdvertisingReport>, _ bytes: RawSpan, joined: [UInt8]
  ) {
    beginBatch()
    append(reports, bytes, joined: joined)
  }

  mutating func beginBatch() {
    sightings.removeAll()
    customFields.removeAll(keepingCapacity: true)
    if !undecoded.isEmpty { undecoded.removeAll(keepingCapacity: true) }
  }

  /// Decodes reports behind those of the batch so far.
  mutating func append(
    _ reports: Span<AdvertisingReport>, _ bytes: RawSpan, joined: [UInt8]
  ) {
    for index in reports.indices {
      let start = Int(reports[index].start)
      let end = start &+ Int(reports[index].count)
      if reports[index].isJoined {
        let whole = reports[index]
        joined.withRawSpan { decode(whole, $0.extracting(start..<end)) }
      } else {
        decode(reports[index], bytes.extracting(start..<end))
      }
    }
  }

  /// What the report just decoded came to, if its bytes and its sender alone decided it: decoders of
  /// somebody's own see every report, and identifiers that are of nobody may be of somebody later.
  /// - Parameters:
  ///   - first: number of sightings before it.
  ///   - wanted: whose sightings come whole each time.
  func known(_ report: AdvertisingReport, since first: Int, _ wanted: TransmitterFilter?)
    -> (entry: ReportMemory.Entry, detail: ReportMemory.Detail)?
  {
    guard sightings.count - first <= 1, !report.isJoined, report.warnings.isEmpty, !isUndecided
    else { return nil }
    let hasSighting = first < sightings.count
    var detail = ReportMemory.Detail(
      sighting: hasSighting ? sightings[first] : Sighting(of: report, BeaconKind(rawValue: 0)))
    detail.hasSighting = hasSighting
    detail.labels = labels
    detail.layoutCompany = layoutCompany
    detail.reason = reason
    detail.sighting.frameWarnings = odd
    detail.sighting.warnings.formUnion(loose)
    var entry = ReportMemory.Entry()
    if hasSighting {
      entry.value = detail.sighting.transmitter
      entry.traits = ReportMemory.Entry.hasSighting
      detail.changing = UInt8(BeaconFormats.changingBytes(detail.sighting.kind))
      if detail.changing > 0 {
        detail.changesAt = UInt8(truncatingIfNeeded: changesAt)
      }
      detail.sighting.isRepeat = detail.changing == 0
      detail.comesWhole =
        detail.changing > 0
        || wanted?.takes(report.address, identities[detail.sighting.identity], identities) == true
    }
    let countsMore =
      !hasSighting || reason != nil || !labels.isEmpty || !odd.isEmpty
      || !detail.sighting.warnings.isEmpty
    if countsMore { entry.traits |= ReportMemory.Entry.countsMore }
    if hasSighting && (detail.comesWhole || countsMore) {
      entry.traits |= ReportMemory.Entry.needsMore
    }
    return (entry, detail)
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
    odd.formUnion(asks ? walkAsking(data, report) : walk(data, report))
    conclude(report)
  }

  /// Takes every structure of a report's data. Returns what is odd about their order.
  @inline(__always)
  private mutating func walk(
    _ data: RawSpan, _ report: borrowing AdvertisingReport
  ) -> FrameWarnings {
    var walker = ADWalker()
    while walker.next(data) { take(walker, data, report) }
    return walker.warnings
  }

  /// The AD structure that the walker has found.
  @inline(__always)
  mutating func take(
    _ walker: ADWalker, _ data: RawSpan, _ report: borrowing AdvertisingReport
  ) {
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
        let before = sightings.count
        serviceData(structure, report)
        // Behind the UUID, the type and the version: all service data with changing bytes is laid out so.
        if sightings.count > before { changesAt = walker.start &+ 4 }
      }
    case ADType.incompleteServices16.rawValue, ADType.completeServices16.rawValue:
      services(structure)
    default: break
    }
  }

  @inline(__always)
  private mutating func manufacturerData(_ data: RawSpan, _ report: borrowing AdvertisingReport) {
    switch BeaconFormats.ManufacturerData.decode(data, report, &identities) {
    case .beacon(let draft):
      keep(draft, report)
      if draft.identity.kind == .iBeacon && data.byteCount > IBeacon.length {
        appleElements(data, from: IBeacon.length, report, afterBeacon: true)
      }
    case .rejected(let reason): reject(reason)
    case .notMine:
      if data.le16(0) == IBeacon.apple {
        appleElements(data, from: 2, report, afterBeacon: false)
      } else {
        labels.formUnion(AdvertiserLabels.manufacturer(data))
        if labels.contains(.iBeaconLayout) { layoutCompany = data.le16(0) }
      }
    }
  }

  @inline(__always)
  private mutating func serviceData(_ data: RawSpan, _ report: borrowing AdvertisingReport) {
    switch BeaconFormats.ServiceData.decode(data, report, &identities) {
    case .beacon(var draft):
      if data.le16(0) == Eddystone.uuid {
        hasEddystone = true
        if keyed?.take(&draft, report, &identities) == true { isUndecided = true }
      }
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

  /// Whether somebody said whose an address is (`NamedDevice`): then no key has to prove it.
  public func isNamed(_ address: DeviceAddress) -> Bool { keyed?.isNamed(address) == true }

  /// The device whose address the report has, if one is known: a sighting of its own, before those of what it
  /// sends.
  mutating func keepDevice(_ report: borrowing AdvertisingReport) {
    guard let device = keyed?.device(report.address) else { return }
    keep(BeaconDraft(identity: device), report)
    identities.note(device: identities.intern(device), at: report.address)
  }

  /// When identifiers of beacons with keys were heard; nil where nobody has any.
  public var identifiers: IdentifierLog? { keyed?.identifiers }

  mutating func reject(_ reason: BeaconReason) {
    isRefused = true
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
      tally.note(all, odd, reason, of: report.address, frame: report.frame)
    }
    let isOther = sightings.count == firstOfReport
    if isOther { tally.others += 1 }
    if labels.isEmpty {
      if isOther { tally.unlabelled += 1 }
    } else {
      tally.label(labels, company: layoutCompany)
    }
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
  /// The same by who sent them.
  public var refused = RefusedPayloads()
  /// Reports by bit of `AdvertiserLabels`.
  public var labels = [Int](repeating: 0, count: AdvertiserLabels.names.count)
  /// Reports with iBeacon's layout, by the other company.
  public var layoutCompanies: [UInt16: Int] = [:]
  /// Reports that are neither a beacon nor labelled.
  public var unlabelled = 0
  /// Reports without a beacon; one may have several labels, and those with a beacon may have one.
  public var others = 0

  public init() {}

  mutating func note(
    _ warnings: BeaconWarnings, _ frameWarnings: FrameWarnings, _ reason: BeaconReason?,
    of address: DeviceAddress, frame: Int
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
    if let reason {
      reasons[Int(reason.rawValue)].add(frame)
      refused.note(address, reason, frame: frame)
    }
  }

  @inline(__always)
  mutating func label(_ set: AdvertiserLabels, company: UInt16, times: Int = 1) {
    var bits = set.rawValue
    while bits != 0 {
      labels[bits.trailingZeroBitCount] += times
      bits &= bits - 1
    }
    if set.contains(.iBeaconLayout) { layoutCompanies[company, default: 0] += times }
  }

  /// Counts a report again that was counted when it was decoded: the first frames are known.
  mutating func `repeat`(_ known: ReportMemory.Detail, times: Int) {
    var bits = known.sighting.warnings.rawValue
    while bits != 0 {
      warnings[bits.trailingZeroBitCount].count += times
      bits &= bits - 1
    }
    var frameBits = known.sighting.frameWarnings.rawValue
    while frameBits != 0 {
      frameWarnings[frameBits.trailingZeroBitCount].count += times
      frameBits &= frameBits - 1
    }
    if let reason = known.reason, times > 0 {
      reasons[Int(reason.rawValue)].count += times
      refused.repeat(known.sighting.address, reason, times: times)
    }
    if !known.hasSighting { others += times }
    if !known.labels.isEmpty {
      label(known.labels, company: known.layoutCompany, times: times)
    } else if !known.hasSighting {
      unlabelled += times
    }
  }
}
