import CaptureReader
package import Pseudonyms

/// What was shared, for people.
package struct ShareText {
  private let folder: String
  private let files: [String]
  private let captures: [String]
  private let written: [SharedCapture]
  private let digests: [[UInt8]]
  private let entries: [Pseudonyms.Entry]
  private let payloads: Int
  private let damage: [String?]
  private let unread: Int

  /// - Parameters:
  ///   - damage: of each capture what is wrong with it; nil: it is whole.
  ///   - unread: inputs that could not be read, and are not shared.
  package init(
    folder: String, files: [String], captures: [String], written: [SharedCapture],
    digests: [[UInt8]], entries: [Pseudonyms.Entry], payloads: Int, damage: [String?], unread: Int
  ) {
    self.damage = damage
    self.unread = unread
    self.folder = folder
    self.files = files
    self.captures = captures
    self.written = written
    self.digests = digests
    self.entries = entries
    self.payloads = payloads
  }

  package var lines: [String] {
    var lines: [String] = []
    for place in files.indices {
      lines.append(TextColumns.printable("\(folder)/\(files[place])"))
      let digest =
        digests[place].isEmpty ? "" : ", sha256 \(TextColumns.short(sha256: digests[place]))"
      lines.append(
        TextColumns.printable(
          "  of \(captures[place])\(digest): \(TextColumns.counted(written[place].frames, "frame"))"
        ))
      if let damage = damage[place] {
        lines += TextLayout.wrap(
          TextColumns.printable("the original is damaged: \(damage)"),
          indent: 2, hanging: 2)
      }
    }
    lines.append("")
    let damaged = damage.count { $0 != nil }
    if damaged > 0 {
      lines.append(
        "Damaged: \(TextColumns.grouped(damaged)) of \(TextColumns.counted(captures.count, "capture"))"
      )
    }
    if unread > 0 {
      lines.append("Not shared: \(TextColumns.counted(unread, "input")) that could not be read")
    }
    lines += Self.paragraph("Replaced (each counted once)", replaced)
    lines += Self.paragraph("Scrambled (each time)", scrambled)
    lines += Self.paragraph("Zeros", zeros)
    lines += Self.paragraph("Left out", leftOut)
    return lines
  }

  private var replaced: [String] {
    let counts = Dictionary(grouping: entries, by: \.kind).mapValues(\.count)
    let words: [(Pseudonyms.Kind, String, String)] = [
      (.address, "address", "addresses"), (.uuid, "UUID", "UUIDs"), (.major, "major", "majors"),
      (.minor, "minor", "minors"), (.namespace, "namespace", "namespaces"),
      (.instance, "instance", "instances"), (.identifier, "EID", "EIDs"), (.url, "URL", "URLs"),
      (.name, "name", "names"),
    ]
    return words.compactMap { kind, one, many in
      counts[kind].map { TextColumns.counted($0, one, many) }
    }
  }

  /// Each time they came: most come once, and are not remembered.
  private var scrambled: [String] {
    payloads > 0 ? [TextColumns.counted(payloads, "other payload")] : []
  }

  private var zeros: [String] {
    let words: [(Zeroed, String, String)] = [
      (.keys, "frame with keys", "frames with keys"),
      (.connections, "frame about connections", "frames about connections"),
      (.data, "frame of data over connections", "frames of data over connections"),
      (.otherAccess, "packet with another access address", "packets with another access address"),
      (.commands, "other HCI command", "other HCI commands"),
      (.events, "other HCI event", "other HCI events"),
      (.wrongChecksum, "packet with a wrong checksum", "packets with a wrong checksum"),
      (.unread, "frame with unknown bytes", "frames with unknown bytes"),
    ]
    return words.compactMap { kind, one, many in
      let count = written.reduce(0) { $0 + $1.zeroed[kind.rawValue] }
      return count > 0 ? TextColumns.counted(count, one, many) : nil
    }
  }

  private var leftOut: [String] {
    let sum = { (path: KeyPath<SharedCapture, Int>) in written.reduce(0) { $0 + $1[keyPath: path] }
    }
    var parts: [String] = []
    if sum(\.positions) > 0 { parts.append(TextColumns.counted(sum(\.positions), "position")) }
    if sum(\.unknown) > 0 {
      parts.append(
        "the bytes of \(TextColumns.counted(sum(\.unknown), "frame")) of unknown packets")
    }
    let words: [(KeyPath<SharedCapture, Int>, String, String)] = [
      (\.comments, "comment", "comments"), (\.names, "interface name", "interface names"),
      (\.unread.descriptions, "description", "descriptions"),
      (\.unread.addresses, "interface address", "interface addresses"),
      (\.unread.otherOptions, "other option", "other options"),
      (\.unread.nameBlocks, "block of names", "blocks of names"),
      (\.unread.secretBlocks, "block of secrets", "blocks of secrets"),
      (\.unread.otherBlocks, "unknown block", "unknown blocks"),
    ]
    for (path, one, many) in words where sum(path) > 0 {
      parts.append(TextColumns.counted(sum(path), one, many))
    }
    return parts
  }

  /// Broken into lines of 80 columns.
  private static func paragraph(_ title: String, _ parts: [String]) -> [String] {
    guard !parts.isEmpty else { return [] }
    var lines: [String] = []
    var line = "\(title): "
    for (place, part) in parts.enumerated() {
      let text = part + (place + 1 < parts.count ? ", " : "")
      if line.count + text.count > 80 {
        lines.append(String(line.dropLast()))
        line = "  "
      }
      line += text
    }
    return lines + [line]
  }
}
