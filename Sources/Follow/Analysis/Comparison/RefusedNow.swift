package import Beacons
package import FrameDecoder

extension Comparison {
  /// Payloads that an address of a missing beacon sends now and did not before, which claim to be a beacon and are none.
  package struct RefusedNow: Sendable {
    package let address: DeviceAddress
    package let reason: BeaconReason
    package let count: Int
  }

  /// Of all addresses.
  func refusedNow() -> [DeviceAddress: [RefusedNow]] {
    let known = before.refused
    return now.refused.reduce(into: [:]) { found, one in
      guard known[one.key] == nil else { return }
      found[one.key.address, default: []].append(
        RefusedNow(address: one.key.address, reason: one.key.reason, count: one.value))
    }
  }

  /// Of those that sent the beacon before, most frequent first.
  func refusedNow(_ place: Int, _ all: [DeviceAddress: [RefusedNow]]) -> [RefusedNow] {
    guard !all.isEmpty else { return [] }
    let addresses = Set(
      before.members(of: place).map { before.beacons.statistics.transmitters[$0].address })
    return addresses.filter(\.isPresent).flatMap { all[$0] ?? [] }.sorted {
      ($1.count, $0.address.rawValue, $0.reason.rawValue)
        < ($0.count, $1.address.rawValue, $1.reason.rawValue)
    }
  }
}

extension ComparedSide {
  /// How often what was refused, of all captures.
  fileprivate var refused: [RefusedPayloads.Sender: Int] {
    var counts: [RefusedPayloads.Sender: Int] = [:]
    for entry in result.captures.flatMap(\.accounting.refused) {
      let sender = RefusedPayloads.Sender(address: entry.address, reason: entry.reason)
      counts[sender, default: 0] += entry.count
    }
    return counts
  }
}
