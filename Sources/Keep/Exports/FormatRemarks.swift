import Analysis
import Beacons

extension Remarks {
  private static let mostFaulty = 4

  /// What is odd about formats, and what comes of it. Not a UID without its two reserved bytes: it is allowed.
  private static let faults: [(warning: BeaconWarnings, code: String, text: String)] = [
    (
      .iBeaconNotFirst, "ibeacon_not_first_tlv",
      "with an iBeacon behind another element of Apple's, where receivers may not look for it"
    ),
    (
      .trailingBytes, "trailing_bytes",
      "with bytes behind what the format ends with; receivers that ask for the exact length do not take that"
    ),
    (.reservedNonzero, "rfu_nonzero", "with reserved bytes that are not zero"),
    (
      .powerOutOfRange, "power_out_of_range",
      "with a power that the format does not have"
    ),
    (
      .eddystoneNotListed, "eddystone_uuid_not_listed",
      "without the UUID feaa in the list of services, which Eddystone asks for; receivers that filter by it miss that"
    ),
    (
      .urlReservedCode, "url_reserved_code",
      "with bytes in the URL that are reserved, told as %XX"
    ),
    (.urlLongerThan17, "url_longer_than_17", "with a longer URL than Eddystone allows"),
  ]

  /// One for each fault, whichever beacons have it.
  static func formats(_ beacons: BeaconSummaries, _ names: BeaconNames) -> [Remark] {
    FormatFaults(beacons, faults.map(\.warning), first: mostFaulty).all.compactMap { found in
      guard let fault = faults.first(where: { $0.warning == found.warning }) else { return nil }
      let all = found.first.map { place in
        let identity = beacons.identity(at: place)
        return (kind: identity.kind, id: beacons.text(identity), place: place)
      }
      let told = all.map { "\(BeaconTable.kind($0.kind)) \(names.name($0.place, id: $0.id))" }
      let more = found.count - told.count
      return Remark(
        fault.code, beacon: all.first.map { ($0.kind, $0.id) },
        "\(TextColumns.counted(found.count, "beacon is", "beacons are")) sent \(fault.text) (\(fault.code)): "
          + told.joined(separator: ", ")
          + (more > 0 ? " and \(TextColumns.grouped(more)) more." : "."))
    }
  }
}
