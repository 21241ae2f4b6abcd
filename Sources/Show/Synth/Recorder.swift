import CaptureWriter
import FrameEncoder

/// The recorder's end: records with the times of its clock, and the damage that is done to them.
struct Recorder: ~Copyable {
  /// What became of a record.
  struct Fate {
    /// The number that readers must give it; nil where it is lost.
    let frame: Int?
    /// What the recorder's clock says, nanoseconds since 1970.
    let time: Int64
    /// How many of its reports can still be read.
    let reports: Int
    /// The note about the damage; nil where it is whole.
    let note: Int?
  }

  private let form: RecordingForm
  private let start: Int64
  private var writer: any RecordWriter
  private var file: OutputFile
  /// The record under way: begun, filled in by the encoders, then written.
  var record = Record(0, [])
  /// Records that readers find.
  private(set) var frames = 0
  /// Records written, lost ones too.
  private(set) var written = 0
  private(set) var notes: [DamageNote] = []
  private var steps: ArraySlice<Scenario.ClockStep>
  private var shift: Int64 = 0
  /// What the recorder's clock said of the record before.
  private var last: Int64?
  /// Those that have not come down yet.
  private(set) var strikes: ArraySlice<Strike>
  private let endsInside: Bool
  private var junkLeft = 0
  /// Records written when the last one was lost.
  private var lastGap = -Recorder.between
  /// Whole records between two gaps, at least.
  private static let between = 8
  private var random: SplitMix64
  /// Bytes of the file that have left `file.pending`.
  private var before: Int64 = 0

  init(
    _ file: consuming OutputFile, _ form: RecordingForm, _ scenario: Scenario, seed: UInt64
  ) throws(OutputProblem) {
    self.form = form
    start = scenario.start
    writer = form.writer()
    self.file = file
    steps = scenario.clockSteps[...]
    strikes = scenario.damage.filter { $0.kind != .tail }[...]
    endsInside = scenario.damage.contains { $0.kind == .tail }
    random = .stream(seed: seed, 0xDA3A)
    self.file.pending += writer.header
  }

  /// Begins a record at a time of the site, nanoseconds since the start.
  mutating func begin(at time: Int64) {
    while let step = steps.first, step.time <= time {
      shift += step.step
      steps = steps.dropFirst()
    }
    record.nanoseconds = start + time + shift
    record.original = nil
  }

  /// Writes the record under way. Only records that stand for themselves can be struck.
  /// - Parameters:
  ///   - packet: where the packet begins behind the link's own bytes.
  ///   - reports: how many a whole record would give.
  mutating func write(at time: Int64, packet: Int, reports: Int, standsAlone: Bool) throws
    -> Fate
  {
    let shown = record.nanoseconds - record.nanoseconds % writer.clockStep
    if junkLeft > 0 && standsAlone { return try overwrite(time, shown, reports) }
    junkLeft = 0
    guard standsAlone, let strike = due(time) else {
      try put()
      frames += 1
      return Fate(frame: frames, time: shown, reports: reports, note: nil)
    }
    switch strike {
    case .junk:
      junkLeft = 2 + random.below(4)
      note(.junk, time)
      return try overwrite(time, shown, reports)
    case .length:
      note(.length, time)
      notes[notes.count - 1].lostRecords = 1
      return try misstate(shown)
    default: return try strikeFrame(strike, time, shown, packet, reports)
    }
  }

  private mutating func due(_ time: Int64) -> Strike.Kind? {
    guard let strike = strikes.first else { return nil }
    let now = strike.countsRecords ? Int64(written) : time
    // A record with less could not be cut.
    guard strike.moment <= now, record.data.count > 24 else { return nil }
    // Readers need some records in a row to find back: none is hidden between two gaps.
    if strike.kind == .length || strike.kind == .junk {
      guard written - lastGap >= Self.between else { return nil }
    }
    strikes = strikes.dropFirst()
    return form.concrete(strike.kind)
  }

  private mutating func note(_ kind: Strike.Kind, _ time: Int64) {
    notes.append(
      DamageNote(kind: kind, time: time, offset: before + Int64(file.pending.count)))
  }

  private mutating func put() throws {
    if let last, record.nanoseconds - last > writer.longestGap {
      throw SettingsProblem(
        "\(form.container) cannot keep records that are more than 71 minutes apart; "
          + "btsnooz-wide can")
    }
    last = record.nanoseconds
    let size = file.pending.count
    writer.append(record, to: &file.pending)
    written += 1
    let grown = file.pending.count
    if grown > size && grown >= OutputFile.chunk {
      before += Int64(grown)
      try file.flush()
    }
  }

  // MARK: Damage

  /// Damage to the packet: the record can be read, some of its reports cannot.
  private mutating func strikeFrame(
    _ kind: Strike.Kind, _ time: Int64, _ shown: Int64, _ packet: Int, _ reports: Int
  ) throws -> Fate {
    var left = 0
    switch kind {
    case .zeroReports:
      // Event code, length, subevent, number of reports.
      record.data[packet + 3] = 0
    case .crc:
      // A bit of the data, before the checksum's three bytes.
      record.data[record.data.count - 5] ^= 0x10
      if case .air(let framing) = form.reception { framing.markBad(&record.data) }
    default:
      if kind == .snap { record.original = record.data.count }
      record.data.removeLast(8)
      left = reports - 1
    }
    note(kind, time)
    try put()
    frames += 1
    notes[notes.count - 1].frame = frames
    notes[notes.count - 1].bytes = form.isHeld ? nil : record.data.count
    return Fate(frame: frames, time: shown, reports: left, note: notes.count - 1)
  }

  /// The length of a record becomes one that nothing has.
  private mutating func misstate(_ shown: Int64) throws(OutputProblem) -> Fate {
    let start = file.pending.count
    writer.append(record, to: &file.pending)
    written += 1
    let place = start + (writer.lengthOffset ?? 0)
    for byte in place..<(place + 4) { file.pending[byte] = 0xF0 }
    lastGap = written
    notes[notes.count - 1].bytes = file.pending.count - start
    return Fate(frame: nil, time: shown, reports: 0, note: notes.count - 1)
  }

  /// Bytes that cannot be taken for a record's.
  private mutating func overwrite(_ time: Int64, _ shown: Int64, _ reports: Int)
    throws(OutputProblem) -> Fate
  {
    let start = file.pending.count
    writer.append(record, to: &file.pending)
    written += 1
    for place in start..<file.pending.count {
      file.pending[place] = 0x80 | UInt8(truncatingIfNeeded: random.next() >> 57)
    }
    junkLeft -= 1
    lastGap = written
    let last = notes.count - 1
    notes[last].lostRecords += 1
    notes[last].bytes = (notes[last].bytes ?? 0) + file.pending.count - start
    return Fate(frame: nil, time: shown, reports: 0, note: last)
  }

  mutating func lose(sightings: Int, note: Int) { notes[note].lostSightings += sightings }

  /// Ends the capture; nothing can be written any more.
  mutating func finish() throws(OutputProblem) {
    if endsInside {
      note(.tail, 0)
      let start = file.pending.count
      writer.append(record, to: &file.pending)
      let half = (file.pending.count - start) / 2
      file.pending.removeLast(file.pending.count - start - half)
      notes[notes.count - 1].bytes = half
    }
    writer.finish(to: &file.pending)
    try file.end()
  }
}

/// What was done to a capture.
struct DamageNote {
  let kind: Strike.Kind
  /// Nanoseconds since the start.
  let time: Int64
  /// Of the record, in the unpacked capture; of no meaning where records have no place of their own.
  let offset: Int64
  /// nil where a record still stands that readers number.
  var frame: Int?
  var bytes: Int?
  var lostRecords = 0
  var lostSightings = 0
}

extension AirFraming {
  /// Makes the sniffer say that the checksum was wrong, where it says anything of it.
  func markBad(_ data: inout [UInt8]) {
    switch self {
    case .withHeader: data[9] &= ~0x08
    case .nordic: data[8] &= ~0x01
    case .bare, .ppi: break
    }
  }
}
