/// Names that file managers and browsers give to another copy of a file: `hci (1).log`, `hci - Copy.log`,
/// `Copy of hci.log`.
enum CopyName {
  private static let words = ["copy", "kopie", "copie", "copia", "cópia"]

  /// Whether a file is called as a copy of another one would be, wherever both lie.
  static func isCopy(_ path: String, of other: String) -> Bool {
    let (name, original) = (parts(path), parts(other))
    guard !original.stem.isEmpty else { return false }
    // `hci.log (1)`
    if name.stem == original.stem {
      return name.ending.hasPrefix(original.ending)
        && isMark(name.ending.dropFirst(original.ending.count))
    }
    guard name.ending == original.ending else { return false }
    if name.stem.hasPrefix(original.stem) {
      return isMark(name.stem.dropFirst(original.stem.count))
    }
    return words.contains { word in
      ["\(word) of ", "\(word) von ", "\(word) de "].contains { $0 + original.stem == name.stem }
    }
  }

  /// ` (1)`, ` - copy`, ` copy 2`, `_copy`
  private static func isMark(_ text: some StringProtocol) -> Bool {
    guard let first = text.first, " -_(".contains(first) else { return false }
    let separators: Set<Character> = [" ", "-", "_"]
    var text = Substring(text).drop { separators.contains($0) }
    for word in words where text.hasPrefix(word) {
      text = text.dropFirst(word.count).drop { separators.contains($0) }
      return text.isEmpty || isNumber(text, alone: true)
    }
    return isNumber(text, alone: false)
  }

  /// - Parameter alone: whether digits do without brackets: `hci_2.log` may be anything.
  private static func isNumber(_ text: Substring, alone: Bool) -> Bool {
    if text.hasPrefix("("), text.hasSuffix(")"), text.count > 2 {
      return text.dropFirst().dropLast().allSatisfy { "0123456789".contains($0) }
    }
    return alone && !text.isEmpty && text.allSatisfy { "0123456789".contains($0) }
  }

  /// In lower case; what stands from the first full stop on is the ending.
  private static func parts(_ path: String) -> (stem: String, ending: String) {
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    guard let dot = name.firstIndex(of: ".") else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
