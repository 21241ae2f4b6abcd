import CaptureWriter
import Foundation
import TestSupport

/// `Captures/INDEX.tsv`: what every committed capture must give.
struct IndexRow: Sendable, CustomStringConvertible {
  var file: String
  var sha256: String
  var container: String
  var compression: String
  var linkTypes: String
  var records: Int
  var reports: Int
  var identities: Int
  /// `ibeacon=12 eddystone-uid=4`, by name.
  var sightings: String
  var labels: String
  /// Warnings and reasons.
  var codes: String

  static let heading =
    "file\tsha256\tcontainer\tcompression\tlink_types\trecords\treports\tidentities\tsightings\tlabels\tcodes"

  var description: String { file }

  var line: String {
    [
      file, sha256, container, compression, linkTypes, "\(records)", "\(reports)", "\(identities)",
      sightings, labels, codes,
    ].joined(separator: "\t")
  }

  init(_ exhibit: Exhibit) {
    file = exhibit.file
    sha256 = SHA256.hex(exhibit.bytes)
    container = exhibit.container
    compression = exhibit.compression
    linkTypes = exhibit.linkTypes
    records = exhibit.expected.records
    reports = exhibit.expected.reports
    identities = exhibit.expected.identities.count
    sightings = IndexRow.text(exhibit.expected.sightings)
    labels = IndexRow.text(exhibit.expected.labels)
    codes = IndexRow.text(exhibit.expected.codes)
  }

  init?(line: Substring) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 11, let records = Int(cells[5]), let reports = Int(cells[6]),
      let identities = Int(cells[7])
    else { return nil }
    file = cells[0]
    sha256 = cells[1]
    container = cells[2]
    compression = cells[3]
    linkTypes = cells[4]
    self.records = records
    self.reports = reports
    self.identities = identities
    sightings = cells[8]
    labels = cells[9]
    codes = cells[10]
  }

  /// Counts by name; `-` where there are none.
  static func text(_ counts: [String: Int]) -> String {
    let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    return parts.isEmpty ? "-" : parts.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}

/// The folder of committed captures.
enum Collection {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Captures")

  static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_CAPTURES"] == "1"

  static func path(_ file: String) -> String {
    folder.appending(path: file).path(percentEncoded: false)
  }

  static func read(_ file: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: file)))
  }

  /// The captures in the folder: all but the index and the text about it.
  static func files() throws -> [String] {
    let root = folder.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return try names.filter { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
      return attributes[.type] as? FileAttributeType == .typeRegular
        && name != "INDEX.tsv" && name != "README.md"
    }
  }

  static func rows() throws -> [IndexRow] {
    let text = try String(contentsOf: folder.appending(path: "INDEX.tsv"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().compactMap { IndexRow(line: $0) }
  }

  /// Writes the captures made here and their rows; rows of recordings stay as they are.
  static func write(_ exhibits: [Exhibit]) throws {
    let made = Set(exhibits.map(\.file))
    let recorded = ((try? rows()) ?? []).filter { !made.contains($0.file) }
    for exhibit in exhibits {
      try Data(exhibit.bytes).write(to: folder.appending(path: exhibit.file))
    }
    let rows = exhibits.map { IndexRow($0) } + recorded
    let text = ([IndexRow.heading] + rows.map(\.line)).joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: folder.appending(path: "INDEX.tsv"))
  }
}
