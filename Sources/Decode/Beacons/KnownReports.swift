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
      place = takeKnown(records, from: place, bytes, skip: skip)
      guard place < records.count else { return }
      learn(records.extracting(place..<(place + 1)), bytes, row, skip: skip)
      place += 1
    }
  }

  /// What a run of records came to.
  private struct Tally {
    var reports = 0
    var advertising = 0
    var other = 0
    var observer = -1
    /// Records of the first and the last event with reports.
    var first = 0
    var last = 0
  }

  /// Takes records of one interface as long as they are known from before, or no advertising at all.
  /// Returns the place of the first that is neither: nothing has been done about that one.
  @inline(never)
  private mutating func takeKnown(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: RawSpan, skip: Int
  ) -> Int {
    let interface = records[first].interface
    guard frames.knows(interface: interface) else { return first }
    var tally = Tally()
    var place = first
    while place < records.count {
      let start = Int(records[place].start) &+ skip
      let length = Int(records[place].count) &- skip
      guard records[place].interface == interface, case .none = records[place].fault, length >= 5,
        records[place].time.isKnown,
        bytes.byteCount &- start >= length &+ ReportPlace.longest
      else { break }
      let head = bytes.le64(start)
      if head & 0xFFFF == 0x3E04 && Int(head >> 16 & 0xFF) == length &- 3 {
        let kind = head >> 24 & 0xFF
        guard kind == 0x02 || kind == 0x0D else { break }
        let count = Int(head >> 32 & 0xFF)
        let isTaken =
          count == 1
          ? takeOne(records[place], bytes, at: start, length, kind == 0x0D, &tally)
          : takeSeveral(records[place], bytes, at: start, length, kind == 0x0D, count, &tally)
        guard isTaken else { break }
        if tally.advertising == 0 { tally.first = place }
        tally.last = place
        tally.advertising &+= 1
        tally.reports &+= count
      } else {
        guard FrameDecoder.isOther(head, length: length) else { break }
        tally.other &+= 1
      }
      place &+= 1
    }
    if place > first { credit(tally, records, first..<place) }
    return place
  }

  private mutating func credit(
    _ tally: Tally, _ records: Span<CaptureRecord>, _ range: Range<Int>
  ) {
    if tally.advertising > 0 {
      frames.credit(
        reports: tally.reports, events: tally.advertising, observer: tally.observer,
        from: records[tally.first].time, to: records[tally.last].time)
    }
    frames.credit(
      other: tally.other, interface: records[range.lowerBound].interface,
      last: records[range.upperBound - 1].time)
  }

  /// The event nearly every record of a scan holds: one report.
  @inline(__always)
  private mutating func takeOne(
    _ record: CaptureRecord, _ bytes: RawSpan, at start: Int, _ length: Int, _ isExtended: Bool,
    _ tally: inout Tally
  ) -> Bool {
    let end = start &+ length
    guard
      let report = ReportPlace(
        bytes, at: start &+ 5, end: end, isExtended: isExtended, interface: record.interface),
      report.end == end, let slot = memory.find(report, bytes)
    else { return false }
    let rssi = bytes.i8(report.signal)
    if FrameDecoder.isOutOfRange(rssi: rssi) || isExtended && frames.fragmentsWaiting != 0 {
      return false
    }
    if memory.entries[slot].hasSighting { emit(slot, record, rssi, index: 0, report, bytes) }
    if memory.entries[slot].countsMore {
      beacons.countAgain(
        memory.details[slot], hasSighting: memory.entries[slot].hasSighting, frame: record.frame)
    }
    tally.observer = Int(memory.entries[slot].observer)
    return true
  }

  /// All reports of an event, or none of them.
  @inline(never)
  private mutating func takeSeveral(
    _ record: CaptureRecord, _ bytes: RawSpan, at start: Int, _ length: Int, _ isExtended: Bool,
    _ count: Int, _ tally: inout Tally
  ) -> Bool {
    guard count >= 2, count <= 10, !(isExtended && frames.fragmentsWaiting != 0) else {
      return false
    }
    let end = start + length
    let (briefCount, sightingCount) = (briefs.count, beacons.sightings.count)
    var at = start + 5
    for index in 0..<count {
      guard
        let report = ReportPlace(
          bytes, at: at, end: end, isExtended: isExtended, interface: record.interface),
        let slot = memory.find(report, bytes), !memory.entries[slot].countsMore,
        !FrameDecoder.isOutOfRange(rssi: bytes.i8(report.signal))
      else {
        briefs.removeAll(from: briefCount)
        beacons.sightings.removeAll(from: sightingCount)
        return false
      }
      emit(slot, record, bytes.i8(report.signal), index: index, report, bytes)
      tally.observer = Int(memory.entries[slot].observer)
      at = report.end
    }
    if at != end {
      briefs.removeAll(from: briefCount)
      beacons.sightings.removeAll(from: sightingCount)
      return false
    }
    return true
  }

  /// The sighting of a known report.
  @inline(__always)
  private mutating func emit(
    _ slot: Int, _ record: CaptureRecord, _ rssi: Int8, index: Int, _ report: ReportPlace,
    _ bytes: RawSpan
  ) {
    let transmitter = memory.entries[slot].transmitter
    let changes = memory.entries[slot].changing > 0
    if keepsRepeats || changes { emitWhole(slot, record, rssi, index: index, report, bytes) }
    briefs.append(
      BriefSighting(
        time: record.time, frame: record.frame, transmitter: transmitter,
        whole: changes ? UInt32(truncatingIfNeeded: beacons.sightings.count) : 0, rssi: rssi))
  }

  private mutating func emitWhole(
    _ slot: Int, _ record: CaptureRecord, _ rssi: Int8, index: Int, _ report: ReportPlace,
    _ bytes: RawSpan
  ) {
    var sighting = memory.details[slot].sighting
    sighting.time = record.time
    sighting.frame = record.frame
    sighting.rssi = rssi
    sighting.index = UInt16(truncatingIfNeeded: index)
    if memory.entries[slot].changing > 0 {
      let at = report.start + Int(memory.entries[slot].changesAt)
      sighting.extra.0 = bytes.be64(at)
      sighting.extra.1 =
        memory.entries[slot].changing > 12 ? bytes.be64(at + 8) : UInt64(bytes.be32(at + 8))
    }
    beacons.sightings.append(sighting)
  }

  /// Decodes one record, and keeps what it came to if that lies in its bytes alone.
  @inline(never)
  private mutating func learn(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow, skip: Int
  ) {
    let waited = frames.fragmentsWaiting
    let before = beacons.sightings.count
    decode(records, bytes, row)
    let start = Int(records[0].start) + skip
    let length = Int(records[0].count) - skip
    guard frames.reports.count == 1, frames.warnings.isEmpty, waited == 0,
      frames.fragmentsWaiting == 0, case .none = records[0].fault,
      length >= 5, bytes.byteCount - start >= length + ReportPlace.longest,
      bytes.le16(start) == 0x3E04, bytes.u8(start + 4) == 1,
      let report = ReportPlace(
        bytes, at: start + 5, end: start + length, isExtended: bytes.u8(start + 3) == 0x0D,
        interface: records[0].interface),
      report.end == start + length, frames.reports[0].start == Int32(report.data)
    else { return }
    guard let known = beacons.known(frames.reports[0], since: before) else { return }
    var entry = known.entry
    if entry.changing > 0 { entry.changesAt += UInt8(report.data - report.start) }
    memory.keep(entry, known.detail, report, bytes)
  }
}
