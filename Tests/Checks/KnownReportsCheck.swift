package import Beacons
package import CaptureReader
import FrameDecoder

/// Records by way of the reports seen lately, with their repeats, without, and with those of some
/// transmitters: what comes of them must be what comes of each record decoded by itself.
package final class KnownReportsCheck {
  package let plain: Decoding
  /// Everything that was wrong so far.
  package private(set) var faults: [String] = []
  private var whole: CaptureDecoder
  private var brief: CaptureDecoder
  private var some: CaptureDecoder
  /// What whole sightings said, by transmitter: those of `brief`, and of `some` that are no repeats.
  private var said: [UInt32: [Sighting]] = [:]
  private var saidBySome: [UInt32: [Sighting]] = [:]

  private static var options: FrameDecoder.Options {
    var options = FrameDecoder.Options()
    options.notesMalformed = true
    options.notesClock = true
    return options
  }

  /// Every other transmitter, as good as by chance.
  private static func isWanted(
    _ address: DeviceAddress, _ identity: BeaconIdentity, _: IdentityTable
  ) -> Bool { (address.rawValue ^ identity.mixed).nonzeroBitCount % 2 == 0 }

  /// - Parameter custom: asked by each of the decoders.
  package init(custom: (any CustomDecoding)? = nil) {
    let options = Self.options
    plain = Decoding(options, custom: custom)
    whole = CaptureDecoder(options: options, keepsRepeats: true, custom: custom)
    brief = CaptureDecoder(options: options, keepsRepeats: false, custom: custom)
    some = CaptureDecoder(
      options: options, keepsRepeats: false, wanted: TransmitterFilter(Self.isWanted),
      custom: custom)
  }

  /// Bytes behind the records: reports that end closer to the end are not compared with known ones.
  private static let behind = [UInt8](repeating: 0xA5, count: 64)

  /// Of a whole capture.
  package static func faults(_ file: [UInt8]) throws(CaptureProblem) -> [String] {
    let reader = try CaptureReader.open(.bytes(file, name: "capture"))
    let check = KnownReportsCheck()
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      reader.withBytes { check.feed(batch.records.array, $0.array()) }
    }
    check.finish()
    return check.faults
  }

  package func feed(_ records: [CaptureRecord], _ bytes: [UInt8]) {
    let before = (plain.sightings.count, plain.notes.count)
    plain.feed(records, bytes)
    (bytes + Self.behind).withRawSpan { bytes in
      whole.decode(records.span, bytes)
      brief.decode(records.span, bytes)
      some.decode(records.span, bytes)
    }
    compare(since: before)
  }

  /// The end of the capture.
  package func finish() {
    let before = (plain.sightings.count, plain.notes.count)
    plain.finish()
    Self.behind.withRawSpan { bytes in
      whole.finish(at: .none, bytes)
      brief.finish(at: .none, bytes)
      some.finish(at: .none, bytes)
    }
    compare(since: before)
    let wanted = Counted(plain.decoder, plain.beacons)
    faults += Counted(whole.frames, whole.beacons).differences(from: wanted)
    faults += Counted(brief.frames, brief.beacons).differences(from: wanted)
    faults += Counted(some.frames, some.beacons).differences(from: wanted)
  }

  private func compare(since before: (sightings: Int, notes: Int)) {
    let notes = Array(plain.notes[before.notes...])
    for found in [whole.frames.notes, brief.frames.notes, some.frames.notes]
    where found != notes {
      faults.append("notes: \(found), one by one \(notes)")
    }
    let expected = Array(plain.sightings[before.sightings...])
    let found = whole.beacons.sightings.array
    if found.count != expected.count || !zip(found, expected).allSatisfy({ $0.isSame(as: $1) }) {
      faults.append("known reports: \(found), one by one \(expected)")
    }
    for briefs in [whole.briefs.array, brief.briefs.array, some.briefs.array]
    where briefs.count != expected.count || !zip(briefs, expected).allSatisfy({ $0.isOf($1) }) {
      faults.append("in brief: \(briefs), one by one \(expected)")
    }
    guard faults.isEmpty else { return }
    for (place, sighting) in expected.enumerated() {
      compare(sighting, brief.briefs[place])
      compareWanted(sighting, some.briefs[place])
    }
  }

  /// A sighting that is wanted comes whole, a repeat or not; any other as without a filter.
  private func compareWanted(_ sighting: Sighting, _ brief: BriefSighting) {
    let identities = some.beacons.identities
    let isWanted = Self.isWanted(sighting.address, identities[sighting.identity], identities)
    guard brief.whole > 0 else {
      if isWanted { return faults.append("wanted, and only told in brief: \(sighting)") }
      if !saidBySome[brief.transmitter, default: []].contains(where: { $0.repeats(sighting) }) {
        faults.append("with a filter repeats what nobody said: \(sighting)")
      }
      return
    }
    let given = some.beacons.sightings[Int(brief.whole) - 1]
    if !given.isSame(as: sighting) { faults.append("wanted: \(given), one by one \(sighting)") }
    if !given.isRepeat {
      saidBySome[brief.transmitter, default: []].append(given)
    } else if !saidBySome[brief.transmitter, default: []].contains(where: { $0.repeats(given) }) {
      faults.append("called a repeat of what nobody said: \(given)")
    }
  }

  /// A brief sighting comes with a whole one, or repeats what one has said.
  private func compare(_ sighting: Sighting, _ brief: BriefSighting) {
    if brief.whole > 0 {
      let given = self.brief.beacons.sightings[Int(brief.whole) - 1]
      if !given.isSame(as: sighting) { faults.append("whole: \(given), one by one \(sighting)") }
      said[brief.transmitter, default: []].append(given)
    } else if !said[brief.transmitter, default: []].contains(where: { $0.repeats(sighting) }) {
      faults.append("repeats what nobody said: \(sighting)")
    }
  }
}

/// What two decoders of the same records must agree on when they have ended.
private struct Counted {
  private var numbers: [(what: String, numbers: [Int])] = []
  private let identities: [BeaconIdentity]
  private let transmitters: [Transmitter]
  private let observers: [String]

  init(_ frames: borrowing FrameDecoder, _ beacons: borrowing BeaconDecoder) {
    identities = beacons.identities.identities
    transmitters = beacons.transmitters.transmitters
    observers = frames.observers.map(Self.text)
    let (frame, beacon) = (frames.tally, beacons.tally)
    let companies = beacon.layoutCompanies.sorted { $0.key < $1.key }
    numbers = [
      ("records", RecordClass.allCases.map { frame.count($0) } + [frame.reports]),
      ("records by link", frames.recordsByLink.map(\.records)),
      ("reasons", Self.numbers(frame.reasons.flatMap { $0 })),
      ("warnings", Self.numbers(frame.warnings)),
      ("payload warnings", Self.numbers(beacon.warnings + beacon.frameWarnings)),
      ("payload reasons", Self.numbers(beacon.reasons)),
      ("refused", Self.numbers(beacon.refused)),
      ("labels", beacon.labels + [beacon.unlabelled]),
      ("companies", companies.flatMap { [Int($0.key), $0.value] }),
    ]
  }

  func differences(from other: Counted) -> [String] {
    var found = zip(numbers, other.numbers).filter { $0.numbers != $1.numbers }.map {
      "\($0.what): \($0.numbers), one by one \($1.numbers)"
    }
    if identities != other.identities { found.append("identities differ") }
    if transmitters != other.transmitters { found.append("transmitters differ") }
    if observers != other.observers {
      found.append("observers: \(observers), one by one \(other.observers)")
    }
    return found
  }

  private static func numbers(_ counts: [FrameTally.Count]) -> [Int] {
    counts.flatMap { [$0.count, $0.firstFrame] }
  }

  private static func numbers(_ refused: RefusedPayloads) -> [Int] {
    refused.counts.sorted {
      ($0.key.address.rawValue, $0.key.reason.rawValue)
        < ($1.key.address.rawValue, $1.key.reason.rawValue)
    }.flatMap {
      [
        Int($0.key.address.rawValue), Int($0.key.reason.rawValue), $0.value.count,
        $0.value.firstFrame,
      ]
    } + [refused.others]
  }

  private static func text(_ observer: Observer) -> String {
    let times = [observer.firstReport, observer.lastReport, observer.lastRecord].map(\.nanoseconds)
    return "\(observer.interface) \(observer.adapter) \(observer.reports) \(times) \(observer.scan)"
  }
}

extension BriefSighting {
  fileprivate func isOf(_ sighting: Sighting) -> Bool {
    time == sighting.time && frame == sighting.frame && transmitter == sighting.transmitter
      && rssi == sighting.rssi
  }
}

extension Sighting {
  fileprivate func isSame(as other: Sighting) -> Bool {
    repeats(other) && time == other.time && frame == other.frame && index == other.index
      && rssi == other.rssi && channel == other.channel && phy == other.phy
  }

  /// Whether it says the same, moment, place and signal aside.
  fileprivate func repeats(_ other: Sighting) -> Bool {
    extra == other.extra && warnings == other.warnings && frameWarnings == other.frameWarnings
      && identity == other.identity && transmitter == other.transmitter && kind == other.kind
      && power == other.power && address == other.address && observer == other.observer
  }
}
