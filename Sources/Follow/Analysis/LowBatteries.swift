import Beacons
import CaptureReader
package import FrameDecoder

/// Beacons whose telemetry says that a cell of 3 V is nearly empty.
package struct LowBatteries {
  package struct Found: Sendable {
    /// Among the summaries: the first identity that its address sends, or its telemetry where there is none.
    package let place: Int
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
    let low = Self.lowest(beacons)
    guard !low.isEmpty else { return }
    var known: Set<UInt64> = []
    // Telemetry that stands for itself comes last, whatever its kind's number.
    for isTelemetry in [false, true] {
      for place in beacons.indices
      where BeaconFormats.format(beacons.identity(at: place).kind).isTelemetry == isTelemetry {
        for address in beacons.addresses(at: place) {
          guard let millivolts = low[address.rawValue], known.insert(address.rawValue).inserted
          else { continue }
          all.append(Found(place: place, address: address, millivolts: millivolts))
        }
      }
    }
    all.sort { ($0.millivolts, $0.place) < ($1.millivolts, $1.place) }
  }

  /// mV by address, of those that told last that they have so little.
  private static func lowest(_ beacons: BeaconSummaries) -> [UInt64: Int] {
    let statistics = beacons.statistics
    var latest: [UInt64: (time: Int64, millivolts: Int)] = [:]
    for number in 0..<statistics.identities.count
    where telemetryForms[statistics.identities[UInt32(number)].kind] == .plain {
      for member in beacons.members[number] {
        let address = statistics.transmitters[member].address
        let told = TelemetryReading(statistics.rests[Int(member)].extra)
        guard address.isPresent, let millivolts = told.battery else { continue }
        let time = statistics.last(of: Int(member)).nanoseconds
        if let known = latest[address.rawValue], known.time >= time { continue }
        latest[address.rawValue] = (time, millivolts)
      }
    }
    return latest.filter { $0.value.millivolts < below }.mapValues(\.millivolts)
  }
}
