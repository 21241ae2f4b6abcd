package import GRDB

/// A row of a case file's table: its properties are the columns in camel case, which `CaseSchema`
/// describes.
package protocol CaseRow: Codable, FetchableRecord, PersistableRecord, Sendable {
  /// From 1, in the order in which rows are told; nil: whatever comes next.
  var id: Int64? { get }
}

extension CaseRow {
  package static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .convertFromSnakeCase
  }
  package static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .convertToSnakeCase
  }
}
