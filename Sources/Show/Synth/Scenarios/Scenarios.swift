/// Scenarios that come with the program.
package enum Scenarios {
  /// Name and JSON text.
  package static let all: [(name: String, json: String)] = [
    ("museum", museum), ("corridor", corridor), ("workshop", workshop), ("visitors", visitors),
    ("crowd", crowd),
  ]

  package static func named(_ name: String) -> String? { all.first { $0.name == name }?.json }
}
