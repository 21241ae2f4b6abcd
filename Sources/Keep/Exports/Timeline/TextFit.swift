import Regions

/// Text of others in columns of ours. Widths are columns of a terminal.
package enum TextFit {
  /// Cut where it is longer, which an ellipsis shows.
  package static func cut(_ text: String, _ width: Int) -> String {
    text.columns <= width ? text : text.prefix(columns: width - 1) + "…"
  }

  /// Cut in its middle: of observers' names the end tells them apart.
  static func cutMiddle(_ text: String, _ width: Int) -> String {
    guard text.columns > width, width > 2 else { return cut(text, width) }
    let tail = (width - 1) / 2
    return text.prefix(columns: width - 1 - tail) + "…" + text.suffix(columns: tail)
  }

  /// What stands before the last slash, a folder or a capture, tells more than a long name behind it, which
  /// observers may have in common. A short one is a controller's.
  static func observer(_ name: String, _ width: Int) -> String {
    let text = TextColumns.printable(name)
    guard text.columns > width, let slash = text.lastIndex(of: "/") else {
      return cutMiddle(text, width)
    }
    let (head, tail) = (text[..<slash], text[text.index(after: slash)...])
    let room = width - 1
    let least = tail.columns <= longestController ? tail.columns : max(5, room / 3)
    let forTail = max(least, room - head.columns)
    guard room - forTail > 2 else { return cutMiddle(text, width) }
    return cutMiddle(String(head), room - forTail) + "/" + cutMiddle(String(tail), forTail)
  }

  private static let longestController = 8

  /// A beacon's kind and identifier. What stands behind the last colon tells those of one place apart: where
  /// it is long, its middle goes first.
  static func beacon(_ name: String, _ width: Int) -> String {
    guard name.columns > width, !name.contains("://"), let colon = name.lastIndex(of: ":") else {
      return cut(name, width)
    }
    let head = name[...colon]
    let room = width - head.columns
    return room >= leastInstance
      ? head + cutMiddle(String(name[name.index(after: colon)...]), room) : cutMiddle(name, width)
  }

  private static let leastInstance = 5

  /// Lines of at most so many columns. Words that are longer are cut, behind a comma where one is near, and go on
  /// with the next line: nothing is put in between.
  package static func wrap(_ text: String, indent: Int, hanging: Int = 0, width: Int) -> [String] {
    let room = max(1, width - indent - hanging)
    var words: [String] = []
    var breaks: Set<Int> = []
    for word in TextLayout.words(text) {
      guard word.columns > room else {
        words.append(word)
        continue
      }
      // What is one word for its blanks ("12 345", what is quoted) is taken apart at them first.
      for part in word.split(separator: " ", omittingEmptySubsequences: false) {
        for (number, piece) in pieces(part, room).enumerated() {
          if number > 0 { breaks.insert(words.count) }
          words.append(String(piece))
        }
      }
    }
    return TextLayout.wrap(words, indent: indent, hanging: hanging, width: width, breaks: breaks)
  }

  private static func pieces(_ word: Substring, _ columns: Int) -> [Substring] {
    var rest = word
    var pieces: [Substring] = []
    while let first = rest.indices.first {
      var fitting = rest.prefix(columns: columns)
      if fitting.endIndex < rest.endIndex, let comma = fitting.lastIndex(of: ","),
        fitting[...comma].columns > columns / 2
      {
        fitting = fitting[...comma]
      }
      // A character that is wider stands alone.
      pieces.append(fitting.isEmpty ? rest[first...first] : fitting)
      rest = rest[pieces[pieces.count - 1].endIndex...]
    }
    return pieces
  }

  /// A region's identifier: escaped, identities that serve as names shortened, quoted where it could
  /// be taken for something else.
  static func name(_ identifier: String, _ width: Int = .max) -> String {
    let text = TextColumns.printable(identifier)
    let isIdentity =
      text.utf8.count > 16
      && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit || $0 == 45 || $0 == 58 }
    if isIdentity { return TextColumns.shortened(text) }
    let isPlain =
      !text.isEmpty && text.first != " " && text.last != " " && !text.contains("  ")
      && !text.contains("\"")
    // Names of one site often begin alike: their ends tell them apart.
    return isPlain ? cutMiddle(text, width) : "\"" + cutMiddle(text, width - 2) + "\""
  }
}

extension Profile {
  /// `exit after 30 s`, and what else decides when events come.
  /// - Parameter regionsDiffer: whether some regions say themselves after how long they are left.
  func summary(regionsDiffer: Bool = false) -> String {
    func number(_ name: String) -> String { numbers.first { $0.name == name }?.value ?? "" }
    var parts = [
      "exit after \(number("exit_after")) s"
        + (regionsDiffer ? " unless a region says otherwise" : "")
    ]
    if cycle > 0 { parts.append("cycles of \(number("cycle")) s") }
    if scanWindow > 0 {
      parts.append("listening \(number("scan_window")) of \(number("scan_interval")) s")
    }
    if let limit { parts.append("\(limit) regions at most") }
    let told = Set(
      ["exit_after"] + (cycle > 0 ? ["cycle"] : []) + (limit == nil ? [] : ["limit"])
        + (scanWindow > 0 ? ["scan_window", "scan_interval"] : []))
    let others = changes.filter { !told.contains($0.name) }.map { "\($0.name)=\($0.value)" }
    if !others.isEmpty { parts.append("with " + others.joined(separator: " ")) }
    return parts.joined(separator: ", ")
  }

  /// Numbers that are not those of the profile of its name, in the order of the table.
  var changes: [(name: String, value: String)] {
    guard let usual = Profiles.all.first(where: { $0.name == name })?.numbers else { return [] }
    return zip(numbers, usual).filter { $0.value != $1.value }.map(\.0)
  }
}
