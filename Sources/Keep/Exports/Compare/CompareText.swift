package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `compare` for people: both sides, what is missing and new, what changed, by what matters most. 80
/// columns.
package struct CompareText {
  private let style: Style
  private let showsAll: Bool
  private static let mostRows = 12
  private static let mostCaptures = 3

  package init(style: Style, showsAll: Bool) {
    self.style = style
    self.showsAll = showsAll
  }

  /// - Parameter names: what beacons are called.
  package func lines(_ comparison: Comparison, names: SiteNames = SiteNames()) -> [String] {
    var lines = side("BEFORE", comparison.before) + side("AFTER", comparison.now)
    lines += [""] + TextLayout.wrap(Self.counts(comparison), indent: 0)
    for remark in CompareRemarks.all(comparison) {
      lines += TextLayout.wrap("! " + TextColumns.printable(remark.text), indent: 2, hanging: 2)
        .map { style.warning($0) }
    }
    let words = CompareWords(comparison, names)
    lines += section("MISSING", missing(comparison).map { words.missing($0) })
    lines += section("NEW", comparison.new.map { words.new($0) })
    for sort in BeaconChange.Sort.allCases { lines += section(sort.heading, words.rows(sort)) }
    return lines + notMatched(comparison)
  }

  private func side(_ name: String, _ side: ComparedSide) -> [String] {
    let captures = side.result.captures.map { TextColumns.printable($0.name) }
    let more = captures.count - Self.mostCaptures
    let named =
      more > 0
      ? captures.prefix(Self.mostCaptures - 1) + ["and \(more + 1) more"] : captures[...]
    // Captures one after the other are of one radio, as far as they say.
    let radios =
      side.hasSimultaneousRadios ? " by \(TextColumns.counted(side.receivers, "radio"))" : ""
    var lines = TextFit.wrap(
      TextColumns.left(name, 8) + named.joined(separator: ", "), indent: 0, hanging: 8,
      width: AnalysisText.width)
    lines[0] = style.bold(name) + lines[0].dropFirst(name.count)
    // Where radios listened for a part of their scans.
    let isPart = Double(side.listened) < Self.allButAll * Double(side.scanned)
    let scanned = isPart ? "scanning for \(TextColumns.duration(side.scanned))\(radios), " : ""
    let listened =
      "listened \(TextColumns.duration(side.listened))\(isPart ? " of that" : radios)"
    return lines
      + TextLayout.wrap(
        "\(TextColumns.spanAndZone(side.first, side.last)), \(scanned)\(listened), "
          + TextColumns.counted(side.reports, "report"), indent: 8)
  }
  private static let allButAll = 0.99

  private static func counts(_ comparison: Comparison) -> String {
    let followed = comparison.missing.count { !$0.successors.isEmpty }
    let sends = followed == 1 ? "whose address sends" : "whose addresses send"
    let renamed = followed > 0 ? " (\(followed) \(sends) something else now)" : ""
    let number = TextColumns.grouped
    let lately = comparison.changed.count { $0.changes.isEmpty }
    let within = lately > 0 ? " (\(number(lately)) within AFTER alone)" : ""
    return "\(TextColumns.counted(comparison.countBefore, "beacon")) before, "
      + "\(number(comparison.countNow)) now: \(number(comparison.missing.count)) missing\(renamed), "
      + "\(number(comparison.new.count)) new, \(number(comparison.changed.count)) changed\(within), "
      + "\(number(comparison.same)) as before"
  }

  /// What is worth most comes first.
  private func missing(_ comparison: Comparison) -> [Comparison.Missing] {
    let grades: [Comparison.Grade] = [.gone, .deaf, .thin]
    return grades.flatMap { grade in comparison.missing.filter { $0.grade == grade } }
  }

  private func section(_ heading: String, _ rows: [String]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let listed = showsAll ? rows[...] : rows.prefix(Self.mostRows)
    let title = heading.prefix { $0 != " " }
    var lines = ["", style.bold(String(title)) + heading.dropFirst(title.count)]
    for row in listed {
      lines += TextFit.wrap(row, indent: 2, hanging: 4, width: AnalysisText.width)
    }
    let more = rows.count - listed.count
    if more > 0 { lines.append("  …and \(TextColumns.grouped(more)) more (--all)") }
    return lines
  }

  /// What has no lasting identity.
  private func notMatched(_ comparison: Comparison) -> [String] {
    let rows = CompareWords.notMatched(comparison).map { kind, before, now in
      "\(BeaconTable.kind(kind)): \(TextColumns.grouped(before)) before, "
        + "\(TextColumns.grouped(now)) now"
    }
    return section("NOT MATCHED   what has no lasting identity is counted only", rows)
  }
}
