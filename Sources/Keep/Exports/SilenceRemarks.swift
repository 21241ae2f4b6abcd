import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

extension Remarks {
  private static let mostSilent = 5

  /// Radios that lost their hearing; then beacons that fell silent, the longest silence first: a handful, and
  /// how many more there are. Whom such a radio does not hear any more is told of with it alone.
  static func silent(
    _ result: AnalysisResult, _ beacons: BeaconSummaries, _ names: BeaconNames
  ) -> [Remark] {
    let losses = HearingLoss.all(result, beacons)
    let all = SilentBeacons(result, beacons).all.filter { silent in
      !losses.contains { $0.explains(silent) }
    }
    return lostHearing(losses, result) + silent(all, result, beacons, names)
  }

  private static func silent(
    _ all: [SilentBeacon], _ result: AnalysisResult, _ beacons: BeaconSummaries,
    _ names: BeaconNames
  ) -> [Remark] {
    let naming = result.observers.count > 1
    var remarks = all.prefix(mostSilent).map { silent -> Remark in
      let identity = beacons.identity(at: silent.place)
      let id = beacons.text(identity)
      let radio = naming ? "radio of \(result.observers[silent.observer])" : "radio"
      let who = naming ? self.who(silent, result.observers) : ""
      return Remark(
        "fell_silent", beacon: (identity.kind, id),
        "\(names.name(silent.place, id: id)) \(story(silent, radio, who)) "
          + TextColumns.counted(silent.others, "other", "others") + ".")
    }
    let more = all.count - remarks.count
    if more > 0 {
      remarks.append(
        Remark(
          "fell_silent",
          "\(TextColumns.counted(more, "more beacon")) fell silent like that, later."))
    }
    return remarks
  }

  private static let mostWho = 4

  /// ` (last by gate, until 07:31:28 by hall)`: the radio that went on listening may be another one than the one that
  /// it passed last.
  private static func who(_ silent: SilentBeacon, _ names: [String]) -> String {
    let parts = silent.heardLast.prefix(mostWho).map { heard in
      let when =
        heard.until == silent.last ? "last" : "until \(TextColumns.clock(heard.until))"
      return "\(when) by \(names[heard.observer])"
    }
    let more = silent.heardLast.count - parts.count
    let others = more > 0 ? " and \(TextColumns.counted(more, "other"))" : ""
    return " (\(parts.joined(separator: ", "))\(others))"
  }

  /// What is known of it, up to how many others were heard.
  /// - Parameter who: heard it last; empty where there is one radio only.
  private static func story(_ silent: SilentBeacon, _ radio: String, _ who: String) -> String {
    let every = "every \(TextColumns.interval(silent.interval))"
    let until = "until \(moment(silent.end, behind: silent.pause?.to ?? silent.last))"
    let listened = TextColumns.duration(silent.listened)
    let whole = silent.end.nanoseconds.since(silent.last.nanoseconds)
    guard let pause = silent.pause else {
      // Between the files of a rotated recording nobody is heard for a second, too.
      let part = whole - silent.listened >= RecordGaps.least ? " (for \(listened) of it)" : ""
      return
        "was not heard any more from \(moment(silent)) on\(who), before that \(every): the \(radio) "
        + "went on listening \(until)\(part) and heard"
    }
    let to = moment(pause.to, behind: pause.from)
    return
      "was last heard at \(moment(silent))\(who), \(every) up to then: the \(radio) did not listen from "
      + "\(TextColumns.clock(pause.from)) to \(to), and when it listened again, for \(listened) \(until), "
      + "it did not hear it, but"
  }

  /// The last sighting; with its day, where that is not the day of the recording's end.
  private static func moment(_ silent: SilentBeacon) -> String {
    let day = TextColumns.date(silent.last)
    return day == TextColumns.date(silent.end)
      ? TextColumns.clockAndZone(silent.last) : TextColumns.moment(silent.last)
  }

  /// With its day, where that is another one than of what stands before it.
  private static func moment(_ time: Timestamp, behind before: Timestamp) -> String {
    TextColumns.date(time) == TextColumns.date(before)
      ? TextColumns.clockAndZone(time) : TextColumns.moment(time)
  }
}
