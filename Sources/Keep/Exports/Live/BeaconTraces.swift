package import Analysis
package import Beacons
import CaptureReader
import Regions
import Synchronization

/// The beacons that were heard of late, for a board that stands beside the run.
package final class BeaconTraces: Sendable {
  fileprivate struct State {
    var traces: [BeaconTrace] = []
    /// Places among them, by capture and identity.
    var places: [UInt64: Int] = [:]
    /// The run's clock, which never goes back: who is heard now is heard now, whatever a stamp says.
    var clock = Timestamp.none
    /// When somebody was forgotten last.
    var swept = Timestamp.none
    var notTraced = 0
  }

  /// Nanoseconds: who was not heard for that long leaves the board. Long enough to see who fell silent, and
  /// not so long that identities that change fill it.
  package static let memory: Int64 = 3_600_000_000_000
  /// Beacons at most; more nobody reads.
  private let most: Int
  private let state = Mutex(State())

  package init(most: Int = 4096) { self.most = most }

  /// Those heard in the last hour, and how many sightings are of others that found no room.
  package var now: (traces: [BeaconTrace], notTraced: Int) {
    state.withLock { state in
      state.forget()
      return (state.traces, state.notTraced)
    }
  }

  fileprivate func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    state.withLock { state in
      for place in sightings.indices { state.take(sightings[place], capture, most: most) }
    }
  }
}

extension BeaconTraces.State {
  /// By kind: whether it is telemetry, which names nobody by itself.
  private static let telemetry = BeaconKindTable(otherwise: false) { $0.isTelemetry }
  /// Nanoseconds between two looks for who may be forgotten: each goes through all.
  private static let pause: Int64 = 1_000_000_000

  mutating func take(_ sighting: Sighting, _ capture: CaptureContext, most: Int) {
    guard !Self.telemetry[sighting.kind] else { return }
    if sighting.time.isKnown, !clock.isKnown || sighting.time.nanoseconds > clock.nanoseconds {
      clock = sighting.time
    }
    let key = UInt64(capture.place) << 32 | UInt64(sighting.identity)
    guard let place = places[key] ?? open(key, sighting, capture, most: most) else {
      notTraced += 1
      return
    }
    traces[place].hear(sighting.time.isKnown ? clock : .none, rssi: sighting.rssi)
  }

  /// Nil where there is no room.
  private mutating func open(
    _ key: UInt64, _ sighting: Sighting, _ capture: CaptureContext, most: Int
  ) -> Int? {
    if traces.count >= most { forget() }
    guard traces.count < most else { return nil }
    let identity = capture.identities.identities[Int(sighting.identity)]
    places[key] = traces.count
    traces.append(BeaconTrace(name: Self.name(identity, capture.identities)))
    return traces.count - 1
  }

  mutating func forget() {
    guard clock.isKnown, !swept.isKnown || clock.nanoseconds.since(swept.nanoseconds) >= Self.pause
    else { return }
    swept = clock
    let now = clock.nanoseconds
    let isKept = traces.map { now.since($0.last.nanoseconds) < BeaconTraces.memory }
    guard isKept.contains(false) else { return }
    var kept: [BeaconTrace] = []
    var numbers: [Int: Int] = [:]
    for place in traces.indices where isKept[place] {
      numbers[place] = kept.count
      kept.append(traces[place])
    }
    traces = kept
    places = places.compactMapValues { numbers[$0] }
  }

  private static func name(_ identity: BeaconIdentity, _ table: IdentityTable) -> String {
    let text = BeaconFormats.format(identity.kind).identityText(table.bytes(of: identity))
    let id = TextColumns.shortened(TextColumns.printable(text))
    return identity.kind == .custom ? id : "\(BeaconTable.kind(identity.kind)) \(id)"
  }
}

/// Puts what is heard on the board.
package struct TracingSink: FindingSink {
  private let traces: BeaconTraces

  package init(_ traces: BeaconTraces) { self.traces = traces }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    traces.take(sightings, of: capture)
  }

  package mutating func pause() {}
}
