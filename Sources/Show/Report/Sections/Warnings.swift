import CaseStore
import Exports

/// What a reader has to know first: what rules raised, and what makes the findings worth less.
struct Warnings {
  let contents: Contents
  let evidence: Evidence

  var html: HTMLText { alerts + remarks }

  private var alerts: HTMLText {
    guard contents.alerts.count > 0 else { return "" }
    let worst = contents.worst
    var items = worst.first.map { alert -> HTMLText in
      """
      <li><span class="severity" data-severity="\(alert.severity)">\(alert.severity)</span> \
      \(EventCell(evidence: evidence).html(alert.event, alert.id, words: contents.time(alert.time))) \(alert.title)\(at(alert))</li>
      """
    }
    let others = worst.others.map { "\(Words.number($0.count)) \($0.name)" }
    if !others.isEmpty {
      items.append("<li>and \(Words.list(others)) more, under <a href=\"#alerts\">Alerts</a></li>")
    }
    let kinds = worst.severities.map { "\(Words.number($0.count)) \($0.name)" }
    return """
      <h3>What rules raised</h3><p>\(Words.counted(contents.alerts.count, "alert")): \(Words.list(kinds)).</p>
      <ul class="worst">\(items.joined())</ul>

      """
  }

  /// Where it was; of several that say the same how many there are.
  private func at(_ alert: WorstAlerts.Alert) -> HTMLText {
    guard alert.count > 1 else { return "\(contents.at(alert.observer))" }
    return " (\(Words.number(alert.count)) times, this the first)"
  }

  /// Those tell of damage, which `Certainty` adds up, and of what a case leaves out, which stands with that.
  private static let toldElsewhere: Set = [
    "damage_skipped", "records_dropped", "fixes_thinned", "chains_not_kept",
  ]

  /// The first of each kind: of a thousand clones the second says little more.
  private var remarks: HTMLText {
    let known = contents.remarks.rows.filter { row in
      row.kind == "remark" && !Self.toldElsewhere.contains(row.code ?? "")
    }
    let all = movedTogether(known)
    guard !all.isEmpty else { return "" }
    var counts: [String: Int] = [:]
    let shown = all.filter { row in
      counts[row.code ?? "", default: 0] += 1
      return counts[row.code ?? "", default: 0] <= Most.alike
    }.prefix(Most.worst)
    var items = shown.map { "<li>\(RemarkWords.html($0))</li>" as HTMLText }
    let others = contents.remarks.count - (known.count - all.count) - shown.count
    if others > 0 {
      items.append(
        "<li>and \(Words.counted(others, "more remark")), under <a href=\"#records\">Accounting</a></li>"
      )
    }
    return "<h3>Worth knowing</h3><ul>\(items.joined())</ul>\n"
  }

  private func movedTogether(_ rows: [RemarkRow]) -> [RemarkRow] {
    let isMoved = { (row: RemarkRow) in row.code == MovedTogether.code }
    let moved = MovedTogether(rows.filter(isMoved).map { ($0.capture ?? "", $0.text) })
    return rows.compactMap { row in
      guard isMoved(row) else { return row }
      guard let told = moved.told(row.capture ?? "", row.text) else { return nil }
      var together = row
      (together.capture, together.text) = (told.captures, told.text)
      return together
    }
  }
}

/// A remark as a sentence of its own.
enum RemarkWords {
  static func html(_ remark: RemarkRow) -> HTMLText {
    // Some sentences name their captures themselves.
    let capture = remark.capture.flatMap { remark.text.contains($0) ? nil : $0 }
    let about = [capture, remark.beacon].compactMap { $0 }.map { HTMLText(text: $0) }
    let head: HTMLText = about.isEmpty ? "" : "<b>\(about.joined(" "))</b>: "
    return "\(head)\(remark.text)"
  }
}
