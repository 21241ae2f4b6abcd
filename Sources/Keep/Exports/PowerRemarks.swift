import Analysis
import Beacons

extension Remarks {
  private static let mostOdd = 5

  /// A handful, and how many more there are.
  /// - Parameter more: a sentence about so many, and the code of the first of them.
  static func handful<Found>(
    of all: [Found], more: (_ count: Int, _ first: Found) -> Remark, _ remark: (Found) -> Remark
  ) -> [Remark] {
    let told = all.prefix(mostOdd)
    guard let first = all.dropFirst(mostOdd).first else { return told.map(remark) }
    return told.map(remark) + [more(all.count - told.count, first)]
  }

  /// Beacons that state another power than their like; a handful, and how many more there are.
  static func oddPowers(_ beacons: BeaconSummaries, _ names: BeaconNames) -> [Remark] {
    handful(
      of: OddPowers(beacons).all,
      more: { count, _ in
        Remark(
          "power_unlike_others",
          "\(TextColumns.counted(count, "more beacon")) like that: other powers than nearly all others of their UUID or "
            + "namespace.")
      }
    ) { odd in
      let identity = beacons.identity(at: odd.place)
      let id = beacons.text(identity)
      let make = make(identity.kind)
      let decibels = odd.power - odd.usual
      return Remark(
        "power_unlike_others", beacon: (identity.kind, id),
        "\(names.name(odd.place, id: id)) states \(signed(odd.power)) dBm, "
          + "\(like(odd.agreeing, odd.others)) of its \(make) \(signed(odd.usual)) dBm: unless it is set to send "
          + "\(decibels < 0 ? "more weakly" : "more strongly"), what is told of its distance is "
          + "\(Figures.factor(decibels: abs(decibels))) times too \(decibels < 0 ? "short" : "long")."
      )
    }
  }

  /// Beacons that send more often or less often than their like; a handful, and how many more there are.
  static func oddIntervals(_ beacons: BeaconSummaries, _ names: BeaconNames) -> [Remark] {
    handful(
      of: OddIntervals(beacons).all,
      more: { count, _ in
        Remark(
          "interval_unlike_others",
          "\(TextColumns.counted(count, "more beacon")) like that: other intervals than nearly all others of their UUID or "
            + "namespace.")
      }
    ) { odd in
      let identity = beacons.identity(at: odd.place)
      let id = beacons.text(identity)
      let consequence =
        odd.interval > odd.usual
        ? "it is found later, and a silence of it says less" : "its battery will not last as long"
      return Remark(
        "interval_unlike_others", beacon: (identity.kind, id),
        "\(names.name(odd.place, id: id)) sends every \(TextColumns.interval(odd.interval)), "
          + "\(like(odd.agreeing, odd.others)) of its \(make(identity.kind)) every "
          + "\(TextColumns.interval(odd.usual)): unless that is meant, set it like them; \(consequence)."
      )
    }
  }

  /// `UUID`, `namespace`: what it shares with its like.
  private static func make(_ kind: BeaconKind) -> String {
    let format = BeaconFormats.format(kind)
    return format.levels.filter { $0.bytes.upperBound <= format.sharedBytes }
      .map(\.word).joined(separator: " and ")
  }

  /// `all 36 others`, `35 of the 36 others`
  private static func like(_ agreeing: Int, _ all: Int) -> String {
    let others = TextColumns.grouped(all)
    return agreeing == all
      ? "all \(others) others" : "\(TextColumns.grouped(agreeing)) of the \(others) others"
  }
}
