import Beacons
import CaptureReader
package import FrameDecoder

/// Beacons whose telemetry says that a cell of 3 V is nearly empty: each once, whatever addresses it has had.
package struct LowBatteries {
  package struct Found: Sendable {
    /// Among the summaries: the first identity that its addresses send, or its telemetry where there is none.
    package let place: Int
    /// The one that told it.
    package let address: DeviceAddress
    /// As it was told last.
    package let millivolts: Int
  }

  /// Cells of 3 V fall fast from here on, as `low-battery`, a rule, has it, too.
  package static let below = 2400
  private static let telemetryForms = BeaconKindTable(otherwise: TelemetryForm.none) {
    $0.telemetry
  }

  /// The lowest first.
  package private(set) var all: [Found] = []

  package init(_ beacons: BeaconSummaries) {
    let latest = Self.latest(beacons)
    guard latest.values.contains(where: { $0.millivolts < Self.below }) else { return }
    var known: Set<UInt64> = []
    // Telemetry that stands for itself comes last, whatever its kind's number, each address by itself.
    for isTelemetry in [false, true] {
      for place in beacons.indices
      where BeaconFormats.format(beacons.identity(at: place).kind).isTelemetry == isTelemetry {
        let addresses = Set(beacons.addresses(at: place).filter { latest[$0.rawValue] != nil })
        let sorted = addresses.sorted { $0.rawValue < $1.rawValue }
        for group in isTelemetry ? sorted.map({ [$0] }) : [sorted] {
          add(place, group, latest, &known)
        }
      }
    }
    all.sort { ($0.millivolts, $0.place) < ($1.millivolts, $1.place) }
  }

  /// By what the latest of a beacon's addresses told, unless another identity of one of them has been told of.
  private mutating func add(
    _ place: Int, _ addresses: [DeviceAddress], _ latest: [UInt64: Reading],
    _ known: inout Set<UInt64>
  ) {
    guard !addresses.isEmpty, known.isDisjoint(with: addresses.map(\.rawValue)) else { return }
    known.formUnion(addresses.map(\.rawValue))
    let readings = addresses.map { (address: $0, reading: latest[$0.rawValue] ?? Reading()) }
    guard let last = readings.max(by: { $0.reading.time < $1.reading.time }),
      last.reading.millivolts < Self.below
    else { return }
    all.append(
      Found(place: place, address: last.address, millivolts: last.reading.millivolts))
  }

  private struct Reading {
    var time = Int64.min
    var millivolts = Int.max
  }

  /// What each address told last.
  private static func latest(_ beacons: BeaconSummaries) -> [UInt64: Reading] {
    let statistics = beacons.statistics
    var latest: [UInt64: Reading] = [:]
    for number in 0..<statistics.identities.count
    where telemetryForms[statistics.identities[UInt32(number)].kind] == .plain {
      for member in beacons.members[number] {
        let address = statistics.transmitters[member].address
        let told = TelemetryReading(statistics.rests[Int(member)].extra)
        guard address.isPresent, let millivolts = told.battery else { continue }
        let time = statistics.last(of: Int(member)).nanoseconds
        if let known = latest[address.rawValue], known.time >= time { continue }
        latest[address.rawValue] = Reading(time: time, millivolts: millivolts)
      }
    }
    return latest
  }
}
