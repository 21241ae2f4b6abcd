/// What somebody means who writes Lua as other languages are written: one clause behind what the compiler
/// says, which names a sign and not the habit.
struct SyntaxHints {
  /// What Lua stopped at, and what is behind it; what stands before it.
  private let after: Substring
  private let before: String

  /// As much of a text as is looked at, in bytes.
  private static let nearby = 400

  /// - Parameter place: of the token that is wrong, in bytes.
  init(_ text: [UInt8], at place: Int) {
    let place = min(place, text.count)
    after = Substring(decoding: text[place...].prefix(Self.nearby), as: UTF8.self)
    before = String(decoding: text[..<place].suffix(Self.nearby), as: UTF8.self)
  }

  /// - Parameter message: the compiler's.
  /// - Returns: nil where nothing is known of such a mistake.
  func hint(_ message: String) -> String? {
    ofSign ?? ofAssignment(message) ?? ofWord(message) ?? ofKey(message) ?? ofBrace(message)
      ?? ofComment(message) ?? ofItem(message)
  }

  // MARK: Signs that Lua has not

  private static let signs: [(before: String, after: String, hint: String)] = [
    ("", "!=", "Lua writes ~= for unequal"), ("", "!", "Lua writes not for !"),
    ("|", "|", "Lua writes or for ||"), ("&", "&", "Lua writes and for &&"),
    ("", "?", "Lua has no ? and :; write condition and one or other"),
    ("", "=>", "a function is written function(s) … end"),
    ("", "/*", "a comment stands between --[[ and ]]"),
    ("", "`", "a text stands between \" and \""),
    ("", "\u{A0}", "a blank that is none stands there (U+00A0); write an ordinary one"),
  ]
  private static let quotes: Set<Character> = ["“", "”", "„", "‘", "’", "‚", "«", "»"]

  private var ofSign: String? {
    if let first = after.first, Self.quotes.contains(first) {
      return "a text stands between \" and \", straight ones, not \(first)"
    }
    return Self.signs.first { before.hasSuffix($0.before) && after.hasPrefix($0.after) }?.hint
  }

  // MARK: = and what goes with it

  private func ofAssignment(_ message: String) -> String? {
    if message.hasPrefix("syntax error") {
      let name = before.firstMatch(of: /([A-Za-z_][A-Za-z0-9_.]*)\s*$/).map { String($0.1) } ?? "n"
      if let sign = after.prefixMatch(of: /(\+|-|\*|\/\/|\/|%|\^|\.\.)=/) {
        return "Lua has no \(sign.0); write \(name) = \(name) \(sign.1) …"
      }
      if after.hasPrefix("++") { return "Lua has no ++; write \(name) = \(name) + 1" }
      if after.hasPrefix("==") { return "a value is given with a single =" }
      return nil
    }
    let ends = ["'then'", "'do'", "')'", "']'", "'end'", "<eof>"]
    guard after.hasPrefix("="), !after.hasPrefix("=="),
      ends.contains(where: { message.hasPrefix("\($0) expected") })
    else { return nil }
    let isCall = message.hasPrefix("')'") && endsInCall
    return isCall
      ? "keys stand in braces, { key = value }; what is equal is written =="
      : "what is equal is written =="
  }

  /// Whether the parenthesis that is open is that of a call.
  private var endsInCall: Bool {
    var depth = 0
    var isOpen = false
    for letter in before.reversed() {
      if isOpen { return letter == "_" || letter.isLetter || letter.isNumber }
      switch letter {
      case ")": depth += 1
      case "(" where depth > 0: depth -= 1
      case "(": isOpen = true
      default: continue
      }
    }
    return false
  }

  // MARK: Words

  private func ofWord(_ message: String) -> String? {
    guard message.hasPrefix("syntax error"),
      let match = before.firstMatch(of: /(?:^|[^A-Za-z0-9_.:])([a-zA-Z]+);?\s*$/)
    else { return nil }
    switch match.1 {
    case "var", "let", "const": return "Lua declares a variable with local"
    case "elif", "elsif", "elseIf": return "Lua writes elseif"
    case "continue": return "Lua has no continue; write goto next, and ::next:: where the loop ends"
    default: return nil
    }
  }

  /// `{ title: "x" }`, `{ "title": "x" }`
  private func ofKey(_ message: String) -> String? {
    let hint = "a key of a table is written with =, as in { title = … }"
    if after.hasPrefix(":"), message.hasPrefix("'}' expected") { return hint }
    guard message.hasPrefix("<name> expected") || message.hasPrefix("function arguments expected"),
      before.contains(/[{,]\s*[A-Za-z_][A-Za-z0-9_]*\s*:\s*(?:[A-Za-z_][A-Za-z0-9_]*\s*)?$/)
    else { return nil }
    return hint
  }

  /// `if (…) { … }`, `function(s) { … }`
  private func ofBrace(_ message: String) -> String? {
    let starts = [
      "'then' expected", "'do' expected", "'}' expected", "unexpected symbol", "syntax error",
    ]
    guard starts.contains(where: message.hasPrefix) else { return nil }
    let hint = "Lua has words for braces: if … then … end, function(s) … end"
    if after.hasPrefix("{"), before.contains(/(?:\)|\belse|\bdo|\bthen)\s*$/) { return hint }
    let opens = /^\s*(?:\}\s*)?(?:if|while|for|else|elseif|else if|.*\bfunction)\b.*\)\s*\{\s*$/
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.contains { $0.contains(opens) } ? hint : nil
  }

  /// `{ title = "x" text = "y" }`
  private func ofItem(_ message: String) -> String? {
    guard message.hasPrefix("'}' expected"),
      let key = after.prefixMatch(of: /([A-Za-z_][A-Za-z0-9_]*)\s*=/)
    else {
      return nil
    }
    return "a comma is missing before \(key.1)"
  }

  private func ofComment(_ message: String) -> String? {
    guard message.hasPrefix("unexpected symbol"), after.hasPrefix("//") || after.hasPrefix("#")
    else {
      return nil
    }
    return "a comment begins with --"
  }
}

/// An `end` that is missing is noticed far from its place, where another one has been taken for it.
struct ClosedBlocks {
  struct Block {
    /// `if`, `for` …
    let word: String
    let line: Int
    let endLine: Int
  }
  /// The one that was closed last.
  var latest: Block?
  /// Where what is not closed begins, once that is known.
  var openLine: Int?
  /// Lines with an `else if` that may have had one `end` for two.
  var elseIfs: [Int] = []

  /// An `else if` of which both ends are seen to be there: `end end`, or the second one below its `if`.
  /// - Parameters:
  ///   - line: of the `else if`.
  ///   - ifColumn: of the `if` before it.
  ///   - end: what closes that one. At the beginning of a line it says nothing: all may begin there.
  mutating func forgetElseIf(of line: Int, ifColumn: Int, end: LuaPlace) {
    let isBeside = latest?.word == "if" && latest?.line == line && latest?.endLine == end.line
    let isBelow = end.column == ifColumn && ifColumn > 1
    guard isBeside || isBelow, let number = elseIfs.lastIndex(of: line) else { return }
    elseIfs.remove(at: number)
  }

  /// - Parameters:
  ///   - message: the compiler's.
  ///   - isBehindEnd: what is wrong stands behind an `end`.
  func hint(_ message: String, isBehindEnd: Bool) -> String? {
    let isEarly = message == "unexpected symbol near ')'" && isBehindEnd
    guard isEarly || message.hasPrefix("'end' expected") else { return nil }
    // An `else if` takes the end of a block that is around it.
    let block = isEarly ? latest?.line : openLine
    if let block, let elseIf = elseIfs.first(where: { $0 >= block }) {
      return
        "an end is missing: 'else if' of line \(elseIf) begins an if with an end of its own; write elseif"
    }
    guard isEarly, let latest else { return nil }
    return
      "an end is missing: that of line \(latest.endLine) closes the '\(latest.word)' of line \(latest.line)"
  }
}
