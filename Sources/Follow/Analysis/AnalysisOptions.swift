package import BeaconKeys
package import Beacons
import CaptureReader
package import FrameDecoder

extension Analysis {
  /// What a run does, and for whom.
  package struct Options: Sendable {
    package var decoder = FrameDecoder.Options()
    /// Add sightings up per beacon.
    package var collectsStatistics = true
    /// Read and hash each capture on a thread of its own. Not done with many captures at once:
    /// each takes a thread and a megabyte of buffers.
    package var readsAhead = CaptureReader.canReadAhead
    /// Signals over time, to be drawn; needs the statistics.
    package var series: SeriesSettings?
    /// Most records that are decoded together. What is found does not depend on it.
    package var batch = RecordBatch.capacity
    /// Follow regions, ranging and what belongs to them; needs the statistics.
    package var follow: FollowSettings?
    /// Which part of the time is told of; nil: all of it. Not for sinks and signals, which get everything.
    package var limits: TimeLimits?
    /// Reads what a worse radio would have heard; nil: what there is.
    package var disturbance: Disturbance?
    /// Whose sightings are followed whole, each of them.
    package var wanted: TransmitterFilter?
    /// What the names of a capture's observers begin with, by the capture's name, where that is known from
    /// elsewhere: a case, or the other side of a comparison.
    package var stems: [String: String] = [:]
    /// Observers that go on in other files: by place of the capture, its common name.
    package var observerNames: [Int: String] = [:]
    /// Decodes beacons that no format here knows, of all captures.
    package var custom: (any CustomDecoding)?
    /// Of beacons whose identifiers change; nil: nobody has any.
    package var keys: KeyRing?
    /// Look how the clocks of several captures go by one another; needs the statistics.
    package var comparesClocks = false
    /// Look at what only a comparison of beacons asks: how uptimes go, and by how much intervals may be off; needs the
    /// statistics.
    package var comparesBeacons = false
    /// Look whether captures hold the same signals at other times; of several that are added up this is done anyway.
    package var comparesSignals = false

    /// What those who follow need of the decoder.
    mutating func grant(_ follow: FollowSettings) {
      let wishes = follow.judge?.wishes
      wanted = wanted ?? follow.wanted(wishes)
      custom = custom ?? follow.custom
      keys = keys ?? follow.keys
      if observerNames.isEmpty { observerNames = follow.observerNames }
      // Within shorter silences somebody may be heard and another tick be far: then each record is one.
      // Between two ticks who was heard last is known, and a duty cycle may leave that one out.
      if follow.shortestExit < 2 * decoder.tick || follow.hasDutyCycle { decoder.tick = 1 }
      if wishes?.malformed == true { decoder.notesMalformed = true }
      if wishes?.clock == true { decoder.notesClock = true }
    }

    /// The observer that a capture has in common with others; nil where it is one of its own.
    /// - Parameter kept: what its observers are called in a case: those that are said to be of that one are.
    func commonName(of capture: UInt32, kept: String?) -> String? {
      if let name = observerNames[Int(capture)] { return name }
      return kept.flatMap { observerNames.values.contains($0) ? $0 : nil }
    }

    package init() {}
  }
}
