import CaptureReader
import FrameDecoder

/// HCI records by way of the reports seen lately (`ReportMemory`).
extension CaptureDecoder {
  /// - Parameter skip: bytes before the H4 type.
  mutating func decodeH4(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow, skip: Int
  ) {
    var place = 0
    while place < records.count {
      if records[place].interface != credit.interface {
        giveCredit()
        credit.interface = records[place].interface
        lookAtObserver()
      }
      place = takeKnown(records, from: place, bytes, skip: skip)
      guard place < records.count else { break }
      if records[place].interface != credit.interface { continue }
      if opensSecond(records[place], skip: skip) { continue }
      if !takeUsual(records[place], bytes, skip: skip) {
        giveCredit()
        learn(records.extracting(place..<(place + 1)), bytes, row, skip: skip)
        // Not known where the record is no packet, or where there are too many observers.
        lookAtObserver()
      }
      place += 1
    }
    giveCredit()
  }

  /// Frames of one interface that were taken without the frame decoder, which has yet to account for
  /// them.
  struct Credit: Sendable {
    var interface: UInt16 = 0
    /// Whether the frame decoder has an observer for the interface.
    var isKnown = false
    /// Records from here on open another second.
    var nextTick = Int64.min
    /// The observer's clock, with them; nanoseconds.
    var clock = Int64.min
    /// The same at the observer's latest tick.
    var told = Int64.min
    /// The same when the last of the reports was taken.
    var reportClock = Int64.min
    var events = 0
    var reports = 0
    var others = 0
    /// Of reports.
    var first = Timestamp.none
    var last = Timestamp.none
    /// Of any frame.
    var latest = Timestamp.none
  }

  private mutating func giveCredit() {
    if credit.events > 0 {
      frames.credit(
        reports: credit.reports, events: credit.events, interface: credit.interface,
        from: credit.first, to: credit.last, clock: Timestamp(nanoseconds: credit.reportClock))
    }
    if credit.events + credit.others > 0 {
      frames.credit(
        others: credit.others, interface: credit.interface, last: credit.latest,
        clock: Timestamp(nanoseconds: credit.clock))
    }
    let before = credit
    credit = Credit()
    credit.interface = before.interface
    credit.isKnown = before.isKnown
    credit.nextTick = before.nextTick
    (credit.clock, credit.told) = (before.clock, before.told)
  }

  private mutating func lookAtObserver() {
    let ticks = frames.ticks(interface: credit.interface)
    credit.isKnown = ticks != nil
    credit.nextTick = ticks?.next ?? .max
    (credit.clock, credit.told) = (ticks?.clock ?? .min, ticks?.told ?? .min)
  }

  /// Whether a record was the first of another second of its observer, or is from before the clock; that
  /// is noted then, and the record is still to be taken. Of one without a packet the observer knows
  /// nothing.
  private mutating func opensSecond(_ record: CaptureRecord, skip: Int) -> Bool {
    let time = record.time.nanoseconds
    guard time >= credit.nextTick || (time < credit.clock && credit.clock > credit.told),
      record.time.isKnown, credit.isKnown, Int(record.count) > skip, case .none = record.fault
    else { return false }
    giveCredit()
    frames.tick(record, interface: credit.interface)
    let before = (credit.nextTick, credit.told)
    lookAtObserver()
    return credit.nextTick > before.0 || credit.told > before.1
  }

  /// Takes events of one known report each, all of one interface: nearly every record of a scan.
  /// Returns the place of the first that is something else; nothing has been done about that one.
  private mutating func takeKnown(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: RawSpan, skip: Int
  ) -> Int {
    guard credit.isKnown else { return first }
    briefs.reserve(records.count - first)
    let (interface, nextTick, told) = (credit.interface, credit.nextTick, credit.told)
    var clock = credit.clock
    let place = unsafe bytes.withUnsafeBytes { bytes in
      unsafe records.withUnsafeBufferPointer { records in
        unsafe takeKnown(
          records, from: first, bytes, skip: skip, interface, nextTick, told, &clock)
      }
    }
    if place > first {
      credit.events += place - first
      credit.reports += place - first
      if !credit.first.isKnown { credit.first = records[first].time }
      credit.last = records[place - 1].time
      credit.latest = credit.last
      credit.clock = clock
      credit.reportClock = clock
    }
    return place
  }

  /// The loop itself, one way for both kinds of report.
  ///
  /// Its loads are unchecked, because checks and the registers they take were a third of it: the one
  /// condition on `start` and `length` covers them all. What is written has been reserved.
  @unsafe @inline(never)
  private mutating func takeKnown(
    _ records: UnsafeBufferPointer<CaptureRecord>, from first: Int,
    _ bytes: UnsafeRawBufferPointer, skip: Int, _ interface: UInt16, _ nextTick: Int64,
    _ told: Int64, _ clock: inout Int64
  ) -> Int {
    guard let base = bytes.baseAddress, let record = records.baseAddress else { return first }
    let limit = bytes.count &- ReportPlace.longest
    // Without a fragment under way an extended report is whole by itself; else nothing is equal.
    let extended = frames.fragmentsWaiting == 0 ? ReportForm.extendedHead : .max
    let emitted = keepsRepeats ? ReportMemory.Entry.hasSighting : ReportMemory.Entry.needsMore
    let entries = unsafe memory.entries.pointer
    var brief = unsafe briefs.pointer + briefs.count
    var place = first
    var latest = clock
    defer { clock = latest }
    while place < records.count {
      let (time, frame) = unsafe (record[place].time, record[place].frame)
      let start = unsafe Int(record[place].start) &+ skip
      let length = unsafe Int(record[place].count) &- skip
      let isBehind = time.nanoseconds < latest
      guard length >= 15, start >= 0, start <= limit &- length, time.isKnown,
        time.nanoseconds < nextTick, !isBehind || latest <= told,
        unsafe record[place].interface == interface, case .none = unsafe record[place].fault
      else { break }
      let event = unsafe base + start
      // Type, event code, length, subevent, number of reports.
      let head = unsafe event.loadUnaligned(as: UInt64.self)
      let withoutLength = head & 0xFF_FF00_FFFF
      let form = withoutLength == extended ? ReportForm.extended : .legacy
      guard withoutLength == form.head, Int(head >> 16 & 0xFF) == length &- 3,
        let report = unsafe ReportPlace(event, at: 5, end: length, form, interface: interface),
        report.end == length
      else { break }
      let slot = unsafe memory.find(report, event)
      let rssi = unsafe event.loadUnaligned(fromByteOffset: report.signal, as: Int8.self)
      guard slot >= 0, !FrameDecoder.isOutOfRange(rssi: rssi) else { break }
      let (value, traits) = unsafe (entries[slot].value, entries[slot].traits)
      var whole = UInt32(0)
      if traits & emitted != 0 {
        whole = unsafe emit(slot, time, frame, rssi, index: 0, event + report.start)
      }
      // Written in any case, and kept where there is a sighting: the processor could not guess.
      unsafe brief.initialize(
        to: BriefSighting(time: time, frame: frame, transmitter: value, whole: whole, rssi: rssi))
      let sightings = traits & ReportMemory.Entry.hasSighting
      unsafe brief += Int(sightings)
      unsafe entries[slot].value = value &+ UInt32(1 &- sightings)
      if !isBehind { latest = time.nanoseconds }
      place &+= 1
    }
    unsafe briefs.keep(upTo: brief)
    return place
  }

  /// Counts a known report's sighting, and keeps it whole where repeats are kept, somebody wants the
  /// transmitter's, or some of it is new.
  /// - Parameter report: the report's first byte.
  /// - Returns: what goes into `BriefSighting.whole`.
  @unsafe @inline(never)
  private mutating func emit(
    _ slot: Int, _ time: Timestamp, _ frame: Int, _ rssi: Int8, index: Int,
    _ report: UnsafeRawPointer
  ) -> UInt32 {
    let detail = unsafe memory.details.pointer + slot
    unsafe detail.pointee.again &+= 1
    let changing = unsafe Int(detail.pointee.changing)
    let comesWhole = unsafe detail.pointee.comesWhole
    guard keepsRepeats || comesWhole else { return 0 }
    var sighting = unsafe detail.pointee.sighting
    sighting.time = time
    sighting.frame = frame
    sighting.rssi = rssi
    sighting.index = UInt16(truncatingIfNeeded: index)
    if changing > 0 {
      let new = unsafe report + Int(detail.pointee.changesAt)
      sighting.extra.0 = unsafe UInt64(bigEndian: new.loadUnaligned(as: UInt64.self))
      sighting.extra.1 = unsafe UInt64(
        bigEndian: new.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      if changing == 12 { sighting.extra.1 >>= 32 }
    }
    beacons.sightings.append(sighting)
    return comesWhole ? UInt32(truncatingIfNeeded: beacons.sightings.count) : 0
  }

  /// A record that is no advertising, or holds several known reports; false for any other, and
  /// nothing has been done about it.
  private mutating func takeUsual(_ record: CaptureRecord, _ bytes: RawSpan, skip: Int) -> Bool {
    let start = Int(record.start) + skip
    let length = Int(record.count) - skip
    guard case .none = record.fault, length >= 5, record.time.isKnown,
      bytes.byteCount - start >= length + ReportPlace.longest, credit.isKnown
    else { return false }
    let head = bytes.le64(start)
    if FrameDecoder.isOther(head, length: length) {
      credit.others += 1
      credit.latest = record.time
      credit.clock = max(credit.clock, record.time.nanoseconds)
      return true
    }
    guard head & 0xFFFF == 0x3E04, Int(head >> 16 & 0xFF) == length - 3 else { return false }
    let subevent = head >> 24 & 0xFF
    let count = Int(head >> 32 & 0xFF)
    guard subevent == 0x02 || subevent == 0x0D && frames.fragmentsWaiting == 0, count >= 2,
      count <= 10
    else { return false }
    let isTaken = unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe takeSeveral(
        record, base, start..<(start + length), subevent == 0x0D ? .extended : .legacy, count)
    }
    guard isTaken else { return false }
    credit.events += 1
    credit.reports += count
    if !credit.first.isKnown { credit.first = record.time }
    credit.last = record.time
    credit.latest = record.time
    credit.clock = max(credit.clock, record.time.nanoseconds)
    credit.reportClock = credit.clock
    return true
  }

  /// All reports of an event, or none of them.
  @unsafe
  private mutating func takeSeveral(
    _ record: CaptureRecord, _ base: UnsafeRawPointer, _ event: Range<Int>, _ form: ReportForm,
    _ count: Int
  ) -> Bool {
    several.removeAll()
    var at = event.lowerBound + 5
    for _ in 0..<count {
      guard
        let report = unsafe ReportPlace(
          base, at: at, end: event.upperBound, form, interface: record.interface)
      else { return false }
      let slot = unsafe memory.find(report, base)
      let rssi = unsafe base.loadUnaligned(fromByteOffset: report.signal, as: Int8.self)
      guard slot >= 0, !FrameDecoder.isOutOfRange(rssi: rssi) else { return false }
      several.append(KnownReport(place: report, slot: slot, rssi: rssi))
      at = report.end
    }
    guard at == event.upperBound else { return false }
    for index in 0..<count {
      let known = several[index]
      let entry = unsafe memory.entries.pointer + known.slot
      guard unsafe entry.pointee.traits & ReportMemory.Entry.hasSighting != 0 else {
        unsafe entry.pointee.value &+= 1
        continue
      }
      let whole = unsafe emit(
        known.slot, record.time, record.frame, known.rssi, index: index, base + known.place.start)
      briefs.append(
        BriefSighting(
          time: record.time, frame: record.frame, transmitter: unsafe entry.pointee.value,
          whole: whole,
          rssi: known.rssi))
    }
    return true
  }

  /// A report of an event that holds several.
  struct KnownReport: BitwiseCopyable {
    let place: ReportPlace
    let slot: Int
    let rssi: Int8
  }

  /// Decodes one record, and keeps what it came to if that lies in its bytes alone.
  private mutating func learn(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow, skip: Int
  ) {
    let waited = frames.fragmentsWaiting
    let before = beacons.sightings.count
    decode(records, bytes, row)
    guard frames.reports.count == 1, frames.warnings.isEmpty, waited == 0,
      frames.fragmentsWaiting == 0, case .none = records[0].fault,
      let report = Self.onlyReport(of: records[0], bytes, skip: skip),
      frames.reports[0].start == Int32(truncatingIfNeeded: report.data),
      var known = beacons.known(frames.reports[0], since: before, wanted)
    else { return }
    known.detail.changesAt &+= UInt8(truncatingIfNeeded: report.data - report.start)
    memory.keep(known.entry, known.detail, report, bytes, &beacons.tally)
  }

  /// The report of an event that holds one and nothing else.
  private static func onlyReport(
    of record: CaptureRecord, _ bytes: RawSpan, skip: Int
  ) -> ReportPlace? {
    let start = Int(record.start) + skip
    let end = Int(record.start) + Int(record.count)
    guard end - start >= 15, bytes.byteCount - end >= ReportPlace.longest,
      bytes.le16(start) == 0x3E04, bytes.u8(start + 4) == 1
    else { return nil }
    let form = bytes.u8(start + 3) == 0x0D ? ReportForm.extended : .legacy
    let report = unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.flatMap {
        unsafe ReportPlace(
          $0, at: start + 5, end: end, form, interface: record.interface)
      }
    }
    return report?.end == end ? report : nil
  }
}
