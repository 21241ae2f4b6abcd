package import Analysis
import CaptureReader
import Regions

/// `devices` for people.
package struct CensusText {
  private let style: Style
  private static let widths = [9, 9, 8, 9, 6, 8, 8, 9]

  package init(style: Style) { self.style = style }

  /// Where there is nobody to list.
  static func nobody(_ census: borrowing AdvertiserCensus, _ style: Style) -> [String] {
    let (timeless, weak) = (census.withoutTime, census.weak)
    let words =
      if weak > 0 {
        "nobody was heard as strongly as that: \(TextColumns.counted(weak, "report")) "
          + "\(weak == 1 ? "is" : "are") weaker, or of no known strength"
      } else if let times = census.elsewhere {
        "nobody was heard in that time; there are reports "
          + TextColumns.spanAndZone(
            Timestamp(nanoseconds: times.lowerBound), Timestamp(nanoseconds: times.upperBound))
      } else if timeless > 0 {
        "nobody was heard at a time that is known: "
          + "\(TextColumns.counted(timeless, "report")) \(timeless == 1 ? "has" : "have") none"
      } else {
        "nobody was heard"
      }
    return TextLayout.wrap(words, indent: 10, hanging: 10).enumerated().map { place, line in
      place == 0 ? style.bold("DEVICES") + "   " + line.dropFirst(10) : line
    }
  }

  package func lines(
    _ wholeRows: [CensusRow], _ census: borrowing AdvertiserCensus
  ) -> [String] {
    let limits = census.limits
    let rows = wholeRows.map { Self.clipped($0, to: limits) }
    guard let first = rows.first else { return Self.nobody(census, style) }
    var lines = [
      style.bold("DEVICES") + "   whoever advertised, by the address; "
        + ClockZone.shown.label(first.from),
      "",
    ]
    var day = ""
    var zone = first.from
    for row in rows {
      let own = TextColumns.date(row.from)
      if own != day {
        day = own
        lines.append(
          Self.row(
            style.bold(own), padded: 13,
            ["addresses", "beacons", "others", "at once", "most", "public", "static", "private"],
            style))
      }
      // Clocks there were changed in between.
      let changed = ClockZone.shown.label(row.from, besides: zone)
      if !changed.isEmpty { lines.append(style.dim("             from here on\(changed)")) }
      // What ends with the change is of the time before.
      zone = row.to.later(by: -1)
      lines += self.lines(row)
    }
    let labels = census.labels
    if !labels.isEmpty {
      lines += ["", style.bold("WHAT OTHERS SAY THEY ARE") + "   addresses"]
      lines += TextLayout.wrap(
        labels.map {
          "\($0.name.replacing("_", with: " ")) \(TextColumns.grouped($0.addresses))"
        }.joined(separator: " · "), indent: 2)
    }
    return lines + [""] + notes(census)
  }

  private func lines(_ row: CensusRow) -> [String] {
    let span = "\(Self.minutes(row.from))–\(Self.endMinutes(row))"
    let numbers = [
      row.addresses, row.beacons, row.others, row.atOnce, row.mostAtOnce, row.publicOnes,
      row.randomStatic, row.resolvable + row.nonresolvable,
    ]
    var lines = [Self.row(span, padded: 13, numbers.map(TextColumns.grouped), nil)]
    if let end = Self.end(row) { lines.append(style.dim("             \(end)")) }
    let whole = Int(
      (row.to.nanoseconds.since(row.from.nanoseconds) + 59_999_999_999) / 60_000_000_000)
    if row.minutes * 10 < whole * 9 {
      lines.append(
        style.dim(
          "             heard anybody in \(TextColumns.grouped(row.minutes)) of "
            + "\(TextColumns.grouped(whole)) minutes"))
    }
    return lines
  }

  /// What of a row counted.
  private static func clipped(_ row: CensusRow, to limits: TimeLimits?) -> CensusRow {
    guard let limits else { return row }
    return row.part(
      from: Timestamp(nanoseconds: max(row.from.nanoseconds, limits.from)),
      to: Timestamp(nanoseconds: min(row.to.nanoseconds, limits.to)))
  }

  /// `10:05`
  private static func minutes(_ time: Timestamp) -> String {
    String(TextColumns.clock(time).prefix(5))
  }

  /// A row's end by the clock as it was until then: it may be set at this moment.
  private static func shownEnd(_ row: CensusRow) -> CivilTime {
    let shift = ClockZone.shown.shift(row.to.later(by: -1))
    return CivilTime(Timestamp(nanoseconds: row.to.nanoseconds.later(by: shift)))
  }

  /// `11:00`
  private static func endMinutes(_ row: CensusRow) -> String {
    var text = ByteText()
    text.clock(shownEnd(row))
    return String(text.string.prefix(5))
  }

  /// Where a row ends that is longer than a day, or in which the clocks were set; nil where its times say all.
  private static func end(_ row: CensusRow) -> String? {
    let zone = ClockZone.shown.label(row.to.later(by: -1), besides: row.from)
    let length = row.to.nanoseconds.since(row.from.nanoseconds)
    guard !zone.isEmpty || length > 25 * 3_600_000_000_000 else { return nil }
    return "until \(TextColumns.date(shownEnd(row))) \(endMinutes(row))\(zone), "
      + "\(TextColumns.duration(length)) later"
  }

  private static func row(
    _ name: String, padded width: Int, _ cells: [String], _ style: Style?
  ) -> String {
    let row = zip(cells, widths).map { cell, width in
      String(repeating: " ", count: max(1, width - cell.count)) + cell
    }.joined()
    // The date is ten characters, whatever makes it bold.
    let filled = String(repeating: " ", count: width - (style == nil ? name.count : 10))
    return name + filled + (style?.dim(row) ?? row)
  }

  private func notes(_ census: borrowing AdvertiserCensus) -> [String] {
    TextLayout.wrap(
      "Others are addresses that sent no beacon. A phone changes its address every quarter of an hour or "
        + "so: the addresses of an hour are no people. \"at once\" counts others heard within a minute, half "
        + "of the minutes more and half less; \"most\" is of the fullest one.", indent: 0
    ).map { style.dim($0) } + leftOut(census)
  }

  /// Reports that were not counted.
  func leftOut(_ census: borrowing AdvertiserCensus) -> [String] {
    var notes: [String] = []
    if census.weak > 0 {
      notes.append(
        "\(TextColumns.counted(census.weak, "report")) left out: weaker than asked for, or of a strength "
          + "that is not known.")
    }
    if census.withoutAddress > 0 {
      notes.append(
        "\(TextColumns.counted(census.withoutAddress, "report")) without an address, and not counted."
      )
    }
    if census.withoutTime > 0 {
      notes.append(
        "\(TextColumns.counted(census.withoutTime, "report")) without a time, and not counted.")
    }
    return notes.flatMap { TextLayout.wrap($0, indent: 0) }.map { style.dim($0) }
  }
}
