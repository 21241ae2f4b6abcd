import Analysis
import Regions

/// What another text declares otherwise than the run goes by: it cannot change while that goes on.
struct DeclarationChanges {
  /// One clause each, without the plugin's name.
  private(set) var sentences: [String] = []

  /// - Parameters:
  ///   - inForce: of the text at the start of the run.
  ///   - declared: of the new one.
  init(_ inForce: Declarations, _ declared: Declarations) {
    addRegions(Self.texts(inForce.regions), Self.texts(declared.regions))
    add("messages", inForce.messages == declared.messages)
    add("subscriptions", inForce.subscriptions == declared.subscriptions)
    add("markers", inForce.markers == declared.markers)
    // Whether `decode` does the same nobody can tell.
    if !inForce.decoders.isEmpty || !declared.decoders.isEmpty {
      sentences.append(
        "decoders come into force with the next start; until then those of the text at the start "
          + "of the run decode")
    }
  }

  /// By name, the last definition of each.
  private static func texts(_ regions: [Region]) -> [String: String] {
    Dictionary(regions.map { ($0.identifier, $0.text) }) { $1 }
  }

  private mutating func addRegions(_ old: [String: String], _ new: [String: String]) {
    func names(_ list: [String]) -> String {
      list.sorted().map { "'\($0)'" }.joined(separator: ", ")
    }
    let parts = [
      ("new", new.keys.filter { old[$0] == nil }),
      ("changed", new.keys.filter { old[$0] != nil && old[$0] != new[$0] }),
      ("gone", old.keys.filter { new[$0] == nil }),
    ]
    let told = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \(names($0.1))" }
    guard !told.isEmpty else { return }
    sentences.append("regions come into force with the next start; \(told.joined(separator: "; "))")
  }

  private mutating func add(_ what: String, _ isSame: Bool) {
    if !isSame { sentences.append("\(what) come into force with the next start") }
  }
}
