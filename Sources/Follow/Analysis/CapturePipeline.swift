package import Beacons
package import CaptureReader
package import FrameDecoder

/// One capture on its way from bytes to sightings, a batch at a time.
package final class CapturePipeline {
  package let reader: CaptureReader
  package private(set) var frames: FrameDecoder
  package private(set) var beacons = BeaconDecoder()
  private var batch = RecordBatch()
  private var isFinished = false
  private var isFlushed = false

  package init(_ reader: CaptureReader, options: FrameDecoder.Options) {
    self.reader = reader
    frames = FrameDecoder(options: options)
  }

  /// Lends the sightings of the last step.
  package func withSightings<R, E: Error>(_ body: (Span<Sighting>) throws(E) -> R) throws(E) -> R {
    try beacons.sightings.withSpan(body)
  }

  /// Reads and decodes the next batch. Returns false when the capture has ended and everything that
  /// waited for more has been handed on.
  package func step() throws(CaptureProblem) -> Bool {
    if isFlushed { return false }
    if !isFinished, try reader.next(into: &batch) {
      reader.withBytes { bytes in
        batch.records.withSpan { frames.decode($0, bytes) }
        frames.reports.withSpan { beacons.decode($0, bytes, joined: frames.joined) }
      }
      return true
    }
    isFinished = true
    isFlushed = true
    frames.finish(at: reader.timeSpan.latest)
    reader.withBytes { bytes in
      frames.reports.withSpan { beacons.decode($0, bytes, joined: frames.joined) }
    }
    return true
  }
}
