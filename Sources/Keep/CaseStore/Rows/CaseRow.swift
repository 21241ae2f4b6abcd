package import GRDB

/// A row of a case file's table: its properties are the columns in camel case, which `CaseSchema`
/// describes.
package protocol CaseRow: Codable, FetchableRecord, PersistableRecord, Sendable {
  /// From 1, in the order in which rows are told; nil: whatever comes next.
  var id: Int64? { get }
}

extension CaseRow {
  package static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    // GRDB's own conversion does this for every column of every row, and takes most of reading's time.
    .custom { ColumnName(column: $0) }
  }
  package static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .convertToSnakeCase
  }
}

/// A column's name as the property goes by: `rssi_min` is `rssiMin`.
struct ColumnName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(column: String) {
    let underscore = UInt8(ascii: "_")
    var name: [UInt8] = []
    var isNext = false
    for byte in column.utf8 {
      if byte == underscore {
        isNext = true
      } else {
        let isLetter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
        name.append(isNext && isLetter ? byte - 32 : byte)
        isNext = false
      }
    }
    stringValue = String(decoding: name, as: UTF8.self)
  }

  init?(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
