import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Copies of beacons that addresses do not tell, and beacons that somebody invents.
extension Remarks {
  /// Addresses that two devices send from, each near a receiver of its own; a handful, and how many more there are.
  static func doubledAddresses(
    _ result: AnalysisResult, _ beacons: BeaconSummaries, _ names: BeaconNames
  ) -> [Remark] {
    guard let compared = result.clocks else { return [] }
    return handful(
      of: compared.doubled,
      more: { count, _ in
        Remark(
          "address_doubled",
          "\(TextColumns.counted(count, "more address", "more addresses")) like that, that two devices seem to use."
        )
      }
    ) { doubled in
      let clocks = [doubled.clocks.most, doubled.clocks.other].map {
        TextColumns.printable(compared.clocks[$0].name)
      }
      let address = beacons.first(sentFrom: doubled.address)
      let id = address.map { beacons.text(beacons.identity(at: $0.place)) }
      let what = address.map { names.name($0.place, id: id ?? "") } ?? "A beacon"
      let from = address.map { BeaconTable.address($0.address) } ?? "one address"
      let together =
        doubled.common == 0
        ? "never at the same moment"
        : "\(TextColumns.counted(doubled.common, "time")) at the same moment"
      return Remark(
        "address_doubled",
        beacon: address.map { (beacons.identity(at: $0.place).kind, id ?? "") },
        "\(what) seems to be sent by two devices from one address, \(from): while both heard it, \(clocks[0]) did "
          + "\(TextColumns.counted(doubled.heard.most, "time")) and \(clocks[1]) "
          + "\(TextColumns.grouped(doubled.heard.other)), \(together), where of one sender both would have heard some "
          + "\(TextColumns.grouped(doubled.expected)) packets, as they do of others. One may be a copy, address and all"
          + (doubled.mayTakeTurns
            ? "; or it sends on one channel, on which these receivers never listen at once." : ".")
      )
    }
  }

  /// Identities that were heard once or twice each, far more of them than a site has.
  static func invented(_ beacons: BeaconSummaries) -> [Remark] {
    InventedBeacons(beacons).all.map { group in
      let name = BeaconTable.kind(group.kind)
      return Remark(
        "identities_invented",
        "\(TextColumns.grouped(group.seldom)) of \(TextColumns.grouped(group.all)) \(name) identities were heard no "
          + "more than \(InventedBeacons.seldom) times each: nobody has so many beacons. Somebody invents them, a device puts numbers into its identity, "
          + "or packets are damaged that are not known as such."
      )
    }
  }
}
