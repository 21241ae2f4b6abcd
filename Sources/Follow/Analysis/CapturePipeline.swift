package import Beacons
package import CaptureReader
package import FrameDecoder

/// One capture on its way from bytes to sightings, a batch at a time.
package final class CapturePipeline {
  /// Before the end only what does not change may be asked of it.
  package let reader: CaptureReader
  /// Where the reader works on a thread of its own.
  private let ahead: ReadAhead?
  /// Records of the batch read ahead that have been decoded.
  private var taken = 0
  private var decoder: CaptureDecoder
  private var batch = RecordBatch()
  private var isFinished = false
  private var isFlushed = false

  package init(
    _ reader: CaptureReader, options: FrameDecoder.Options, keepsRepeats: Bool, readsAhead: Bool
  ) {
    self.reader = reader
    ahead = readsAhead ? ReadAhead(reader) : nil
    decoder = CaptureDecoder(options: options, keepsRepeats: keepsRepeats)
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

  package var interfaces: [CaptureInterface] { ahead?.interfaces ?? reader.log.interfaces }
  package var bytesRead: Int64 { ahead?.bytesRead ?? reader.bytesRead }
  package var records: Int { ahead?.frames ?? reader.log.frames }
  package var identities: IdentityTable { decoder.beacons.identities }
  package var transmitters: TransmitterTable { decoder.beacons.transmitters }
  package var observers: [Observer] { decoder.frames.observers }
  package var recordsByLink: [(link: LinkType, records: Int)] { decoder.frames.recordsByLink }
  package var frameTally: FrameTally { decoder.frames.tally }
  package var beaconTally: BeaconTally { decoder.beacons.tally }

  /// Reads and decodes the next batch. Returns false when the capture has ended and everything that
  /// waited for more has been handed on.
  package func step() throws(CaptureProblem) -> Bool {
    if isFlushed { return false }
    if !isFinished, try decodeNext() { return true }
    isFinished = true
    isFlushed = true
    let end = reader.timeSpan.latest
    reader.withBytes { decoder.finish(at: end, $0) }
    return true
  }

  private func decodeNext() throws(CaptureProblem) -> Bool {
    guard let ahead else {
      guard try reader.next(into: &batch) else { return false }
      reader.withBytes { bytes in
        batch.records.withSpan { decoder.decode($0, bytes) }
      }
      return true
    }
    if taken == ahead.count {
      guard try ahead.next() else { return false }
      taken = 0
    }
    // In parts: what a part gives stays near the processor until it has been counted.
    let end = min(taken + RecordBatch.capacity, ahead.count)
    ahead.withBatch { records, bytes in
      decoder.decode(records.extracting(taken..<end), bytes)
    }
    taken = end
    return true
  }
}
