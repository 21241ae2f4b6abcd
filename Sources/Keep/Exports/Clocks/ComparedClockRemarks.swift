import Analysis

extension Remarks {
  /// What packets in common say of the clocks of several captures: those that go wrong, each, then of the others
  /// in one sentence.
  static func clocks(_ result: AnalysisResult) -> [Remark] {
    guard let compared = result.clocks else {
      return clocksNotCompared(result).map { [$0] } ?? []
    }
    let remarks = differing(result, compared) { capture, _, _ in
      let verdict = ClockVerdict(result, capture, compared.clocks)
      return mendedByHand(verdict) ?? "'beacontrace clocks' has the --clock options that mend it."
    }
    let copies = compared.comparison.groups.reduce(0) { count, group in
      count + group.captures.count { isRepeat($0, of: group, compared.clocks, result) }
    }
    return remarks + (others(than: remarks.count + copies, result, compared).map { [$0] } ?? [])
  }

  /// Those alone that go wrong, each with the options that mend it.
  static func clocksDiffering(_ result: AnalysisResult) -> [Remark] {
    guard let compared = result.clocks else { return [] }
    return differing(result, compared) { capture, other, hasMajority in
      let verdict = ClockVerdict(result, capture, compared.clocks)
      guard case .move(let words) = verdict, words.count <= mostOptions else {
        return mendedByHand(verdict) ?? "'beacontrace clocks' has the --clock options that mend it."
      }
      let options = words.map { "--clock \($0)" }.joined(separator: " ")
      return hasMajority
        ? "To read it by the clock of \(other): \(options)"
        : "Which clock is right, packets do not tell; to read it by that of \(other): \(options)"
    }
  }
  private static let mostOptions = 2

  /// What no option that is told mends; nil of others.
  private static func mendedByHand(_ verdict: ClockVerdict) -> String? {
    switch verdict {
    case .move, .agrees: nil
    case .setBack:
      "It was set back, and shows some times twice, which no --clock option tells apart: 'beacontrace clocks' "
        + "has when."
    case .contradicted:
      "Its own times do not step back as those of a clock would that was set: records of one of the two were copied to "
        + "another time, exchanged or made. 'beacontrace clocks' has when."
    case .movedInParts: "It is moved in parts by --clock already: change these options."
    }
  }

  /// - Parameter mending: what to do about a clock, given what it was compared with, and whether several agree
  ///   with that.
  private static func differing(
    _ result: AnalysisResult, _ compared: ClocksCompared,
    mending: (_ capture: ClockComparison.Capture, _ other: String, _ hasMajority: Bool) -> String
  ) -> [Remark] {
    compared.comparison.groups.flatMap { group in
      group.captures.compactMap { capture in
        differing(capture, of: group, result, compared.clocks) {
          mending(
            capture, compared.clocks[group.against].name, (group.agreeing?.count ?? 1) > 1)
        }
      }
    }
  }

  /// Those that are told beside the captures, as they are no warning.
  static let quietClockCodes: Set = ["clocks_agree", "clocks_not_known", "clocks_not_compared"]

  /// From here on what happened at two receivers may stand in the wrong order; less is no more than their clocks
  /// drift in some hours, and `clocks` has it.
  private static let leastTold: Int64 = 1_000_000_000

  private static func differing(
    _ capture: ClockComparison.Capture, of group: ClockComparison.Group, _ result: AnalysisResult,
    _ clocks: [ComparedClock], mending: () -> String
  ) -> Remark? {
    let track = capture.track
    let worst = track.worst
    guard worst.magnitude >= leastTold, !isRepeat(capture, of: group, clocks, result) else {
      return nil
    }
    let clock = clocks[capture.place]
    let (own, other) = (clock.name, clocks[group.against].name)
    let amount = "\(ClocksText.amount(Int64(worst.magnitude))) \(worst < 0 ? "behind" : "ahead of")"
    let isSteady = abs(worst - capture.ahead) < ClockVerdict.least
    let changes = ClockChanges(of: capture, in: group, clocks, result)
    var what =
      isSteady && track.pieces.count == 1
      ? "is \(amount)" : changes.drift + ": at times it is \(amount)"
    var more = ""
    if case .contradicted = ClockVerdict(result, capture, clocks) {
      what = "is at times \(amount)"
    } else if !changes.areDrift {
      what = changes.known.map { "\($0): at times it is \(amount)" } ?? "is at times \(amount)"
      if changes.known == nil {
        more =
          " The difference changed: \(changes.unknown)"
          + (changes.isSettled ? "." : "; packets do not tell which.")
      }
    }
    let agreeing = group.agreeing?.count ?? 1
    let like =
      agreeing > 1 ? " (\(agreeing) of \(group.captures.count + 1) clocks go as that one)" : ""
    return Remark(
      "clocks_differ",
      capture: clock.captures.count == 1 ? result.captureNames[clock.captures[0]] : nil, of: .two,
      "The clock of \(own) \(what) that of \(other)\(like), by \(TextColumns.counted(track.packets, "packet")) that "
        + "both have: what happened at both may stand in a wrong order here.\(more) \(mending())")
  }

  private static func others(
    than told: Int, _ result: AnalysisResult, _ compared: ClocksCompared
  ) -> Remark? {
    let (comparison, clocks) = (compared.comparison, compared.clocks)
    let alone = alone(result, compared)
    guard let group = comparison.groups.max(by: { $0.captures.count < $1.captures.count }) else {
      guard comparison.isComplete else { return clocksNotCompared(result) }
      guard alone.count > 1 else { return nil }
      let areOwn = alone.count == comparison.alone.count { $0.hasHeard }
      return Remark(
        "clocks_not_known", of: .several,
        (areOwn ? "Some" : "But for captures that hold the same packets, some")
          + " beacons were heard in several of these captures, but hardly the same packets: nothing shows "
          + "whether their clocks agree.")
    }
    let size = 1 + group.captures.count
    let count = comparison.groups.reduce(0) { $0 + 1 + $1.captures.count } + alone.count
    let areAll = size == count
    let missed = comparison.notCompared
    if areAll && told > 0 { return missed.isEmpty ? nil : notCompared(missed, result) }
    let what = clocks.allSatisfy { $0.captures.count == 1 } ? "captures" : "receivers"
    let worst = group.captures.map { $0.track.worst.magnitude }.max() ?? 0
    let packets = group.captures.reduce(0) { $0 + $1.track.packets }
    let inCommon = "\(TextColumns.counted(packets, "packet")) that they have in common"
    if areAll {
      guard missed.isEmpty, comparison.isComplete else {
        let missing =
          missed.isEmpty
          ? "Most of their sessions have none, and not all of these were looked through."
          : notCompared(missed, result).text
        return Remark(
          "clocks_not_known", of: .several,
          "The clocks of these \(what) agree within \(bound(worst)) where they are compared, by \(inCommon). "
            + missing)
      }
      return Remark(
        "clocks_agree", of: .several,
        "The clocks of these \(what) agree within \(bound(worst)), by \(inCommon).")
    }
    let groups = comparison.groups.count
    guard groups == 1 else {
      let members = comparison.groups.reduce(0) { $0 + 1 + $1.captures.count }
      return Remark(
        "clocks_not_known", of: .several,
        "Of the \(TextColumns.grouped(count)) \(what) that heard somebody \(TextColumns.grouped(members)) have packets "
          + "in common, in \(TextColumns.grouped(groups)) groups: how the clocks of one group go by those of another "
          + "nothing shows ('beacontrace clocks')." + joining(what))
    }
    return Remark(
      "clocks_not_known", of: .several,
      "Of the \(TextColumns.grouped(count)) \(what) that heard somebody \(size) go by clocks that can be compared, by "
        + "\(inCommon); how \(rest(alone, clocks)) by them nothing shows ('beacontrace clocks')."
    )
  }

  /// Clocks that nothing is compared with, and that matter. Who heard nobody has nothing to put in order, and what is
  /// a copy or a part of another is told as such: it may be found to go by no clock where intervals are all the same.
  private static func alone(
    _ result: AnalysisResult, _ compared: ClocksCompared
  ) -> [ClockComparison.Alone] {
    let copies = Set(repeated(result.captures).compactMap(\.capture))
    return compared.comparison.alone.filter { alone in
      alone.hasHeard
        && !compared.clocks[alone.place].captures.allSatisfy {
          copies.contains(result.captureNames[$0])
        }
    }
  }

  /// Captures of clocks that were compared in others.
  private static func notCompared(_ places: [Int], _ result: AnalysisResult) -> Remark {
    let name = TextColumns.printable(result.captureNames[places[0]])
    let which =
      places.count == 1
      ? name : "\(TextColumns.counted(places.count, "capture")) (\(name), …)"
    return Remark(
      "clocks_not_known", of: .several,
      "No packet of \(which) was found in another receiver's captures: how the "
        + "\(places.count == 1 ? "clock went in it" : "clocks went in these") nothing shows ('beacontrace clocks')."
    )
  }

  /// `that of yard goes`, `those of the others go`.
  private static func rest(_ alone: [ClockComparison.Alone], _ clocks: [ComparedClock]) -> String {
    let names = alone.filter(\.hasHeard).map { TextColumns.printable(clocks[$0.place].name) }
    return switch names.count {
    case 1: "that of \(names[0]) goes"
    case 2: "those of \(names[0]) and \(names[1]) go"
    default: "those of the others go"
    }
  }

  /// Files that one receiver wrote one after the other have one clock, which ties groups together.
  private static func joining(_ what: String) -> String {
    what == "captures"
      ? " Where several are of one receiver, say so: --observers folder, or --observer NAME=FILE,FILE."
      : ""
  }

  /// Milliseconds are more than what radios and drivers take themselves.
  private static func bound(_ worst: UInt64) -> String {
    ClocksText.amount(max(ClockVerdict.least, Int64(worst)))
  }

  /// Captures that can be compared: nothing else says whether their clocks agree.
  private static func clocksNotCompared(_ result: AnalysisResult) -> Remark? {
    guard result.captures.count > 1, result.heardByClocksOfTheirOwn else { return nil }
    return Remark(
      "clocks_not_compared", of: .several,
      "Some beacons were heard in several of these captures: 'beacontrace clocks' tells whether their "
        + "clocks agree.")
  }
}

extension ClocksCompared {
  /// Whether packets in common show that no clock of a receiver that heard anybody is off by much.
  var agree: Bool {
    guard comparison.isComplete, comparison.groups.count == 1, comparison.notCompared.isEmpty,
      !comparison.alone.contains(where: \.hasHeard)
    else { return false }
    return comparison.groups[0].captures.allSatisfy { $0.track.worst.magnitude < 1_000_000_000 }
  }
}

extension ClockTrack {
  /// Nanoseconds ahead where it is farthest off.
  fileprivate var worst: Int64 {
    pieces.flatMap(\.points).map(\.ahead).max { $0.magnitude < $1.magnitude } ?? 0
  }
}
