/// What a person would see on a terminal: cells, a cursor, and a page beside the ordinary one. It knows
/// what the screen and those who come before and behind it send; anything else is a fault.
struct TerminalModel {
  /// Nil: the right half of the character before.
  typealias Cell = String?

  private struct Page {
    var cells: [[Cell]]
    /// Behind the last column where that was written last.
    var column = 0
    var row = 0
  }

  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var isOnPage = false
  private(set) var showsCursor = true
  private(set) var wraps = true
  private(set) var faults: [String] = []
  /// Lines that left the ordinary page at its top.
  private(set) var scrolled: [String] = []
  /// The one that is seen, and the ordinary one while it is not.
  private var page: Page
  private var ordinary: Page
  /// What is not whole yet.
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    page = Page(cells: Self.blank(columns, rows))
    ordinary = page
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// Rows that are seen, without blanks at their ends.
  var lines: [String] { page.cells.map(Self.text) }

  /// All that was ever on the ordinary page, empty rows at its end aside.
  var transcript: [String] {
    let all = scrolled + (isOnPage ? ordinary : page).cells.map(Self.text)
    return Array(all.reversed().drop { $0.isEmpty }.reversed())
  }

  /// At which column a text begins; nil: it is not in the row.
  func column(of text: String, in row: Int) -> Int? {
    page.cells[row].indices.first { column in
      page.cells[row][column] != nil && Self.text(Array(page.cells[row][column...])).hasPrefix(text)
    }
  }

  private static func text(_ cells: [Cell]) -> String {
    let text = cells.compactMap { $0 }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  // MARK: Size

  /// What has no room any more is gone, as on xterm; the cursor's row stays.
  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    if isOnPage { ordinary = resized(ordinary, keepsTop: false) }
    page = resized(page, keepsTop: isOnPage)
  }

  private mutating func resized(_ old: Page, keepsTop: Bool) -> Page {
    var page = old
    while !keepsTop, page.row >= rows {
      scrolled.append(Self.text(page.cells.removeFirst()))
      page.row -= 1
    }
    page.cells = Array(page.cells.prefix(rows)).map { cells in
      Array((cells + Array(repeating: " ", count: max(0, columns - cells.count))).prefix(columns))
    }
    page.cells += Self.blank(columns, rows - page.cells.count)
    (page.row, page.column) = (min(page.row, rows - 1), min(page.column, columns - 1))
    return page
  }

  // MARK: What comes

  mutating func take(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let first = pending.first, let length = length(of: first) {
      let unit = Array(pending.prefix(length))
      pending.removeFirst(length)
      switch first {
      case 0x1B: sequence(String(decoding: unit.dropFirst(2), as: UTF8.self))
      case 0x0D: page.column = 0
      case 0x0A: feedLine()
      case 0..<0x20, 0x7F: faults.append("control character \(first)")
      default: for scalar in String(decoding: unit, as: UTF8.self).unicodeScalars { put(scalar) }
      }
    }
  }

  /// Bytes of the first thing that waits; nil: it is not whole.
  private mutating func length(of first: UInt8) -> Int? {
    var length = 1
    if first == 0x1B {
      guard pending.count > 1 else { return nil }
      if pending[1] != UInt8(ascii: "[") { faults.append("escape with \(pending[1])") }
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        return nil
      }
      length = end + 1
    } else if first >= 0xC0 {
      length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    }
    return pending.count >= length ? length : nil
  }

  private mutating func sequence(_ words: String) {
    switch words {
    case "?1049h":
      if !isOnPage { ordinary = page }
      isOnPage = true
      page.cells = Self.blank(columns, rows)
    case "?1049l":
      if isOnPage { page = ordinary }
      isOnPage = false
    case "?25h", "?25l": showsCursor = words.hasSuffix("h")
    case "?7h", "?7l": wraps = words.hasSuffix("h")
    case "2J": page.cells = Self.blank(columns, rows)
    case "K":
      for column in min(page.column, columns - 1)..<columns { page.cells[page.row][column] = " " }
    // How letters look.
    case "0m", "1m", "2m", "33m": break
    default:
      if words.hasSuffix("H") { return move(words.dropLast()) }
      faults.append("sequence \(words)")
    }
  }

  private mutating func move(_ words: Substring) {
    let numbers = words.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
      return faults.append("moves to \(words)")
    }
    // Of what was drawn for another size, too.
    (page.row, page.column) = (min(numbers[0], rows) - 1, min(numbers[1], columns) - 1)
  }

  private mutating func feedLine() {
    guard page.row == rows - 1 else { return page.row += 1 }
    let top = page.cells.removeFirst()
    page.cells += Self.blank(columns, 1)
    if isOnPage { faults.append("the page is scrolled") } else { scrolled.append(Self.text(top)) }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(scalar)
    if width == 0 {
      let before = page.cells[page.row][..<page.column].lastIndex { $0 != nil }
      if let before { page.cells[page.row][before]? += String(scalar) }
      return
    }
    if page.column + width > columns {
      if wraps {
        page.column = 0
        feedLine()
      } else {
        // Over what stands in the last column.
        page.column = columns - width
      }
    }
    page.cells[page.row][page.column] = String(scalar)
    for column in page.column + 1..<page.column + width { page.cells[page.row][column] = nil }
    page.column += width
  }

  /// Of the letters that the tests use; the program's own table is not asked.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.properties.canonicalCombiningClass != .notReordered { return 0 }
    switch scalar.value {
    case 0x200D, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x3041...0x33FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60,
      0x1F300...0x1F5FF, 0x1F900...0x1F9FF:
      return 2
    default: return 1
    }
  }
}
