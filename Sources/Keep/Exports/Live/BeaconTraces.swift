package import Analysis
package import Beacons
import CaptureReader
import Regions
import Synchronization

/// The beacons that were heard of late, for a board that stands beside the run.
package final class BeaconTraces: Sendable {
  fileprivate struct State {
    var traces: [UInt64: BeaconTrace] = [:]
    var latest = Timestamp.none
    var notTraced = 0
  }

  /// Nanoseconds: who was not heard for that long leaves the board.
  package static let memory: Int64 = 600_000_000_000
  /// Beacons at most; more nobody reads.
  private let most: Int
  private let state = Mutex(State())

  package init(most: Int = 4096) { self.most = most }

  /// Those heard in the last ten minutes, and how many sightings are of others that found no room.
  package var now: (traces: [BeaconTrace], notTraced: Int) {
    state.withLock { state in
      state.forget()
      return (Array(state.traces.values), state.notTraced)
    }
  }

  fileprivate func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    state.withLock { state in
      for place in sightings.indices { state.take(sightings[place], capture, most: most) }
    }
  }
}

extension BeaconTraces.State {
  mutating func take(_ sighting: Sighting, _ capture: CaptureContext, most: Int) {
    // Telemetry names nobody by itself.
    guard !BeaconFormats.format(sighting.kind).isTelemetry else { return }
    if sighting.time.isKnown { latest = sighting.time }
    let key = UInt64(capture.place) << 32 | UInt64(sighting.identity)
    if traces[key] == nil {
      if traces.count >= most { forget() }
      guard traces.count < most else {
        notTraced += 1
        return
      }
      let identity = capture.identities.identities[Int(sighting.identity)]
      traces[key] = BeaconTrace(name: Self.name(identity, capture.identities))
    }
    traces[key]?.hear(sighting.time, rssi: sighting.rssi)
  }

  mutating func forget() {
    guard latest.isKnown else { return }
    let now = latest.nanoseconds
    traces = traces.filter { now.since($0.value.last.nanoseconds) < BeaconTraces.memory }
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
