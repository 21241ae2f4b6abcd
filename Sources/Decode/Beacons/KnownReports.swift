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
        credit.isKnown = frames.knownObserver(interface: credit.interface) != nil
      }
      place = takeKnown(records, from: place, bytes, skip: skip)
      guard place < records.count else { break }
      if records[place].interface != credit.interface { continue }
      if !takeUsual(records[place], bytes, skip: skip) {
        giveCredit()
        learn(records.extracting(place..<(place + 1)), bytes, row, skip: skip)
        credit.isKnown = true
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
        from: credit.first, to: credit.last)
    }
    if credit.events + credit.others > 0 {
      frames.credit(others: credit.others, interface: credit.interface, last: credit.latest)
    }
    let (interface, isKnown) = (credit.interface, credit.isKnown)
    credit = Credit()
    credit.interface = interface
    credit.isKnown = isKnown
  }

  /// Takes events of one known report each, all of one interface: nearly every record of a scan.
  /// Returns the place of the first that is something else; nothing has been done about that one.
  private mutating func takeKnown(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: RawSpan, skip: Int
  ) -> Int {
    guard credit.isKnown else { return first }
    briefs.reserve(records.count - first)
    let interface = credit.interface
    let place = unsafe bytes.withUnsafeBytes { bytes in
      unsafe takeKnown(records, from: first, bytes, skip: skip, interface)
    }
    if place > first {
      credit.events += place - first
      credit.reports += place - first
      if !credit.first.isKnown { credit.first = records[first].time }
      credit.last = records[place - 1].time
      credit.latest = credit.last
    }
    return place
  }

  /// The loop itself.
  ///
  /// Its loads are unchecked, because checks and the registers they take were a third of it: the one
  /// condition on `start` and `length` covers them all. What is written has been reserved.
  @unsafe @inline(never)
  private mutating func takeKnown(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: UnsafeRawBufferPointer, skip: Int,
    _ interface: UInt16
  ) -> Int {
    guard let base = bytes.baseAddress else { return first }
    let limit = bytes.count &- ReportPlace.longest
    // Without a fragment under way an extended report is whole by itself.
    let extended = frames.fragmentsWaiting == 0 ? UInt64(0x01_0D00_3E04) : 0
    var place = first
    while place < records.count {
      let start = Int(records[place].start) &+ skip
      let length = Int(records[place].count) &- skip
      guard length >= 15, start >= 0, start <= limit &- length, records[place].time.isKnown,
        records[place].interface == interface, case .none = records[place].fault
      else { break }
      // Type, event code, length, subevent, number of reports.
      let head = unsafe (base + start).loadUnaligned(as: UInt64.self)
      guard Int(head >> 16 & 0xFF) == length &- 3 else { break }
      let isTaken: Bool
      if head & 0xFF_FF00_FFFF == 0x01_0200_3E04 {
        isTaken = unsafe takeKnown(
          records[place], base + start, length: length, isExtended: false)
      } else if head & 0xFF_FF00_FFFF == extended {
        isTaken = unsafe takeKnown(
          records[place], base + start, length: length, isExtended: true)
      } else {
        break
      }
      guard isTaken else { break }
      place &+= 1
    }
    return place
  }

  /// One event with one report; compiled once for each kind of report.
  /// - Parameter event: the H4 packet's first byte.
  @unsafe @inline(__always)
  private mutating func takeKnown(
    _ record: borrowing CaptureRecord, _ event: UnsafeRawPointer, length: Int, isExtended: Bool
  ) -> Bool {
    guard
      let report = unsafe ReportPlace(
        event, at: 5, end: length, isExtended: isExtended, interface: record.interface),
      report.end == length
    else { return false }
    let slot = unsafe memory.find(report, event)
    let rssi = unsafe event.loadUnaligned(fromByteOffset: report.signal, as: Int8.self)
    guard slot >= 0, !FrameDecoder.isOutOfRange(rssi: rssi) else { return false }
    let wanted = keepsRepeats ? ReportMemory.Entry.hasSighting : ReportMemory.Entry.changes
    let entry = unsafe memory.entries.pointer + slot
    unsafe entry.pointee.again &+= 1
    if unsafe entry.pointee.traits & wanted != 0 {
      unsafe emit(slot, record, rssi, index: 0, report, event)
    } else {
      // Written in any case, and kept where there is a sighting: the processor could not guess.
      unsafe briefs.appendReserved(
        BriefSighting(
          time: record.time, frame: record.frame, transmitter: entry.pointee.transmitter, whole: 0,
          rssi: rssi), if: entry.pointee.traits & ReportMemory.Entry.hasSighting)
    }
    return true
  }

  /// The sighting of a known report, whole where that is wanted or some of it is new.
  @unsafe @inline(never)
  private mutating func emit(
    _ slot: Int, _ record: borrowing CaptureRecord, _ rssi: Int8, index: Int,
    _ report: ReportPlace, _ base: UnsafeRawPointer
  ) {
    let detail = unsafe memory.details.pointer + slot
    let changing = unsafe Int(detail.pointee.changing)
    if keepsRepeats || changing > 0 {
      var sighting = unsafe detail.pointee.sighting
      sighting.time = record.time
      sighting.frame = record.frame
      sighting.rssi = rssi
      sighting.index = UInt16(truncatingIfNeeded: index)
      if changing > 0 {
        let new = unsafe base + report.start + Int(detail.pointee.changesAt)
        sighting.extra.0 = unsafe UInt64(bigEndian: new.loadUnaligned(as: UInt64.self))
        sighting.extra.1 = unsafe UInt64(
          bigEndian: new.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        if changing == 12 { sighting.extra.1 >>= 32 }
      }
      beacons.sightings.append(sighting)
    }
    let transmitter = unsafe memory.entries.pointer[slot].transmitter
    briefs.append(
      BriefSighting(
        time: record.time, frame: record.frame, transmitter: transmitter,
        whole: changing > 0 ? UInt32(truncatingIfNeeded: beacons.sightings.count) : 0, rssi: rssi))
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
        record, base, start..<(start + length), isExtended: subevent == 0x0D, count)
    }
    guard isTaken else { return false }
    credit.events += 1
    credit.reports += count
    if !credit.first.isKnown { credit.first = record.time }
    credit.last = record.time
    credit.latest = record.time
    return true
  }

  /// All reports of an event, or none of them.
  @unsafe
  private mutating func takeSeveral(
    _ record: CaptureRecord, _ base: UnsafeRawPointer, _ event: Range<Int>, isExtended: Bool,
    _ count: Int
  ) -> Bool {
    let (briefCount, sightingCount) = (briefs.count, beacons.sightings.count)
    var at = event.lowerBound + 5
    for index in 0..<count {
      guard
        let report = unsafe ReportPlace(
          base, at: at, end: event.upperBound, isExtended: isExtended, interface: record.interface)
      else { break }
      let slot = unsafe memory.find(report, base)
      let rssi = unsafe base.loadUnaligned(fromByteOffset: report.signal, as: Int8.self)
      // What counts more than a sighting could not be taken back below.
      guard slot >= 0, !memory.details[slot].countsMore, !FrameDecoder.isOutOfRange(rssi: rssi)
      else { break }
      unsafe emit(slot, record, rssi, index: index, report, base)
      at = report.end
      if index == count - 1 && at == event.upperBound { return true }
    }
    briefs.removeAll(from: briefCount)
    beacons.sightings.removeAll(from: sightingCount)
    return false
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
      var known = beacons.known(frames.reports[0], since: before)
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
    let isExtended = bytes.u8(start + 3) == 0x0D
    let report = unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.flatMap {
        unsafe ReportPlace(
          $0, at: start + 5, end: end, isExtended: isExtended, interface: record.interface)
      }
    }
    return report?.end == end ? report : nil
  }
}
