import Analysis
import Beacons

extension Remarks {
  private static let mostOdd = 5

  /// Beacons that state another power than their like; a handful, and how many more there are.
  static func oddPowers(_ beacons: BeaconSummaries) -> [Remark] {
    let all = OddPowers(beacons).all
    var remarks = all.prefix(mostOdd).map { odd -> Remark in
      let identity = beacons.identity(at: odd.place)
      let id = beacons.text(identity)
      let format = BeaconFormats.format(identity.kind)
      let make = format.levels.filter { $0.bytes.upperBound <= format.sharedBytes }
        .map(\.word).joined(separator: " and ")
      let decibels = odd.power - odd.usual
      return Remark(
        "power_unlike_others", beacon: (identity.kind, id),
        "\(TextColumns.shortened(id)) states \(signed(odd.power)) dBm, "
          + "\(like(odd)) of its \(make) \(signed(odd.usual)) dBm: unless it is set to send "
          + "\(decibels < 0 ? "more weakly" : "more strongly"), what is told of its distance is "
          + "\(Figures.factor(decibels: abs(decibels))) times too \(decibels < 0 ? "short" : "long")."
      )
    }
    let more = all.count - remarks.count
    if more > 0 {
      remarks.append(
        Remark(
          "power_unlike_others",
          "\(TextColumns.counted(more, "more beacon")) like that: other powers than nearly all others "
            + "of their UUID or namespace."))
    }
    return remarks
  }

  /// `all 36 others`, `35 of the 36 others`
  private static func like(_ odd: OddPower) -> String {
    let others = TextColumns.grouped(odd.others)
    return odd.agreeing == odd.others
      ? "all \(others) others" : "\(TextColumns.grouped(odd.agreeing)) of the \(others) others"
  }
}
