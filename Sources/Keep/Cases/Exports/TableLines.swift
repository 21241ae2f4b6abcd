import CaseStore
import Exports

// Every table and view of a case, as it is. Rows go out as they are read.

/// A folder of CSV files (RFC 4180), one for each table and view, with a header line. NULL stays empty,
/// bytes are hexadecimal; text in cells is made harmless as in the other CSV.
enum TablesCSV {
  static let form = CaseExport(
    name: "csv", purpose: "Every table and view of the case, a CSV file each.",
    usualName: "tables", shape: .folder(write))

  @Sendable
  static func write(
    _ file: CaseFile, _ open: (_ name: String) throws -> any TextOutput
  ) throws -> [String] {
    for listing in try WrittenTables.written(of: file) {
      var output = try open(listing.name + ".csv")
      var text = ByteText()
      text.text(of: listing.columns.joined(separator: ","))
      text.text("\r\n")
      try file.forEach(select: listing.select) { row in
        for (place, value) in row.enumerated() {
          if place > 0 { text.text(",") }
          text.cell(value)
        }
        text.text("\r\n")
        try text.flush(to: &output, keeping: Exports.chunk)
      }
      try text.flush(to: &output)
    }
    return []
  }
}

/// The same as one stream of JSON objects, each with its table's name first.
enum TablesNDJSON {
  static let form = CaseExport(
    name: "ndjson", purpose: "Every table and view of the case, a JSON object for each row.",
    usualName: "case.ndjson", shape: .text(write))

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    var text = ByteText()
    for listing in try WrittenTables.written(of: file) {
      try file.forEach(select: listing.select) { row in
        text.text("{\"table\":")
        text.jsonString(listing.name)
        for (name, value) in zip(listing.columns, row) {
          text.key(name)
          text.json(value)
        }
        text.text("}\n")
        try text.flush(to: &output, keeping: Exports.chunk)
      }
    }
    try text.flush(to: &output)
    return []
  }
}

private enum WrittenTables {
  private static let ofSightings: Set = ["hearings", "sightings", "sighting_list"]
  /// Of a thousand visits at a time there are half a million pairs: they are asked for, not written.
  private static let ofPairs = "meetings"

  /// All but those of the seal, which only a case that is a file has; those of sightings only where the
  /// case keeps them.
  static func written(of file: CaseFile) throws -> [CaseFile.Listing] {
    var keepsSightings = false
    try file.forEach(select: "SELECT 1 FROM sightings LIMIT 1") { _ in keepsSightings = true }
    return try file.listings().filter { listing in
      (listing.isView || CaseSchema.tables.contains(listing.name))
        && listing.name != ofPairs && (keepsSightings || !ofSightings.contains(listing.name))
    }
  }
}

extension ByteText {
  fileprivate mutating func cell(_ value: CaseValue) {
    switch value {
    case .null: break
    case .int(let number): int(Int(number))
    // As many digits as tell it from any other number.
    case .real(let number): text(of: "\(number)")
    case .text(let string): csv(CSVCell.line(string))
    case .blob(let data): for unit in data { hex(unit) }
    }
  }

  fileprivate mutating func json(_ value: CaseValue) {
    switch value {
    case .null: text("null")
    case .int(let number): int(Int(number))
    case .real(let number): number.isFinite ? text(of: "\(number)") : text("null")
    case .text(let string): jsonString(string)
    case .blob(let data):
      text("\"")
      for unit in data { hex(unit) }
      text("\"")
    }
  }
}
