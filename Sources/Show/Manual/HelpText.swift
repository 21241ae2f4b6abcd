/// The longer text of a command's help, taken apart.
///
/// Blank lines part its blocks. A block whose first line ends in a colon and whose other lines are
/// indented is a list: two blanks before a term, two or more after it before its explanation, more
/// than two before every further line of the explanation. Every other block is a paragraph.
struct HelpText {
  struct Item: Equatable {
    let term: String
    let text: String
  }

  enum Block: Equatable {
    case paragraph(String)
    case list(title: String, [Item])
  }

  let blocks: [Block]

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    blocks = lines.split(whereSeparator: \.isEmpty).map { Self.block(Array($0)) }
  }

  /// The list of that title; empty without one.
  func list(_ title: String) -> [Item] {
    for case .list(title, let items) in blocks { return items }
    return []
  }

  private static func block(_ lines: [Substring]) -> Block {
    guard let first = lines.first, first.last == ":", lines.count > 1,
      lines.dropFirst().allSatisfy({ $0.hasPrefix("  ") })
    else { return .paragraph(lines.joined(separator: " ")) }
    var items: [Item] = []
    for line in lines.dropFirst() {
      let words = line.drop { $0 == " " }
      if line.prefix(3).last == " ", let last = items.popLast() {
        let text = last.text.isEmpty ? String(words) : "\(last.text) \(words)"
        items.append(Item(term: last.term, text: text))
      } else {
        items.append(item(words))
      }
    }
    return .list(title: String(first.dropLast()), items)
  }

  private static func item(_ words: Substring) -> Item {
    guard let gap = words.firstRange(of: "  ") else { return Item(term: String(words), text: "") }
    let text = words[gap.upperBound...].drop { $0 == " " }
    return Item(term: String(words[..<gap.lowerBound]), text: String(text))
  }
}
