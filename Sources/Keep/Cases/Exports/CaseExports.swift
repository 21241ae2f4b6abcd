package import CaseStore
package import Exports

/// A form in which a case is handed to another program.
package struct CaseExport: Sendable {
  package enum Shape: Sendable {
    /// May go to a terminal.
    case text(Writing)
    case binary(Writing)
    case folder(FolderWriting)
  }

  /// Writes everything; returns what the form could not hold, a sentence each, without its full stop.
  package typealias Writing =
    @Sendable (_ file: CaseFile, _ output: inout any TextOutput) throws -> [String]
  /// - Parameter open: begins a file of that name in the folder; the one before is complete.
  package typealias FolderWriting =
    @Sendable (_ file: CaseFile, _ open: (_ name: String) throws -> any TextOutput) throws
    -> [String]

  /// As `--to` names it.
  package let name: String
  /// What it is for, one sentence.
  package let purpose: String
  /// How such a file or folder is usually called.
  package let usualName: String
  package let shape: Shape

  package var isFolder: Bool { if case .folder = shape { true } else { false } }
  package var isBinary: Bool { if case .binary = shape { true } else { false } }
}

/// All forms of cases.
package enum CaseExports {
  package static let all: [CaseExport] = [
    TimesketchExport.form, PerfettoExport.form, GeoJSONExport.form, EVEExport.form,
    TablesCSV.form, TablesNDJSON.form, CitedFramesExport.form, RegionListExport.form,
  ]

  package static func named(_ name: String) -> CaseExport? { all.first { $0.name == name } }
}

/// Counts of what a form could not hold, told once each.
struct LeftOut {
  private var counts: [(what: String, why: String, count: Int)] = []

  /// - Parameters:
  ///   - what: one of them: `event`.
  ///   - why: what they lack: `without a time`.
  mutating func add(_ what: String, _ why: String) {
    if let place = counts.firstIndex(where: { $0.what == what && $0.why == why }) {
      counts[place].count += 1
    } else {
      counts.append((what, why, 1))
    }
  }

  var sentences: [String] {
    counts.map { "\(TextColumns.counted($0.count, $0.what)) \($0.why) left out" }
  }
}
