public import CaptureReader
public import FrameDecoder

/// Records → sightings: frames, reports and beacons of one capture, from its first record to its
/// last.
public struct CaptureDecoder: ~Copyable, Sendable {
  public private(set) var frames: FrameDecoder
  public private(set) var beacons = BeaconDecoder()
  private var memory = FrameMemory()

  public init(options: FrameDecoder.Options = FrameDecoder.Options()) {
    frames = FrameDecoder(options: options)
  }

  /// Decodes a batch; `beacons.sightings` then holds what it gave, in the order of the records.
  /// - Parameter bytes: what the records' `start` counts in.
  public mutating func decode(_ records: Span<CaptureRecord>, _ bytes: RawSpan) {
    beacons.sightings.removeAll()
    frames.beginBatch()
    var first = 0
    while first < records.count {
      let run = frames.nextRun(records, from: first)
      if let skip = run.row.h4Offset {
        decodeH4(records.extracting(first..<run.end), bytes, run.row, skip: skip)
      } else {
        decodePlain(records.extracting(first..<run.end), bytes, run.row)
      }
      first = run.end
    }
    frames.endBatch()
  }

  /// The capture has ended: what waits for more is handed on as it is. See `FrameDecoder.finish`.
  public mutating func finish(at end: Timestamp, _ bytes: RawSpan) {
    beacons.sightings.removeAll()
    frames.finish(at: end)
    takeReports(bytes)
  }

  private mutating func decodePlain(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow
  ) {
    frames.decodeRun(records, bytes, row)
    if !frames.reports.isEmpty { takeReports(bytes) }
  }

  private mutating func takeReports(_ bytes: RawSpan) {
    Self.decode(frames.reports, bytes, joined: frames.joined, into: &beacons)
  }

  private static func decode(
    _ reports: borrowing Rows<AdvertisingReport>, _ bytes: RawSpan, joined: [UInt8],
    into beacons: inout BeaconDecoder
  ) {
    reports.withSpan { beacons.append($0, bytes, joined: joined) }
  }

  /// Frames known from before are told apart from the others first.
  private mutating func decodeH4(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow, skip: Int
  ) {
    var place = 0
    while place < records.count {
      let next = replay(records, from: place, bytes, skip: skip)
      if next == place {
        learn(records.extracting(place..<(place + 1)), bytes, row, skip: skip)
        place += 1
      } else {
        place = next
      }
    }
  }

  /// Takes a run of frames known from before, all of one interface. Returns the place of the first
  /// that is not: nothing has been done about that one.
  @inline(never)
  private mutating func replay(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: RawSpan, skip: Int
  ) -> Int {
    let interface = records[first].interface
    let takesExtended = frames.fragmentsWaiting == 0
    var observer: UInt16 = 0
    var place = first
    while place < records.count {
      let record = records[place]
      guard record.interface == interface, case .none = record.fault, record.time.isKnown,
        let frame = FrameMemory.frame(
          bytes, at: Int(record.start) &+ skip, length: Int(record.count) &- skip),
        takesExtended || !frame.isExtended, let slot = memory.find(frame, interface: interface)
      else { break }
      let signal = bytes.i8(Int(record.start) &+ skip &+ frame.signal)
      guard !FrameDecoder.isOutOfRange(rssi: signal) else { break }
      if memory.entries[slot].hasSighting {
        var sighting = memory.entries[slot].sighting
        sighting.time = record.time
        sighting.frame = record.frame
        sighting.rssi = signal
        if memory.entries[slot].changing > 0 {
          let at = Int(record.start) &+ skip &+ Int(memory.entries[slot].changesAt)
          sighting.extra.0 = bytes.be64(at)
          sighting.extra.1 =
            memory.entries[slot].changing > 12 ? bytes.be64(at &+ 8) : UInt64(bytes.be32(at &+ 8))
        }
        beacons.sightings.append(sighting)
      }
      if memory.entries[slot].countsMore {
        beacons.countAgain(memory.entries[slot], frame: record.frame)
      }
      observer = memory.entries[slot].sighting.observer
      place &+= 1
    }
    if place > first {
      frames.credit(
        reports: place - first, observer: Int(observer), from: records[first].time,
        to: records[place - 1].time)
    }
    return place
  }

  /// Decodes one record, and keeps what it came to if that lies in its bytes alone.
  @inline(never)
  private mutating func learn(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow, skip: Int
  ) {
    let waited = frames.fragmentsWaiting
    let before = beacons.sightings.count
    decodePlain(records, bytes, row)
    let length = Int(records[0].count) - skip
    guard frames.reports.count == 1, frames.warnings.isEmpty, waited == 0,
      frames.fragmentsWaiting == 0, case .none = records[0].fault,
      let frame = FrameMemory.frame(bytes, at: Int(records[0].start) + skip, length: length),
      var entry = beacons.entry(for: frames.reports[0], since: before)
    else { return }
    if entry.changing > 0 {
      let data = Int(frames.reports[0].start) - Int(records[0].start) - skip
      entry.changesAt += UInt8(truncatingIfNeeded: data)
    }
    entry.interface = records[0].interface
    memory.keep(entry, frame, length: length)
  }
}
