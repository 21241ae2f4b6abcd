package import Beacons
package import CaptureReader
package import FrameDecoder

/// A rule of a plugin's own. Asked for every sighting that reaches it; true is a match, and that
/// sighting the evidence (SEMANTICS 2).
package protocol RegionPredicate: Sendable {
  /// - Throws: where nobody knows: the rule failed, or is not asked any more. It is no match then, and no silence
  ///   over it proves anything.
  func matches(_ candidate: RegionCandidate) throws(RegionRuleFailure) -> Bool
  /// What stands for it where regions are written, such as `lua:crowded`; part of the ids of the
  /// region's events.
  var text: String { get }
}

/// A rule gave no answer.
package struct RegionRuleFailure: Error {
  package init() {}
}

extension RegionPredicate {
  package var text: String { "custom" }
}

/// A sighting as a predicate sees it.
package struct RegionCandidate: Sendable {
  /// When it is handled: never before the observer's clock.
  package let time: Timestamp
  package let frame: Int
  /// The run's number.
  package let transmitter: UInt32
  package let observer: UInt32
  package let identity: BeaconIdentity
  package let address: DeviceAddress
  /// dBm; 127 where it is not available.
  package let rssi: Int8
  /// As it was on the air: dBm at the distance that the format says; 0 for telemetry.
  package let power: Int8
}
