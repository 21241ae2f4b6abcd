package import Analysis

/// One row per form in which sightings can be written.
package struct SightingExport: Sendable {
  /// As `--format` names it.
  package let name: String
  /// - Parameter width: columns of the terminal; nil where the output is not one.
  package let open: @Sendable (_ output: any TextOutput, _ width: Int?) -> any FindingSink
}

/// All forms of sightings.
package enum Exports {
  package static let all: [SightingExport] = [
    SightingsText.export, SightingsNDJSON.export, SightingsCSV.export,
  ]

  package static func named(_ name: String) -> SightingExport? { all.first { $0.name == name } }

  /// Text is collected up to this size before it is written.
  package static let chunk = 256 << 10
}
