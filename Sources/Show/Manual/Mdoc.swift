/// Text as mdoc(7) wants it.
enum Mdoc {
  /// Lines of running text, below 80 bytes; each sentence begins a line, so that the formatter sets
  /// the space before it.
  static func prose(_ text: String) -> [String] {
    var lines: [String] = []
    var endsSentence = true
    for part in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let word = literal(String(part), hyphens: part.hasPrefix("-"))
      if !endsSentence, let line = lines.last, line.utf8.count + word.utf8.count < 79 {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(guarded(word))
      }
      endsSentence = part.last == "."
    }
    return lines
  }

  /// Words of a macro's line: none is taken for a macro or for punctuation.
  static func arguments(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let escaped = literal(String(word), hyphens: true)
      return word.count <= 3 ? "\\&" + escaped : escaped
    }.joined(separator: " ")
  }

  /// - Parameter hyphens: they can be pasted into a shell, so they are no dashes.
  private static func literal(_ text: String, hyphens: Bool) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-" where hyphens: result += "\\-"
      case "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result
  }

  /// A line of text that begins like a macro's is none.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
