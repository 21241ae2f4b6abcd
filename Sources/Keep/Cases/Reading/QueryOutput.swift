package import CaseStore
package import Exports

/// What a query of a case finds, as it goes out.
package enum QueryForm: String, CaseIterable, Sendable { case text, csv, json, ndjson }

/// Writes rows as they are found. Text of others is made harmless: control characters are shown, and cells
/// that a spreadsheet would take for a formula get an apostrophe. Bytes are hexadecimal.
package struct QueryOutput {
  private let form: QueryForm
  private var output: any TextOutput
  private var text = ByteText()
  private var columns: [String] = []
  private var table: FittedTable
  private var hasRows = false

  /// - Parameter width: columns of the terminal; nil: nothing is cut.
  package init(_ form: QueryForm, _ output: any TextOutput, width: Int?) {
    self.form = form
    self.output = output
    table = FittedTable(width: width)
  }

  package mutating func begin(_ columns: [String]) throws {
    self.columns = columns
    switch form {
    case .text: table.begin(columns.map { TextColumns.printable($0) })
    case .csv: csv(columns.map { .text($0) })
    case .json: text.text("[")
    case .ndjson: break
    }
    if form == .json || form == .ndjson { self.columns = Self.told(columns) }
  }

  package mutating func take(_ row: [CaseValue]) throws {
    switch form {
    case .text: for line in table.take(row.map(Self.cell)) { text.text(of: line + "\n") }
    case .csv: csv(row)
    case .json:
      text.text(hasRows ? ",\n" : "\n")
      json(row)
    case .ndjson:
      json(row)
      text.text("\n")
    }
    hasRows = true
    try text.flush(to: &output, keeping: Exports.chunk)
  }

  package mutating func end() throws {
    switch form {
    case .text: for line in table.end() { text.text(of: line + "\n") }
    case .csv, .ndjson: break
    case .json: text.text(hasRows ? "\n]\n" : "]\n")
    }
    try text.flush(to: &output)
  }

  /// A key for each column: of several with one name the second is `NAME_2`, as an object has each key once.
  private static func told(_ columns: [String]) -> [String] {
    var used = Set(columns)
    var seen: Set<String> = []
    return columns.map { name in
      guard !seen.insert(name).inserted else { return name }
      var number = 2
      while !used.insert("\(name)_\(number)").inserted { number += 1 }
      return "\(name)_\(number)"
    }
  }

  /// Tables and views, a row for each column.
  package mutating func list(_ listings: [CaseFile.Listing]) throws {
    try begin(["table", "type", "column"])
    for listing in listings {
      for column in listing.columns {
        try take([.text(listing.name), .text(listing.isView ? "view" : "table"), .text(column)])
      }
    }
    try end()
  }

  private mutating func csv(_ row: [CaseValue]) {
    for (place, value) in row.enumerated() {
      if place > 0 { text.text(",") }
      switch value {
      case .null: break
      // An empty text is not NULL.
      case .text(let string):
        string.isEmpty ? text.text("\"\"") : text.csv(CSVCell.line(string))
      default: text.text(of: Self.cell(value))
      }
    }
    text.text("\r\n")
  }

  private mutating func json(_ row: [CaseValue]) {
    text.text("{")
    for (place, value) in row.enumerated() {
      if place > 0 { text.text(",") }
      text.jsonString(columns[place])
      text.text(":")
      switch value {
      case .null: text.text("null")
      case .int(let number): text.int(Int(number))
      case .real(let number): number.isFinite ? text.text(of: "\(number)") : text.text("null")
      case .text(let string): text.jsonString(string)
      case .blob: text.jsonString(Self.cell(value))
      }
    }
    text.text("}")
  }

  /// NULL stands as it is; texts that could be taken for it are quoted.
  private static func cell(_ value: CaseValue) -> String {
    switch value {
    case .null: return "NULL"
    case .int(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .text(let string):
      return string.isEmpty || string == "NULL" ? "'\(string)'" : TextColumns.printable(string)
    case .blob(let bytes):
      var text = ByteText()
      for byte in bytes { text.hex(byte) }
      return text.string
    }
  }
}

/// Columns as wide as what is in the first rows, no wider than the terminal together. Where little of
/// each would be left, a line for each cell takes their place, and nothing is cut.
struct FittedTable {
  private enum Form {
    case columns([Int])
    /// By lines; how wide the names are.
    case lines(Int)
  }

  private let width: Int?
  private var names: [String] = []
  private var waiting: [[String]] = []
  private var form: Form?
  /// Rows that were told as lines.
  private var count = 0
  /// Rows that are looked at.
  private static let most = 1000
  private static let gap = 2
  /// A cell that is cut to less says too little.
  private static let narrowest = 20

  init(width: Int?) { self.width = width }

  mutating func begin(_ names: [String]) { self.names = names }

  /// The lines that are ready.
  mutating func take(_ row: [String]) -> [String] {
    if form != nil { return lines(row) }
    waiting.append(row)
    return waiting.count < Self.most ? [] : show()
  }

  mutating func end() -> [String] { form == nil ? show() : [] }

  private mutating func show() -> [String] {
    var widths = names.indices.map { column in
      max(names[column].columns, waiting.map { $0[column].columns }.max() ?? 0)
    }
    let rows = waiting
    waiting = []
    if let width {
      let room = width - Self.gap * max(0, widths.count - 1)
      if !rows.isEmpty, widths.reduce(0, { $0 + min($1, Self.narrowest) }) > room {
        form = .lines(names.map(\.columns).max() ?? 0)
        return rows.flatMap { lines($0) }
      }
      Self.fit(&widths, into: room)
    }
    form = .columns(widths)
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return lines(names) + [rule] + rows.flatMap { lines($0) }
  }

  /// The widest gives way first.
  private static func fit(_ widths: inout [Int], into room: Int) {
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > narrowest {
      for column in widths.indices where widths[column] == widest {
        if widths.reduce(0, +) > room { widths[column] -= 1 }
      }
    }
  }

  private mutating func lines(_ row: [String]) -> [String] {
    switch form {
    case .columns(let widths): return [line(row, widths)]
    case .lines(let nameWidth):
      count += 1
      let rule = "── \(count) "
      let rest = String(repeating: "─", count: max(0, (width ?? 80) - rule.columns))
      return [rule + rest]
        + zip(names, row).map { TextColumns.left($0, nameWidth) + "  " + $1 }
    case nil: return []
    }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.enumerated().map { column, cell in
      let isLast = column == row.count - 1
      let cut = width == nil ? cell : TextFit.cut(cell, widths[column])
      return isLast ? cut : TextColumns.left(cut, widths[column])
    }
    return cells.joined(separator: "  ")
  }
}
