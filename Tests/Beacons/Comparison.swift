import Beacons
import CaptureReader
import FrameDecoder
import TestSupport

/// The same records decoded plainly, and by a decoder that knows reports again: one that hands all
/// sightings on, and one that leaves out repeats.
struct Comparison: ~Copyable {
  private var frames: FrameDecoder
  private var beacons = BeaconDecoder()
  private var full: CaptureDecoder
  private var brief: CaptureDecoder
  /// By transmitter: what the decoder that leaves out repeats has handed on whole.
  private var told: [UInt32: [Sighting]] = [:]
  private var next = 1
  /// Sightings, and how many of them the decoder that leaves out repeats knew.
  private(set) var sightings = 0
  private(set) var repeats = 0
  /// The first difference.
  private(set) var difference: String?

  init(_ options: FrameDecoder.Options = FrameDecoder.Options()) {
    frames = FrameDecoder(options: options)
    full = CaptureDecoder(options: options)
    brief = CaptureDecoder(options: options, keepsRepeats: false)
  }

  /// Decodes packets as one batch.
  mutating func decode(_ packets: ArraySlice<Packet>, gap: Int = 16, tail: Int = 200) {
    guard difference == nil else { return }
    let batch = Batch(packets, from: next, gap: gap, tail: tail)
    next += packets.count
    batch.bytes.withRawSpan { bytes in
      let records = batch.records.span
      frames.decode(records, bytes)
      let joined = frames.joined
      frames.reports.withSpan { beacons.decode($0, bytes, joined: joined) }
      full.decode(records, bytes)
      brief.decode(records, bytes)
    }
    compareBatch()
  }

  /// Decodes packets in batches of given sizes, which are taken in turn.
  mutating func decode(_ packets: [Packet], cut sizes: [Int], _ random: inout Seeded) {
    var at = 0
    var turn = 0
    while at < packets.count {
      let end = min(at + sizes[turn % sizes.count], packets.count)
      decode(packets[at..<end], gap: random.below(25), tail: random.pick([0, 1, 63, 64, 65, 200]))
      at = end
      turn += 1
    }
  }

  mutating func finish() {
    guard difference == nil else { return }
    let end = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
    frames.finish(at: end)
    let joined = frames.joined
    [UInt8]().withRawSpan { bytes in
      frames.reports.withSpan { beacons.decode($0, bytes, joined: joined) }
      full.finish(at: end, bytes)
      brief.finish(at: end, bytes)
    }
    compareBatch()
    compareSums()
  }

  private mutating func compareBatch() {
    let found =
      compareFull() ?? compareBrief() ?? compareProgress(full, "with repeats")
      ?? compareProgress(brief, "without repeats")
    difference = difference ?? found.map { "before frame \(next): \($0)" }
  }

  private mutating func compareSums() {
    difference =
      difference ?? compareSums(full, "with repeats") ?? compareSums(brief, "without repeats")
  }

  private mutating func compareFull() -> String? {
    let (count, found) = (beacons.sightings.count, full.beacons.sightings.count)
    guard count == found && full.briefs.count == count else {
      return "\(count) sightings, not \(found) with \(full.briefs.count) in brief"
    }
    sightings += count
    for index in 0..<count {
      let (one, other) = (beacons.sightings[index], full.beacons.sightings[index])
      let short = full.briefs[index]
      if !one.isSame(other) { return "sighting \(index): \(one), not \(other)" }
      if !one.isSame(short) { return "in brief: \(one), not \(short)" }
      if short.whole != 0 && Int(short.whole) != index + 1 {
        return "\(short.whole) for the whole of sighting \(index)"
      }
    }
    return nil
  }

  /// What is told in brief and what is told whole have to add up to what there was.
  private mutating func compareBrief() -> String? {
    let count = beacons.sightings.count
    guard brief.briefs.count == count else {
      return "\(count) sightings, not \(brief.briefs.count) in brief"
    }
    var wholes = 0
    for index in 0..<count {
      let (one, short) = (beacons.sightings[index], brief.briefs[index])
      if !one.isSame(short) { return "in brief: \(one), not \(short)" }
      let isTold = told[short.transmitter, default: []].contains(where: one.saysSame)
      if short.whole > 0 {
        wholes += 1
        let whole = brief.beacons.sightings[Int(short.whole) - 1]
        if Int(short.whole) != wholes { return "whole \(short.whole) is number \(wholes)" }
        if !one.isSame(whole) { return "whole: \(one), not \(whole)" }
        if !isTold { told[short.transmitter, default: []].append(whole) }
      } else {
        repeats += 1
        if !isTold { return "a repeat of what was never told: \(one)" }
      }
    }
    let handedOn = brief.beacons.sightings.count
    return wholes == handedOn ? nil : "\(wholes) wholes of \(handedOn)"
  }

  /// What is up to date behind each batch.
  private func compareProgress(_ other: borrowing CaptureDecoder, _ name: String) -> String? {
    let (one, two) = (frames.tally, other.frames.tally)
    if (one.advertising, one.other, one.reports) != (two.advertising, two.other, two.reports) {
      return "\(name): \(one.advertising) + \(one.other) frames, \(one.reports) reports, not "
        + "\(two.advertising) + \(two.other), \(two.reports)"
    }
    let observers = frames.observers.map { Progress($0) }
    let others = other.frames.observers.map { Progress($0) }
    if observers != others { return "\(name): observers \(observers), not \(others)" }
    return "\(frames.fixes)" == "\(other.frames.fixes)" ? nil : "\(name): fixes"
  }

  /// What is complete only at the end, down to the last private field.
  private func compareSums(_ other: borrowing CaptureDecoder, _ name: String) -> String? {
    if beacons.identities.identities != other.beacons.identities.identities {
      return "\(name): identities"
    }
    if beacons.transmitters.transmitters != other.beacons.transmitters.transmitters {
      return "\(name): transmitters"
    }
    var (tally, otherTally) = (beacons.tally, other.beacons.tally)
    if tally.layoutCompanies != otherTally.layoutCompanies { return "\(name): companies" }
    if Self.numbers(tally.refused) != Self.numbers(otherTally.refused) { return "\(name): refused" }
    // Their order in text is no property of theirs.
    tally.layoutCompanies = [:]
    otherTally.layoutCompanies = [:]
    tally.refused = RefusedPayloads()
    otherTally.refused = RefusedPayloads()
    return Self.compare("\(frames.tally)", "\(other.frames.tally)", "\(name): frame tally")
      ?? Self.compare("\(frames.recordsByLink)", "\(other.frames.recordsByLink)", "\(name): links")
      ?? Self.compare("\(frames.observers)", "\(other.frames.observers)", "\(name): observers")
      ?? Self.compare("\(tally)", "\(otherTally)", "\(name): beacon tally")
  }

  private static func numbers(_ refused: RefusedPayloads) -> [RefusedPayloads.Sender: [Int]] {
    refused.counts.mapValues { [$0.count, $0.firstFrame, refused.others] }
  }

  private static func compare(_ one: String, _ other: String, _ name: String) -> String? {
    if one == other { return nil }
    let same = zip(one, other).prefix { $0 == $1 }.count
    let from = max(0, same - 100)
    return
      "\(name): …\(one.dropFirst(from).prefix(250)), not …\(other.dropFirst(from).prefix(250))"
  }
}

/// Of an observer: what every record may change.
private struct Progress: Equatable {
  let first: Int64
  let last: Int64
  let lastRecord: Int64
  let reports: Int

  init(_ observer: Observer) {
    first = observer.firstReport.nanoseconds
    last = observer.lastReport.nanoseconds
    lastRecord = observer.lastRecord.nanoseconds
    reports = observer.reports
  }
}

extension Sighting {
  /// Fields that are compared; a test holds the number.
  static let comparedFields = 15
  /// Whether it repeats another is no field of what was on the air.
  static let otherFields = 1

  func isSame(_ other: Sighting) -> Bool {
    time.nanoseconds == other.time.nanoseconds && frame == other.frame && index == other.index
      && rssi == other.rssi && saysSame(other)
  }

  /// Whether it is the same but for moment, place and signal.
  func saysSame(_ other: Sighting) -> Bool {
    address == other.address && extra == other.extra
      && frameWarnings.rawValue == other.frameWarnings.rawValue
      && warnings.rawValue == other.warnings.rawValue && identity == other.identity
      && transmitter == other.transmitter && observer == other.observer && kind == other.kind
      && power == other.power && channel == other.channel && phy == other.phy
  }

  func isSame(_ brief: BriefSighting) -> Bool {
    time.nanoseconds == brief.time.nanoseconds && frame == brief.frame
      && transmitter == brief.transmitter && rssi == brief.rssi
  }
}
