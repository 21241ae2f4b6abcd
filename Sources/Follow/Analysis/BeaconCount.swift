import Beacons
import FrameDecoder

/// How many beacons were heard so far, as `BeaconSummaries` has them at the end: telemetry belongs to the beacons of
/// its address, and counts where there are none.
struct BeaconCount {
  /// Transmitters that have been looked at.
  private var seen = 0
  private var identities: Set<UInt32> = []
  /// Who sends an identity that is no telemetry.
  private var beacons: Set<DeviceAddress> = []
  /// Who sends telemetry, by its identity.
  private var telemetry: [UInt32: [DeviceAddress]] = [:]

  /// - Parameter tables: the same as before, with more in them.
  mutating func count(_ tables: RunTables) -> Int {
    while seen < tables.transmitters.count {
      add(tables.transmitters[UInt32(seen)], tables.identities)
      seen += 1
    }
    let alone = telemetry.values.count { addresses in
      !addresses.allSatisfy { $0.isPresent && beacons.contains($0) }
    }
    return identities.count + alone
  }

  private mutating func add(_ transmitter: Transmitter, _ table: IdentityTable) {
    let kind = table[transmitter.identity].kind
    if BeaconFormats.format(kind).isTelemetry {
      telemetry[transmitter.identity, default: []].append(transmitter.address)
    } else {
      identities.insert(transmitter.identity)
      // A device is no beacon of its address.
      if kind != .device { beacons.insert(transmitter.address) }
    }
  }
}
