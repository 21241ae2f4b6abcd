import Beacons
package import CaptureReader
import FrameDecoder

/// Records by way of the reports seen lately, with their repeats and without: what comes of them
/// must be what comes of each record decoded by itself.
package final class KnownReportsCheck {
  package let plain = Decoding()
  /// Everything that was wrong so far.
  package private(set) var faults: [String] = []
  private var whole = CaptureDecoder(keepsRepeats: true)
  private var brief = CaptureDecoder(keepsRepeats: false)
  /// What whole sightings said, by transmitter.
  private var said: [UInt32: [Sighting]] = [:]

  package init() {}

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
    let before = plain.sightings.count
    plain.feed(records, bytes)
    (bytes + Self.behind).withRawSpan { bytes in
      whole.decode(records.span, bytes)
      brief.decode(records.span, bytes)
    }
    compare(since: before)
  }

  /// The end of the capture.
  package func finish() {
    let before = plain.sightings.count
    plain.finish()
    Self.behind.withRawSpan { bytes in
      whole.finish(at: .none, bytes)
      brief.finish(at: .none, bytes)
    }
    compare(since: before)
    faults += Self.differences(whole, plain) + Self.differences(brief, plain)
  }

  private func compare(since before: Int) {
    let expected = Array(plain.sightings[before...])
    let found = whole.beacons.sightings.array
    if found.map(Self.text) != expected.map(Self.text) {
      faults.append("known reports: \(found.map(Self.text)), one by one \(expected.map(Self.text))")
    }
    let wanted = expected.map { Self.text($0.time, $0.frame, $0.transmitter, $0.rssi) }
    for briefs in [whole.briefs.array, brief.briefs.array] {
      let given = briefs.map { Self.text($0.time, $0.frame, $0.transmitter, $0.rssi) }
      if given != wanted { faults.append("in brief: \(given), one by one \(wanted)") }
    }
    guard faults.isEmpty else { return }
    for (sighting, brief) in zip(expected, brief.briefs.array) { compare(sighting, brief) }
  }

  /// A brief sighting comes with a whole one, or repeats what one has said.
  private func compare(_ sighting: Sighting, _ brief: BriefSighting) {
    if brief.whole > 0 {
      let given = self.brief.beacons.sightings[Int(brief.whole) - 1]
      if Self.text(given) != Self.text(sighting) {
        faults.append("whole: \(Self.text(given)), one by one \(Self.text(sighting))")
      }
      said[brief.transmitter, default: []].append(given)
    } else if !said[brief.transmitter, default: []].contains(where: { $0.repeats(sighting) }) {
      faults.append("repeats what nobody said: \(Self.text(sighting))")
    }
  }

  private static func text(
    _ time: Timestamp, _ frame: Int, _ transmitter: UInt32, _ rssi: Int8
  ) -> String {
    "\(frame) at \(time.nanoseconds): \(transmitter) \(rssi) dBm"
  }

  private static func text(_ sighting: Sighting) -> String { "\(sighting)" }

  /// Everything that is counted.
  private static func differences(_ decoder: borrowing CaptureDecoder, _ plain: Decoding)
    -> [String]
  {
    let ours = Counted(decoder.frames, decoder.beacons)
    let wanted = Counted(plain.decoder, plain.beacons)
    return zip(ours.lines, wanted.lines).filter { $0 != $1 }
      .map { "counted by known reports: \($0), one by one \($1)" }
  }
}

/// What two decoders of the same records must agree on when they have ended, as text.
private struct Counted {
  let lines: [String]

  init(_ frames: borrowing FrameDecoder, _ beacons: borrowing BeaconDecoder) {
    let tally = beacons.tally
    let companies = tally.layoutCompanies.sorted { $0.key < $1.key }
    lines =
      [
        "\(frames.tally)", "\(frames.recordsByLink)", "\(beacons.identities.identities)",
        "\(beacons.transmitters.transmitters)", "\(tally.warnings)", "\(tally.frameWarnings)",
        "\(tally.reasons)", "\(tally.labels)", "\(companies)", "\(tally.unlabelled)",
        "\(frames.observers.count) observers",
      ] + frames.observers.map { "\($0)" }
  }
}

extension Sighting {
  /// Whether it says the same, moment, place and signal aside.
  fileprivate func repeats(_ other: Sighting) -> Bool {
    extra == other.extra && warnings == other.warnings && frameWarnings == other.frameWarnings
      && identity == other.identity && transmitter == other.transmitter && kind == other.kind
      && power == other.power
  }
}
