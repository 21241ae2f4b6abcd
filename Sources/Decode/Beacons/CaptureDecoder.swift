public import BeaconKeys
public import CaptureReader
public import FrameDecoder

/// Records → sightings: frames, reports and beacons of one capture, from its first record to its
/// last.
public struct CaptureDecoder: ~Copyable, Sendable {
  public internal(set) var frames: FrameDecoder
  public internal(set) var beacons: BeaconDecoder
  /// Every sighting of the last batch, in the order of the records.
  public internal(set) var briefs = Rows<BriefSighting>(capacity: RecordBatch.capacity)
  /// Whether `beacons.sightings` holds all sightings; otherwise it leaves out repeats, which most
  /// are.
  public let keepsRepeats: Bool
  /// Whose sightings are all in `beacons.sightings`, named by their brief ones' `whole`. Asked about
  /// a transmitter when one of its reports is learnt; what the answer depends on must not change.
  public let wanted: TransmitterFilter?
  var memory = ReportMemory()
  var credit = Credit()
  var several = Rows<KnownReport>()
  /// Records since what the memory has to tell was counted last.
  private var sinceCount = 0
  /// An entry counts its repeats in 32 bits, and an event holds ten reports at most.
  private static let countAfter = 1 << 28

  public init(
    options: FrameDecoder.Options = FrameDecoder.Options(), keepsRepeats: Bool = true,
    wanted: TransmitterFilter? = nil, custom: (any CustomDecoding)? = nil,
    keys: KeyRing? = nil
  ) {
    frames = FrameDecoder(options: options)
    self.keepsRepeats = keepsRepeats
    self.wanted = wanted
    beacons = BeaconDecoder(custom: custom, keys: keys)
  }

  /// Decodes a batch; `briefs` and `beacons.sightings` then hold what it gave.
  /// - Parameter bytes: what the records' `start` counts in.
  public mutating func decode(_ records: Span<CaptureRecord>, _ bytes: RawSpan) {
    beginBatch()
    sinceCount += records.count
    if sinceCount >= Self.countAfter {
      memory.countAll(&beacons.tally)
      sinceCount = 0
    }
    var first = 0
    while first < records.count {
      let run = frames.nextRun(records, from: first)
      if let skip = run.row.h4Offset {
        decodeH4(records.extracting(first..<run.end), bytes, run.row, skip: skip)
      } else {
        decode(records.extracting(first..<run.end), bytes, run.row)
      }
      first = run.end
    }
    frames.endBatch()
    frames.noteUndecoded(beacons.undecoded)
  }

  /// Takes what the capture said behind the batch (`ContainerLog.marks`).
  public mutating func take(_ marks: [CaptureMark]) {
    for mark in marks { frames.take(mark) }
  }

  /// Live: see `FrameDecoder.noteSilence`.
  public mutating func noteSilence(until time: Timestamp, frame: Int) {
    frames.noteSilence(until: time, frame: frame)
  }

  /// The capture has ended: what waits for more is handed on as it is. See `FrameDecoder.finish`.
  public mutating func finish(at end: Timestamp, _ bytes: RawSpan) {
    beginBatch()
    frames.finish(at: end)
    takeReports(bytes)
    frames.noteUndecoded(beacons.undecoded)
    memory.countAll(&beacons.tally)
  }

  private mutating func beginBatch() {
    briefs.removeAll()
    beacons.beginBatch()
    frames.beginBatch()
  }

  /// The ordinary way of records of one link type.
  mutating func decode(_ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow) {
    frames.decodeRun(records, bytes, row)
    if !frames.reports.isEmpty { takeReports(bytes) }
  }

  private mutating func takeReports(_ bytes: RawSpan) {
    var first = 0
    for place in frames.late.indices {
      let late = frames.late[place]
      takeReports(first..<late.report, bytes)
      first = late.report + 1
      takeReports(late.report..<first, bytes, at: late.frame)
    }
    takeReports(first..<frames.reports.count, bytes)
  }

  /// - Parameter frame: behind which they were handed on; nil: those that they are in.
  private mutating func takeReports(_ range: Range<Int>, _ bytes: RawSpan, at frame: Int? = nil) {
    guard !range.isEmpty else { return }
    let first = beacons.sightings.count
    Self.decode(frames.reports, range, bytes, joined: frames.joined, into: &beacons)
    for index in first..<beacons.sightings.count {
      let sighting = beacons.sightings[index]
      briefs.append(
        BriefSighting(
          time: sighting.time, frame: sighting.frame, transmitter: sighting.transmitter,
          whole: UInt32(truncatingIfNeeded: index + 1), rssi: sighting.rssi,
          delay: frame.map { UInt32(clamping: $0 - sighting.frame) } ?? 0))
    }
  }

  private static func decode(
    _ reports: borrowing Rows<AdvertisingReport>, _ range: Range<Int>, _ bytes: RawSpan,
    joined: [UInt8], into beacons: inout BeaconDecoder
  ) {
    reports.withSpan { beacons.append($0.extracting(range), bytes, joined: joined) }
  }
}
