import CaseStore

/// What every record of the captures came to, and what is damaged.
struct RecordsSection {
  let contents: Contents

  var html: HTMLText {
    let parts = [accounting, reasons, damage, pauses, scans, others, problems, remarks]
    return Section.html("records", "Accounting and damage", parts.joined())
  }

  private var accounting: HTMLText {
    guard !contents.captures.isEmpty else { return "<p>No capture was read.</p>" }
    let heads: [HTMLText] = [
      "Records", "Advertising", "Other", "Malformed", "Cut", "Bad checksum", "Not supported",
      "Reports",
      "Lost by the recorder",
    ]
    let table = Table(
      id: "accounting-table", caption: "Every record of each capture",
      columns: [.init(title: "Capture")] + heads.map { .init(title: $0, isNumber: true) })
    return table.html(
      contents.captures.map { capture in
        let counts = [
          capture.records, capture.advertising, capture.other, capture.malformed, capture.truncated,
          capture.crcFailed, capture.unsupported, capture.reports,
        ]
        return
          "<tr><th scope=\"row\">\(contents.shown(capture.name))</th>\(counts.map { Table.number(Words.number($0), Double($0)) }.joined())\(Self.lost(capture))</tr>\n"
      })
  }

  /// Not every container has room for what its recorder lost: nothing told is not none lost.
  private static func lost(_ capture: CaptureRow) -> HTMLText {
    let lost = capture.lostPackets
    let hasCount = lost > 0 || capture.container.hasPrefix("btsnoo")
    // Recorders may write such a count into pcapng, and mostly do not.
    let words =
      hasCount ? Words.number(lost) : capture.container == "pcapng" ? "none told" : "not told"
    return Table.number(words, Double(lost))
  }

  private var reasons: HTMLText {
    let rows = contents.accounting.rows.filter { $0.kind != "label" && $0.kind != "others" }
    guard !rows.isEmpty else { return "" }
    let table = Table(
      id: "reason-table", caption: "What was noticed in the records, by reason",
      columns: [
        .init(title: "Capture"), .init(title: "Kind"), .init(title: "Reason"),
        .init(title: "Count", isNumber: true), .init(title: "First frame", isNumber: true),
        .init(title: "Detail"),
      ])
    return "<h3>Reasons</h3>"
      + CaseQuery.rest(contents.accounting.others, "row", table: "accounting")
      + table.html(
        rows.map { row in
          """
          <tr><th scope="row">\(contents.capture(row.captureId))</th><td>\(row.kind)</td><td class="id">\(row.code)</td>\
          \(Table.number(Words.number(row.count), Double(row.count)))\
          \(Table.number(row.firstFrame.map { Words.number($0) } ?? "", row.firstFrame.map { Double($0) }))\
          <td class="text">\(row.detail ?? "")</td></tr>

          """
        })
  }

  private var damage: HTMLText {
    guard contents.damage.count > 0 else { return Self.heading(cuts) }
    let table = Table(
      id: "damage-table", caption: "Damaged places",
      columns: [
        .init(title: "Capture"), .init(title: "At byte", isNumber: true),
        .init(title: "Bytes skipped", isNumber: true), .init(title: "What"),
        .init(title: "Went on with frame", isNumber: true), .init(title: "Recorded (UTC)"),
      ])
    let places =
      CaseQuery.rest(contents.damage.others, "damaged place", table: "damage")
      + table.html(
        contents.damage.rows.map { gap in
          """
          <tr><th scope="row">\(contents.capture(gap.captureId))</th>\(Table.number(Words.number(gap.byte), Double(gap.byte)))\
          \(Table.number(Words.number(gap.bytes), Double(gap.bytes)))<td class="text">\(gap.detail)</td>\
          \(Table.number(gap.resumedAtFrame.map { Words.number($0) } ?? "nothing followed", gap.resumedAtFrame.map { Double($0) }))\
          <td class="t">\(times(gap))</td></tr>

          """
        })
    return Self.heading(places + cuts)
  }

  /// Of the frames before and behind it.
  private func times(_ gap: DamageRow) -> HTMLText {
    switch (gap.fromNs, gap.toNs) {
    case (let from?, let to?) where to < from:
      "frames of \(contents.time(from)) and \(contents.time(to))"
    case (let from?, let to?): "between \(contents.time(from)) and \(contents.time(to))"
    case (let from?, nil): "after \(contents.time(from))"
    case (nil, let to?): "before \(contents.time(to))"
    case (nil, nil): "not known"
    }
  }

  private static func heading(_ damage: HTMLText) -> HTMLText {
    damage.isEmpty ? "" : "<h3>Damage</h3>" + damage
  }

  /// Damage with no place that was skipped: most of it, that a capture ends inside a record.
  private var cuts: HTMLText {
    let items = contents.cuts.map { cut -> HTMLText in
      let after: HTMLText = cut.frame.map { " (after frame \(Words.number($0)))" } ?? ""
      return "<li><b>\(contents.capture(cut.capture))</b>: \(cut.detail)\(after)</li>"
    }
    return items.isEmpty ? "" : "<ul>\(items.joined())</ul>"
  }

  private var pauses: HTMLText {
    guard contents.pauses.count > 0 else { return "" }
    let table = Table(
      id: "pause-table", caption: "Pauses of the recording",
      columns: [
        .init(title: "Capture"), .init(title: "Interface"), .init(title: "From (UTC)"),
        .init(title: "To"),
      ])
    return "<h3>Pauses</h3>"
      + CaseQuery.rest(contents.pauses.others, "pause", table: "pauses")
      + table.html(
        contents.pauses.rows.map { pause in
          """
          <tr><th scope="row">\(contents.capture(pause.captureId))</th><td class="name">\(pause.interface ?? "")</td>\
          <td class="t">\(contents.time(pause.fromNs))</td><td class="t">\(contents.time(pause.toNs))</td></tr>

          """
        })
  }

  private var scans: HTMLText {
    guard contents.scans.count > 0 else { return "" }
    let table = Table(
      id: "scan-table", caption: "When receivers scanned, as far as the captures say",
      columns: [
        .init(title: "Receiver"), .init(title: "From (UTC)"), .init(title: "To"),
        .init(title: "How"),
        .init(title: "Ended by"),
      ])
    return "<h3>Scans</h3>"
      + CaseQuery.rest(contents.scans.others, "scan", table: "scan_windows")
      + table.html(
        contents.scans.rows.map { scan in
          """
          <tr><th scope="row">\(contents.observer(scan.observerId))</th><td class="t">\(contents.time(scan.fromNs))</td>\
          <td class="t">\(scan.toNs == nil ? "end of the recording" : contents.time(scan.toNs))</td><td>\(Self.how(scan))</td>\
          <td>\((scan.endReason ?? "").replacing("_", with: " "))</td></tr>

          """
        })
  }

  private static func how(_ scan: ScanWindowRow) -> String {
    var words = [scan.isActive.map { $0 ? "active" : "passive" } ?? "parameters not known"]
    if let window = scan.windowMs, let interval = scan.intervalMs {
      words.append("\(Words.decimal(window)) ms of every \(Words.decimal(interval)) ms")
    }
    if let filters = scan.filtersDuplicates {
      words.append(filters ? "duplicates filtered" : "duplicates kept")
    }
    return words.joined(separator: ", ")
  }

  private var others: HTMLText {
    let rows = contents.accounting.rows.filter { $0.kind == "label" }
    guard !rows.isEmpty else { return "" }
    let table = Table(
      id: "other-table", caption: "Reports of other advertisers",
      columns: [
        .init(title: "Capture"), .init(title: "Advertiser"),
        .init(title: "Reports", isNumber: true),
      ])
    return "<h3>Other advertisers</h3>"
      + table.html(
        rows.map { row in
          """
          <tr><th scope="row">\(contents.capture(row.captureId))</th><td class="name">\(row.code)</td>\
          \(Table.number(Words.number(row.count), Double(row.count)))</tr>

          """
        })
  }

  private var problems: HTMLText {
    guard contents.problems.count > 0 else { return "" }
    let items = contents.problems.rows.map { problem -> HTMLText in
      let remedy: HTMLText = problem.remedy.map { " \($0)" } ?? ""
      let place: HTMLText = problem.byte.map { ", byte \(Words.number($0))" } ?? ""
      return "<li><b>\(problem.capture)</b>\(place): \(problem.detail)\(remedy)</li>"
    }
    return "<h3>Inputs that could not be read</h3>"
      + CaseQuery.rest(contents.problems.others, "problem", table: "problems")
      + "<ul>\(items.joined())</ul>"
  }

  private var remarks: HTMLText {
    guard contents.remarks.count > 0 else { return "" }
    let items = contents.remarks.rows.map { "<li>\(RemarkWords.html($0))</li>" as HTMLText }
    return "<h3>Worth knowing</h3>"
      + CaseQuery.rest(contents.remarks.others, "remark", table: "remarks")
      + "<ul>\(items.joined())</ul>"
  }
}
