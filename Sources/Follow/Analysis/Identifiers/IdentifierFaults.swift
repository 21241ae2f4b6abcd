package import BeaconKeys
import Beacons
import CaptureReader
import FrameDecoder

/// What a beacon with a key does wrong itself.
extension OddIdentifiers {
  /// Identifiers that last for longer or shorter than the key says: the clock that makes them does not run as it should.
  package struct Pace: Sendable {
    /// Of the ring's keys.
    package let key: Int
    /// The capture's, in the run.
    let place: Int
    let observer: String
    /// Nanoseconds.
    package let lasts: Int64
    /// By how many it is known.
    let changes: Int

    /// Whether something looks odd because of that: it is seen by a clock that runs.
    func explains(_ found: Found) -> Bool {
      guard found.heard.key == key, found.heard.place == place, found.heard.observer == observer
      else { return false }
      // Where another receiver heard the key go right at the time, it is somebody else who sends that.
      return found.others == nil
    }
  }

  /// Encrypted telemetry that the key of its address's identifier does not open, in all captures.
  package struct Unopened: Sendable {
    package let name: String
    package fileprivate(set) var frames = 0
    /// What the key opened beside them.
    package fileprivate(set) var opened = 0
    /// Where the first one is.
    package fileprivate(set) var capture: String
    package fileprivate(set) var frame: Int
    fileprivate(set) var spans: [(first: Timestamp, last: Timestamp)] = []
  }

  /// The one that is known best of a key's; nil where none is off.
  package func pace(of key: BeaconKey, in ring: KeyRing) -> Pace? {
    paces.filter { ring.keys[$0.key].name == key.name }.max { $0.changes < $1.changes }
  }

  static func unopened(
    _ captures: [(place: UInt32, facts: CaptureFacts)], _ ring: KeyRing
  ) -> [Unopened] {
    var found: [Int: Unopened] = [:]
    for (_, facts) in captures {
      let all = facts.identifiers?.telemetry ?? []
      for (whose, telemetry) in all {
        // Of several receivers of a capture the first frame is that of any.
        let first = all.filter { $0.place.key == whose.key && $0.telemetry.unopened.count > 0 }
          .map(\.telemetry.unopened.firstFrame).min()
        var sum =
          found[whose.key]
          ?? Unopened(name: ring.keys[whose.key].name, capture: facts.name, frame: first ?? 0)
        // The first capture in which there are any.
        if sum.frames == 0, let first { (sum.capture, sum.frame) = (facts.name, first) }
        sum.frames += telemetry.unopened.count
        sum.opened += telemetry.opened
        if telemetry.unopened.count > 0 { sum.spans.append((telemetry.first, telemetry.last)) }
        found[whose.key] = sum
      }
    }
    return found.filter { $0.value.frames > 0 }.sorted { $0.key < $1.key }.map(\.value)
  }
}
