import Analysis
import Beacons

extension Remarks {
  private static let mostLow = 5

  /// Batteries that are nearly empty; a handful, and how many more there are.
  static func lowBatteries(_ beacons: BeaconSummaries, _ names: BeaconNames) -> [Remark] {
    let all = LowBatteries(beacons).all
    let limit = TextColumns.grouped(LowBatteries.below)
    var remarks = all.prefix(mostLow).map { low -> Remark in
      let identity = beacons.identity(at: low.place)
      let id = beacons.text(identity)
      let name =
        BeaconFormats.format(identity.kind).isTelemetry
        ? BeaconTable.address(low.address) : names.name(low.place, id: id)
      return Remark(
        "battery_low", beacon: (identity.kind, id),
        "\(name) says that its battery has \(TextColumns.grouped(low.millivolts)) mV: a cell of 3 V is nearly "
          + "empty below \(limit) mV.")
    }
    let more = all.count - remarks.count
    if more > 0 {
      remarks.append(
        Remark(
          "battery_low",
          "\(TextColumns.counted(more, "more beacon")) with less than \(limit) mV."))
    }
    return remarks
  }
}
