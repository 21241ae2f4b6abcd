package import BeaconKeys
package import Beacons
package import CaptureReader
package import FrameDecoder

/// One capture on its way from bytes to sightings, a batch at a time.
package final class CapturePipeline {
  package let reader: CaptureReader
  private var decoder: CaptureDecoder
  private var batch: RecordBatch
  private let disturber: RecordDisturber?
  private var isFinished = false
  private var isFlushed = false
  /// When silences were noted last, and how often that is done while others are heard.
  private var silenceNoted = Timestamp(nanoseconds: 0)
  private static let silenceStep: Int64 = 100_000_000

  /// - Parameters:
  ///   - wanted: whose repeats are lent whole, too.
  ///   - custom: decodes what no format here claims.
  ///   - keys: of beacons whose identifiers change.
  ///   - batch: most records that a step decodes.
  ///   - disturber: what it makes of the records is decoded; nil: they themselves.
  package init(
    _ reader: CaptureReader, options: FrameDecoder.Options, keepsRepeats: Bool,
    wanted: TransmitterFilter? = nil, custom: (any CustomDecoding)? = nil,
    keys: KeyRing? = nil, batch: Int = RecordBatch.capacity, disturber: RecordDisturber? = nil
  ) {
    self.disturber = disturber
    self.batch = RecordBatch(capacity: batch)
    self.reader = reader
    var options = options
    options.notesSilence = reader.isLive
    decoder = CaptureDecoder(
      options: options, keepsRepeats: keepsRepeats, wanted: wanted, custom: custom,
      keys: keys)
  }

  /// Lends what the last step found: every sighting in brief, and the whole ones that their `whole`
  /// counts in (all of them where repeats are kept).
  package func withSightings<R, E: Error>(
    _ body: (Span<BriefSighting>, Span<Sighting>) throws(E) -> R
  ) throws(E) -> R {
    try decoder.briefs.withSpan { (briefs) throws(E) in
      try decoder.beacons.sightings.withSpan { (wholes) throws(E) in try body(briefs, wholes) }
    }
  }

  /// Fields of the custom beacons of the last step; `Sighting.extra` says whose.
  package var customFields: [CustomFields] { decoder.beacons.customFields }
  package var identities: IdentityTable { decoder.beacons.identities }
  package var transmitters: TransmitterTable { decoder.beacons.transmitters }
  /// When identifiers of beacons with keys were heard; nil where nobody has any.
  package var heardIdentifiers: IdentifierLog? { decoder.beacons.identifiers }
  package var observers: [Observer] { decoder.frames.observers }
  /// What the observers did in the last step.
  package var notes: [ObserverNote] { decoder.frames.notes }
  /// Positions that the last step found, in packets and beside them.
  package var fixes: [PositionFix] { decoder.frames.fixes + reader.log.fixes }
  package var recordsByLink: [(link: LinkType, records: Int)] { decoder.frames.recordsByLink }
  package var frameTally: FrameTally { decoder.frames.tally }
  package var beaconTally: BeaconTally { decoder.beacons.tally }

  /// Reads and decodes the next batch. Returns false when the capture has ended and everything that
  /// waited for more has been handed on.
  package func step() throws(CaptureProblem) -> Bool {
    if isFlushed { return false }
    if !isFinished, try reader.next(into: &batch) {
      if let disturber {
        reader.withBytes { disturber.disturb(&batch, $0) }
      }
      reader.withBytes { bytes in
        batch.records.withSpan { decoder.decode($0, bytes) }
      }
      if !reader.log.marks.isEmpty { decoder.take(reader.log.marks) }
      if reader.isLive { noteSilence() }
      return true
    }
    isFinished = true
    isFlushed = true
    let end = reader.timeSpan.latest
    reader.withBytes { decoder.finish(at: end, $0) }
    return true
  }

  /// What time it is while nothing comes of an observer. What comes of the others says it, too; they
  /// are not exactly in the order of their times.
  private func noteSilence() {
    var now = reader.silentUntil
    if !now.isKnown {
      guard reader.timeSpan.latest.isKnown else { return }
      now = Timestamp(nanoseconds: reader.timeSpan.latest.nanoseconds - FrameDecoder.leastSilence)
      guard now.nanoseconds > silenceNoted.nanoseconds + Self.silenceStep else { return }
    }
    silenceNoted = now
    decoder.noteSilence(until: now, frame: reader.log.frames)
  }
}
