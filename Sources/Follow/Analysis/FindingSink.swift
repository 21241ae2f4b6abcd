package import Beacons
import CaptureReader

/// Takes what an analysis finds, a run at a time; never per sighting.
package protocol FindingSink {
  /// Whether it wants sightings at all; they are not made for nobody.
  var takesSightings: Bool { get }
  /// Sightings of one capture, in its order; runs of several captures come by time.
  mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws
  /// Nothing more may come for a while (a pipe), or at all: what is held back goes out. It is no end.
  mutating func pause() throws
}

extension FindingSink {
  package var takesSightings: Bool { true }
}

/// What a sink needs to know of the capture behind a run.
package struct CaptureContext {
  /// Which of the run's captures this is, from 0.
  package let place: Int
  /// As the user named it.
  package let name: String
  /// The capture's own numbering of identities.
  package let identities: IdentityTable
  /// Names by the capture's own observer numbers.
  package let observers: [String]
  /// The run's observer number per observer of the capture.
  package let observerNumbers: [UInt32]
  /// The run's transmitter number per transmitter of the capture; none where they are the same.
  package let transmitterNumbers: [UInt32]
}

/// A sink for when only the statistics are wanted.
package struct NoSink: FindingSink {
  package let takesSightings = false
  package init() {}
  package mutating func take(_: Span<Sighting>, of _: CaptureContext) {}
  package mutating func pause() {}
}

/// A sink chosen at run time. The indirection is paid once a run, not per sighting.
package struct SinkBox: FindingSink {
  private var sink: any FindingSink

  package init(_ sink: any FindingSink) { self.sink = sink }

  package var takesSightings: Bool { sink.takesSightings }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    try sink.take(sightings, of: capture)
  }

  package mutating func pause() throws { try sink.pause() }
}
