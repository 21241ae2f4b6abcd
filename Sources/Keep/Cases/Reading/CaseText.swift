import Analysis
import CaptureReader
package import CaseStore
import Exports
import Regions

/// What commands about cases say to people.
package enum CaseText {
  package static func lines(_ facts: CaseFacts) -> [String] {
    var lines = [TextColumns.printable(facts.name)]
    func row(_ name: String, _ value: String) {
      let wrapped = TextFit.wrap(value, indent: 14, width: AnalysisText.width)
      lines.append("  " + TextColumns.left(name, 12) + (wrapped.first ?? "").dropFirst(14))
      lines += wrapped.dropFirst()
    }
    // Never broken, so that it can be looked for.
    func sum(_ sha256: String?) {
      lines.append(String(repeating: " ", count: 14) + (sha256 ?? "sha256 not known"))
    }
    row("made by", "beacontrace \(TextColumns.printable(facts.version)), form \(facts.form)")
    row(
      "seal",
      facts.seal == nil
        ? "none: an older beacontrace made it"
        : "SHA-256 of the file as it was written, with these digits as zeros")
    if let seal = facts.seal { sum(seal) }
    row("file", "SHA-256 of it as it is, as sha256sum tells it")
    sum(facts.sha256)
    let (from, to) = (facts.from.known, facts.to.known)
    row("times", TextColumns.spanAndZone(from, to))
    row(
      "options",
      facts.options.isEmpty
        ? "none" : TextColumns.printable(facts.options.map(shortened).joined(separator: " ")))
    if facts.captures.count > mostListed {
      for (place, text) in summedUp(facts.captures).enumerated() {
        row(place == 0 ? "captures" : "", text)
      }
    } else {
      for (place, capture) in facts.captures.enumerated() {
        row(place == 0 ? "captures" : "", TextColumns.printable(capture.name))
        row("", recordsAndSize([capture]))
        sum(capture.sha256)
      }
    }
    if facts.files.count > mostListed {
      let roles = Dictionary(grouping: facts.files, by: \.role).sorted { $0.key < $1.key }
      row(
        "other files",
        roles.map { "\($0.key) \(TextColumns.grouped($0.value.count))" }.joined(separator: ", "))
    } else {
      for (place, file) in facts.files.enumerated() {
        row(place == 0 ? "other files" : "", "\(file.role) \(TextColumns.printable(file.name))")
        sum(file.sha256)
      }
    }
    for (place, plugin) in facts.plugins.enumerated() {
      row(place == 0 ? "plugins" : "", TextColumns.printable(words(plugin)))
    }
    row("holds", holds(facts))
    return lines
  }

  /// An option that names very many files, as `--observer` may, without them: captures are told below.
  private static func shortened(_ option: String) -> String {
    let parts = option.split(separator: ",")
    guard parts.count > mostListed else { return option }
    return "\(parts[0]),… (\(TextColumns.grouped(parts.count)))"
  }

  /// Files that are told one by one.
  private static let mostListed = 100

  private static func recordsAndSize(_ captures: [CaptureRow]) -> String {
    TextColumns.counted(captures.reduce(0) { $0 + $1.records }, "record") + ", "
      + TextColumns.size(captures.reduce(0) { $0 + Int64($1.bytes) })
  }

  /// Of more captures than anybody reads through: how many of whom, and where each of them is told.
  private static func summedUp(_ captures: [CaptureRow]) -> [String] {
    let folders = FolderNames.names(of: captures.map(\.name))
    let receivers = Dictionary(grouping: captures.indices) {
      folders[$0] ?? "in no receiver's folder"
    }
    .mapValues { places in places.map { captures[$0] } }
    return [
      "\(TextColumns.grouped(captures.count)): \(recordsAndSize(captures)); each of them, with its SHA-256: "
        + "'beacontrace case info --format json'"
    ]
      + receivers.sorted { $0.key < $1.key }.map { name, captures in
        let (from, to) = (captures.compactMap(\.fromNs).min(), captures.compactMap(\.toNs).max())
        return "\(TextColumns.printable(name)): \(TextColumns.grouped(captures.count)), "
          + "\(recordsAndSize(captures)), \(TextColumns.span(from.known, to.known))"
      }
  }

  /// How it went with a plugin.
  private static func words(_ plugin: PluginRow) -> String {
    var parts = [TextColumns.counted(plugin.alerts, "alert")]
    if plugin.heldBack > 0 { parts.append("\(TextColumns.grouped(plugin.heldBack)) held back") }
    if plugin.errors > 0 { parts.append("\(TextColumns.counted(plugin.errors, "call")) failed") }
    let off = plugin.switchedOffNs.known
    if off.isKnown { parts.append("switched off from \(Figures.moment(off)) on") }
    return "\(plugin.name): " + parts.joined(separator: ", ")
  }

  private static func holds(_ facts: CaseFacts) -> String {
    let words: [(table: String, one: String, many: String?)] = [
      ("beacons", "beacon", nil), ("transmitters", "transmitter", nil),
      ("sightings", "sighting", nil), ("regions", "region", nil), ("stays", "visit", nil),
      ("events", "event", nil), ("alerts", "alert", nil), ("frames", "cited frame", nil),
      ("damage", "damaged place", nil), ("problems", "input not read", "inputs not read"),
    ]
    let parts = words.filter { facts.rows($0.table) > 0 || $0.table == "beacons" }.map {
      TextColumns.counted(facts.rows($0.table), $0.one, $0.many)
    }
    return parts.joined(separator: ", ")
  }

  /// The tables and views with their columns.
  package static func schema(_ listings: [CaseFile.Listing]) -> [String] {
    listings.flatMap { listing in
      [listing.name + (listing.isView ? "  (view)" : "")]
        + TextFit.wrap(
          listing.columns.joined(separator: ", "), indent: 4, width: AnalysisText.width)
    }
  }

  /// What SQLite does not take, with the place in the statement under it.
  package static func refusal(_ refusal: CaseQuery.Refusal, _ statement: String) -> [String] {
    let what = "beacontrace: SQL: \(TextColumns.printable(refusal.what))."
    guard let place = refusal.place, place <= statement.utf8.count else { return [what] }
    let before = String(decoding: statement.utf8.prefix(place), as: UTF8.self)
    let start = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
    let lines = statement.split(separator: "\n", omittingEmptySubsequences: false)
    let number = before.count { $0 == "\n" }
    let column = TextColumns.printable(String(before[start...])).columns
    return [
      what, "  " + TextColumns.printable(String(lines[number])),
      "  " + String(repeating: " ", count: column) + "^",
    ]
  }

  /// What may have been meant where a table is not there, or a table's name stands where a statement should.
  /// - Returns: a line; nil where there is nothing to say.
  package static func advice(
    _ refusal: CaseQuery.Refusal, _ statement: String, tables: [String]
  ) -> String? {
    let listed = "'beacontrace case query FILE' lists the tables and their columns."
    let word = statement.trimmed
    if let table = tables.first(where: { $0 == word.lowercased() }) {
      return "Did you mean 'SELECT * FROM \(table)'? \(listed)"
    }
    guard refusal.what.hasPrefix("no such table: ") || refusal.what.hasPrefix("no such column: ")
    else {
      guard !word.contains(" "), let table = LikelyWord.of(word, among: tables) else { return nil }
      return "Did you mean 'SELECT * FROM \(table)'? \(listed)"
    }
    guard refusal.what.hasPrefix("no such table: ") else { return listed }
    let missing = String(refusal.what.dropFirst("no such table: ".count))
    let guess = LikelyWord.of(missing, among: tables).map { "Did you mean '\($0)'? " } ?? ""
    return guess + listed
  }
}

extension String {
  /// Without blanks and the semicolon around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed())
  }
}

extension Int64? {
  var known: Timestamp { map { Timestamp(nanoseconds: $0) } ?? .none }
}
