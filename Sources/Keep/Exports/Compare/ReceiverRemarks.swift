import Analysis
import CaptureReader
import FrameDecoder

/// Where it is the radios that differ, and not the beacons.
enum ReceiverRemarks {
  private static let mostNames = 3

  /// The first names, and how many more there are.
  private static func listed(_ names: [String]) -> String {
    let more = names.count - mostNames
    return names.prefix(mostNames).map { TextColumns.printable($0) }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  static func all(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let late = comparison.latelyFrom.map { from in
      comparison.signalsLately.map { moved($0, comparison, since: from) } ?? []
    }
    // A radio that hears otherwise all the time is none of these.
    let always = moved(comparison.signals, comparison, since: nil)
    return unjoined(comparison) + doubts(comparison) + asOne(comparison)
      + controllers(comparison) + channels(comparison) + listenedLess(comparison)
      + tooShort(comparison)
      + always + (late ?? []) + notLately(comparison)
  }

  /// Files of one radio, it seems, that are taken for many.
  private static func unjoined(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    guard let found = comparison.unjoined else { return [] }
    let sides = [(found.before, "BEFORE"), (found.now, "AFTER")].filter { $0.0 > 0 }
    let captures = sides.map { "\(TextColumns.grouped($0.0)) captures of \($0.1)" }
    return [
      (
        "captures_not_joined",
        "\(captures.joined(separator: " and ")) follow one another, each taken for a radio of its own: a beacon "
          + "that was away for longer than one of them is not told as such. "
          + (found.haveFolders
            ? "If one radio wrote each folder: --observers folder"
            : "If one radio wrote them all: --observer NAME=FILE,FILE")
      )
    ]
  }

  /// Captures of one name that no folder tells apart.
  private static func doubts(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    comparison.doubts.map { doubt in
      (
        "radio_not_told",
        "\(listed(doubt.before)) of BEFORE and \(listed(doubt.now)) of AFTER have one file name, and their "
          + "folders do not say which is which: none of them is compared with another. Folders of one name on "
          + "both sides would tell."
      )
    }
  }

  private static func asOne(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let inTurn = comparison.radios.inTurn
    if inTurn.count > 1, comparison.unjoined == nil {
      return [
        (
          "radios_in_turn",
          "\(listed(inTurn)) listened one after the other on both sides: they are "
            + "taken as one receiver, and which of them hears a beacon, and how well, is not compared. If they are "
            + "several receivers, or walks, a folder for each on either side and --observers folder compare those "
            + "of one name."
        )
      ]
    }
    guard comparison.radios.areTakenAsOne else { return [] }
    return [
      (
        "radios_as_one",
        "No receiver has one name on both sides: those of a side are taken as one, and which of them "
          + "hears a beacon, and how well, is not compared. Files of one name on both sides would tell."
      )
    ]
  }

  /// Whose number is another one now, and what has another's name.
  private static func controllers(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let renamed = comparison.radios.renamed.prefix(mostNames).map {
      radio -> CompareRemarks.Remark in
      (
        "controller_renumbered",
        "\(TextColumns.printable(radio.before)) of BEFORE is \(TextColumns.printable(radio.now)) of AFTER, by its "
          + "controller (\(BeaconTable.address(radio.controller))): they are compared with each other."
      )
    }
    let replaced = comparison.radios.replaced.prefix(mostNames).map {
      radio -> CompareRemarks.Remark in
      let name = radio.name.map { TextColumns.printable($0) } ?? "The radio"
      let areSeveral = radio.name == nil && max(radio.before.count, radio.now.count) > 1
      return (
        "controller_changed",
        areSeveral
          ? "The radios were \(controllers(radio.before)) in BEFORE, and are \(controllers(radio.now)) in AFTER: "
            + "other radios, so signals are not compared, and whom they do not hear may be out of their reach."
          : "\(name) was \(controllers(radio.before)) in BEFORE, and is \(controllers(radio.now, isAgain: true)) "
            + "in AFTER: another radio, so signals are not compared, and whom it does not hear may be out of its "
            + "reach."
      )
    }
    return renamed + replaced
  }

  /// Who hears one channel hears an event once at most, and each channel otherwise.
  private static func channels(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    comparison.radios.otherChannels.prefix(mostNames).map { radio in
      let isOne = max(comparison.before.receivers, comparison.now.receivers) == 1
      let name =
        radio.name.map { TextColumns.printable($0) } ?? (isOne ? "The radio" : "The radios")
      let (before, now) = (Remarks.words(radio.before), Remarks.words(radio.now))
      return (
        "other_channels",
        "\(name) heard \(before) in BEFORE, \(now) in AFTER: each is heard otherwise, and of an event one packet on "
          + "each, so that signals, and how often somebody is heard, are not compared."
      )
    }
  }

  /// `controller A`, `controllers A and B`, `controllers A, B, C and 2 more`.
  /// - Parameter isAgain: one alone needs no more than its address.
  private static func controllers(_ addresses: [DeviceAddress], isAgain: Bool = false) -> String {
    let names = addresses.prefix(mostNames).map { BeaconTable.address($0) }
    let more = addresses.count - names.count
    guard addresses.count > 1 else { return (isAgain ? "" : "controller ") + names[0] }
    let listed =
      more > 0
      ? "\(names.joined(separator: ", ")) and \(more) more"
      : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    return "controllers \(listed)"
  }

  /// Radios that a sum of all does not show.
  private static func listenedLess(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let all = comparison.listenedUnlike
    let remarks = all.prefix(mostNames).map { radio -> CompareRemarks.Remark in
      let (less, more) = radio.now < radio.before ? ("AFTER", "BEFORE") : ("BEFORE", "AFTER")
      let (short, long) = (min(radio.before, radio.now), max(radio.before, radio.now))
      return (
        "radio_listened_less",
        "\(TextColumns.printable(radio.name)) listened for \(TextColumns.duration(short)) in \(less), for "
          + "\(TextColumns.duration(long)) in \(more): whom it alone hears may just not have been heard."
          + (radio.walks
            ? " It walks: of BEFORE counts what it heard in as much time, and its signals are not compared."
            : "")
      )
    }
    guard all.count > mostNames else { return remarks }
    let more = all.dropFirst(mostNames)
    let names = more.prefix(mostMore).map { TextColumns.printable($0.name) }
    let left = more.count - names.count
    return remarks + [
      (
        "radio_listened_less",
        "\(TextColumns.counted(more.count, "more radio")) listened for much less on one of the sides: "
          + "\(names.joined(separator: ", "))\(left > 0 ? " and \(left) more" : "")."
      )
    ]
  }
  private static let mostMore = 20

  /// Where nothing says whether a beacon went from one receiver to another.
  private static func tooShort(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let names = comparison.tooShortToStand
    guard !names.isEmpty else { return [] }
    return [
      (
        "receivers_not_compared",
        "\(listed(names)) recorded for less than three minutes on one of the "
          + "sides: too short to say whether a receiver stands still, so beacons that another one "
          + "hears now are not looked for there."
      )
    ]
  }

  /// Radios of one side alone.
  static func unpaired(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    let (before, now) = (comparison.radios.onlyBefore, comparison.radios.onlyNow)
    var remarks: [CompareRemarks.Remark] = []
    if !before.isEmpty {
      let one = before.count == 1
      remarks.append(
        (
          "radio_missing",
          "\(named(before)) of BEFORE \(one ? "has" : "have") no counterpart in AFTER: of whom "
            + "\(one ? "it" : "they") alone heard, nothing can be said."
        ))
    }
    if !now.isEmpty {
      let one = now.count == 1
      remarks.append(
        (
          "radio_new",
          "\(named(now)) of AFTER \(one ? "has" : "have") no counterpart in BEFORE: whom "
            + "\(one ? "it hears" : "they hear") alone may have been there before."
        ))
    }
    return remarks
  }

  /// `Observer gwC (heard 12 beacons)`
  private static func named(_ radios: [ComparedSide.Radio]) -> String {
    let names = radios.prefix(mostNames).map { radio in
      "\(TextColumns.printable(radio.name)) (heard \(TextColumns.counted(radio.beacons, "beacon")))"
    }
    let more = radios.count - names.count
    return (radios.count == 1 ? "Observer " : "Observers ") + names.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  private static func moved(
    _ signals: ComparedSignals, _ comparison: Comparison, since: Timestamp?
  ) -> [CompareRemarks.Remark] {
    signals.moved(comparison).map { name, shift in
      let radio = name.map { "The radio of \(TextColumns.printable($0))" } ?? "The radio"
      let changed = shift.stronger + shift.weaker
      let when = since.map { "In AFTER from \(TextColumns.moment($0)) on " } ?? ""
      let what = name == nil ? "Signals" : "Its signals, and how often it hears somebody,"
      let consequence =
        since == nil
        ? "\(what) are not compared, and who is missing may be out of its reach."
        : name == nil
          ? "Signals of that time are not compared."
          : "Its signals of that time, and how often it hears somebody then, are not compared."
      return (
        since == nil ? "radio_moved" : "radio_moved_lately",
        "\(when)\(TextColumns.grouped(changed)) of \(TextColumns.counted(shift.compared, "signal")) changed "
          + "by 6 dB or more (\(shift.stronger) stronger, \(shift.weaker) weaker). \(radio) was "
          + "moved, is another one, or something stands in its way. \(consequence)"
      )
    }
  }

  /// It is read once more for that.
  private static func notLately(_ comparison: Comparison) -> [CompareRemarks.Remark] {
    guard comparison.latelyFrom == nil, comparison.now.lastPart != nil else { return [] }
    return [
      (
        "last_part_not_compared",
        "AFTER could not be read again: what changed within it was not looked for."
      )
    ]
  }
}
