package import Analysis
import CaptureReader

/// `clocks` for people: whose clock is ahead of whose, by how much, and what to do about it. 80 columns.
package struct ClocksText {
  private let style: Style
  private let result: AnalysisResult
  private let clocks: [ComparedClock]
  private static let nameWidth = 30
  private static let mostGroups = 4

  package init(style: Style, _ clocks: [ComparedClock], _ result: AnalysisResult) {
    (self.style, self.clocks, self.result) = (style, clocks, result)
  }

  package func lines(_ comparison: ClockComparison) -> [String] {
    var lines = [style.bold("CLOCKS") + "   by the packets that captures have in common"]
    for group in comparison.groups { lines += [""] + self.lines(group) }
    let read = Set(result.captures.map(\.name))
    let alone = comparison.alone.filter { clocks[$0.place].isRead(read, in: result) }
    if !alone.isEmpty || !comparison.notCompared.isEmpty || !comparison.isComplete {
      lines += ["", style.bold("NOT KNOWN")]
      for capture in alone {
        lines += TextLayout.wrap(
          "\(name(capture.place)): \(reason(capture))", indent: 2, hanging: 2)
      }
      lines += self.lines(notCompared: comparison.notCompared)
      if !comparison.isComplete {
        lines += TextLayout.wrap(
          "where receivers have most of their sessions for themselves, not all were looked through.",
          indent: 2, hanging: 2)
      }
    }
    let areSeveral = comparison.groups.count > 1
    let unknown = comparison.alone.filter(\.hasHeard).map(\.place)
    for group in comparison.groups {
      let places = [group.against] + group.captures.map(\.place)
      let isPart =
        !comparison.isComplete
        || places.contains { place in
          clocks[place].captures.contains { comparison.notCompared.contains($0) }
        }
      lines += advice(group, areSeveral: areSeveral, isPart: isPart, unknown: unknown)
    }
    if !areSeveral, !comparison.groups.isEmpty, !unknown.isEmpty {
      let isOne = unknown.count == 1
      lines += TextLayout.wrap(
        "WARNING: how \(isOne ? "the clock" : "the clocks") of \(named(unknown)) \(isOne ? "goes" : "go") by "
          + "these is not known: what \(isOne ? "it" : "they") heard may stand minutes off. Where you know by how "
          + "much, say so (--clock); a beacon that both hear for a minute tells it.", indent: 0)
    }
    if areSeveral {
      let more = comparison.groups.count - Self.mostGroups
      let firsts =
        comparison.groups.prefix(Self.mostGroups).map { name($0.against) }.joined(separator: ", ")
        + (more > 0 ? " and \(TextColumns.grouped(more)) more" : "")
      lines += [""]
      lines += TextLayout.wrap(
        "WARNING: no packets are known that these \(comparison.groups.count) groups (\(firsts)) have in "
          + "common: how the clocks of one go by those of another is not known, and no option above mends that.",
        indent: 0)
    }
    for remark in Remarks.signalsRepeated(result.captures)
      + Remarks.unshared(comparison, clocks, result)
    {
      lines +=
        [""]
        + TextLayout.wrap(
          TextColumns.printable("WARNING: " + remark.text), indent: 0)
    }
    for remark in Remarks.rotated(result.captures) {
      lines += [""] + TextLayout.wrap(TextColumns.printable(remark.text), indent: 0)
    }
    return lines
  }

  // MARK: a group

  private func lines(_ group: ClockComparison.Group) -> [String] {
    let spans = group.captures.flatMap(\.track.pieces)
    let known = Timestamp(nanoseconds: spans.map(\.first).min() ?? 0)
    let day = "\(TextColumns.date(known)), \(ClockZone.shown.label(known))"
    let title = "against " + style.bold(name(group.against)) + count(group.against)
    let when = "\(day) by its clock"
    let fits =
      "against \(name(group.against))\(count(group.against))   \(when)".columns
      <= AnalysisText.width
    var lines = fits ? ["\(title)   \(when)"] : [title, "  \(when)"]
    lines.append(style.dim(Self.row("", "clock", "drift", "packets")))
    for capture in group.captures { lines += self.lines(capture, group, known) }
    return lines
  }

  private func lines(
    _ capture: ClockComparison.Capture, _ group: ClockComparison.Group, _ known: Timestamp
  ) -> [String] {
    let track = capture.track
    let own = name(capture.place)
    let count = clocks[capture.place].captures.count
    var notes = count > 1 ? [TextColumns.counted(count, "capture")] : []
    if capture.through != group.against {
      notes.append(
        "compared by way of \(name(capture.through)), with which it has packets in common")
    }
    guard track.pieces.count == 1, let piece = track.pieces.first else {
      let what = whatChanged(capture, group)
      let title = TextLayout.wrap("\(own)   \(what)", indent: 2, hanging: 2)
      return title + track.pieces.flatMap { Self.rows("  " + span($0, known), $0) }
        + details(notes)
    }
    return Self.rows(own, piece)
      + details([span(piece, known)] + change(piece) + notes)
  }

  private func whatChanged(_ capture: ClockComparison.Capture, _ group: ClockComparison.Group)
    -> String
  {
    if case .contradicted = ClockVerdict(result, capture, clocks) {
      return "has the same packets at other times, to which no clock goes that is set:"
    }
    let changes = ClockChanges(of: capture, in: group, clocks, result)
    return changes.areDrift
      ? changes.drift + ":"
      : changes.known.map { "\($0):" } ?? "does not keep one difference: \(changes.unknown)"
  }

  /// The captures of clocks that were compared in others: of each, or of many some.
  private func lines(notCompared places: [Int]) -> [String] {
    let more = places.count - Self.mostNotCompared
    let lines = places.prefix(Self.mostNotCompared).flatMap { place in
      TextLayout.wrap(
        "\(TextColumns.printable(result.captureNames[place])): no packet of it was found in another "
          + "receiver's captures: how the clock went in it nothing shows.", indent: 2, hanging: 2)
    }
    return more > 0 ? lines + ["  and \(TextColumns.grouped(more)) more"] : lines
  }
  private static let mostNotCompared = 8

  private func details(_ texts: [String]) -> [String] {
    texts.isEmpty
      ? [] : TextLayout.wrap(texts.joined(separator: "; "), indent: 6).map { style.dim($0) }
  }

  /// When both heard the same.
  private func span(_ piece: ClockTrack.Piece, _ known: Timestamp) -> String {
    TextColumns.span(
      Timestamp(nanoseconds: piece.first), Timestamp(nanoseconds: piece.last), within: known)
  }

  /// What the drift came to.
  private func change(_ piece: ClockTrack.Piece) -> [String] {
    guard piece.rate != nil, let first = piece.points.first, let last = piece.points.last else {
      return []
    }
    let change = last.ahead - first.ahead
    guard abs(change) >= ClockVerdict.least else { return [] }
    return [
      "in which it \(change < 0 ? "lost" : "gained") \(Self.amount(Int64(change.magnitude)))"
    ]
  }

  /// A path, or a time, that has no room beside the figures stands above them.
  private static func rows(_ name: String, _ piece: ClockTrack.Piece) -> [String] {
    let fits = name.columns <= nameWidth
    let line = row(
      fits ? name : "", difference(piece.ahead), drift(piece.rate),
      TextColumns.grouped(piece.packets))
    return (fits ? [] : ["  \(name)"]) + [line]
  }

  private static func row(_ name: String, _ clock: String, _ drift: String, _ packets: String)
    -> String
  {
    TextColumns.row(
      "  " + TextColumns.left(name, nameWidth), [clock, drift, packets], [27, 11, 10])
  }

  // MARK: figures

  private static func difference(_ ahead: Int64) -> String {
    let milliseconds = (ahead.magnitude + 500_000) / 1_000_000
    guard milliseconds > 0 else { return "the same" }
    return "\(amount(Int64(milliseconds) * 1_000_000)) \(ahead < 0 ? "behind" : "ahead")"
  }

  /// To the millisecond: `38 ms`, `3.214 s`, `2 h 00 min 03.214 s`.
  static func amount(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let fraction = "." + String(rest + 1000).dropFirst()
    guard seconds >= 60 else { return "\(seconds)\(fraction) s" }
    let last = "\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)\(fraction) s"
    if seconds < 3600 { return "\(seconds / 60) min \(last)" }
    // Nobody needs days to the second; options have it.
    let whole = (seconds - seconds % 60) * 1_000_000_000
    guard seconds >= 86_400 else { return "\(TextColumns.duration(whole)) \(last)" }
    let minutes = seconds / 60 % 60
    return "\(TextColumns.duration(whole)) \(minutes < 10 ? "0" : "")\(minutes) min"
  }

  private static func drift(_ rate: Double?) -> String {
    guard let rate else { return "–" }
    let tenths = Int((rate * 1e7).rounded())
    guard tenths != 0 else { return "0.0 ppm" }
    return "\(tenths < 0 ? "-" : "+")\(TextColumns.decimal(Double(tenths.magnitude) / 10)) ppm"
  }

  private func name(_ place: Int) -> String { TextColumns.printable(clocks[place].name) }

  private func count(_ place: Int) -> String {
    let count = clocks[place].captures.count
    return count > 1 ? " (\(TextColumns.counted(count, "capture")))" : ""
  }

  // MARK: what is not known, and what to do

  private func reason(_ capture: ClockComparison.Alone) -> String {
    guard capture.hasHeard else { return "no beacon with an address and a time was heard in it." }
    guard capture.advertisers > 0 else {
      return "no other capture has an advertiser that it has."
    }
    let count = TextColumns.counted(capture.advertisers, "advertiser")
    return
      "\(count) in common with another capture, and too few of the same packets, or none: it was made at "
      + "another time, hardly heard what others heard, or is put together of receivers whose clocks differ."
  }

  /// `2 of 3 agree: the clock of gate differs. `
  private func majority(_ group: ClockComparison.Group) -> String {
    guard let agreeing = group.agreeing, agreeing.count > 1 else { return "" }
    let others = group.captures.map(\.place).filter { !agreeing.contains($0) }
    let whose = named(others)
    let all = group.captures.count + 1
    return
      "\(agreeing.count) of \(all) agree: \(others.count == 1 ? "the clock" : "the clocks") of \(whose) "
      + "\(others.count == 1 ? "differs" : "differ"). "
  }

  /// `door, hall, yard and 2 others`.
  private func named(_ places: [Int]) -> String {
    let more = places.count - Self.mostNamed
    return places.prefix(Self.mostNamed).map { name($0) }.joined(separator: ", ")
      + (more > 0 ? " and \(TextColumns.counted(more, "other"))" : "")
  }
  private static let mostNamed = 3

  /// Of a group whose own clock is known to have been set one that was not; nil of others.
  private func steady(_ group: ClockComparison.Group) -> Int? {
    group.captures.first { capture in
      capture.through == group.against
        && ClockChanges(of: capture, in: group, clocks, result).areOfOther
    }?.place
  }

  /// - Parameters:
  ///   - isPart: captures of its clocks were not compared.
  ///   - unknown: those that heard somebody, and can be compared with nobody.
  private func advice(
    _ group: ClockComparison.Group, areSeveral: Bool, isPart: Bool, unknown: [Int]
  ) -> [String] {
    let verdicts = group.captures.map { ClockVerdict(result, $0, clocks) }
    let words = zip(group.captures, verdicts).flatMap { capture, verdict -> [String] in
      // Of a copy whose times were changed no clock was wrong.
      guard case .move(let words) = verdict,
        !Remarks.isRepeat(capture, of: group, clocks, result)
      else { return [] }
      return words
    }
    var lines: [String] = []
    if verdicts.allSatisfy({ if case .agrees = $0 { true } else { false } }) {
      let whose =
        areSeveral
        ? "The clocks in the group of \(name(group.against))"
        : unknown.isEmpty
          ? "Their clocks"
          : "The clocks of \(named([group.against] + group.captures.map(\.place)))"
      lines += TextLayout.wrap(
        "\(whose) agree within \(Self.amount(ClockVerdict.least))"
          + (isPart ? " where they were compared (NOT KNOWN has where not)." : "."), indent: 0)
    }
    if !words.isEmpty, let other = steady(group) {
      lines += TextLayout.wrap(
        "\(name(group.against)) was set itself: read by its clock the others would step as it did. Compare them "
          + "with the clock of another: --against \(ShellWord.quoted(clocks[other].name)).",
        indent: 0)
    } else if !words.isEmpty {
      lines += TextLayout.wrap(
        majority(group)
          + "Which clock is right, packets do not tell: \(name(group.against)) is what the others are compared "
          + "with (--against FILE takes another). To read \(areSeveral ? "its group" : "all") by its clock:",
        indent: 0)
      lines += words.map { "    --clock " + $0 }
    }
    for (capture, verdict) in zip(group.captures, verdicts) {
      switch verdict {
      case .agrees, .move: continue
      case .setBack:
        lines += TextLayout.wrap(
          "\(name(capture.place)) was set back while it recorded, and shows some times twice: which of them is "
            + "meant times do not say. Cut it in two first, by frames (editcap -r).", indent: 0)
      case .contradicted:
        lines += TextLayout.wrap(
          "\(name(capture.place)) and \(name(capture.through)) have packets in common at different times, and the times of "
            + "\(name(capture.place)) do not step back as those of a clock would that was set. Records of one of the two "
            + "were copied to another time, exchanged or made: which one's, packets in common do not tell.",
          indent: 0)
      case .movedInParts:
        lines += TextLayout.wrap(
          "\(name(capture.place)) is moved in parts, or without its drift, by --clock already: change these "
            + "options.", indent: 0)
      }
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}
