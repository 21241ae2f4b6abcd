import Regions

/// A test of a plugin as its file writes it: `test "name" { … }`.
package struct PluginTest: Sendable {
  /// What is heard.
  enum Input: Sendable {
    case sightings([TestSighting])
    /// Paths.
    case captures([String])
  }

  package let name: String
  let input: Input
  /// Of the plugin, as `--set` has them, by name.
  var options: [String: String] = [:]
  /// A path; nil for none.
  var site: String?
  var regions: [Region] = []
  /// Of captures; those of sightings follow from their names.
  var keys: [KeyLine] = []
  var profile = Profiles.site
  /// All of them, in their order.
  var alerts: [ExpectedAlert] = []
  /// Nil: nobody looks.
  var lines: [String]?
  /// Calls that fail.
  var errors = 0
  /// Called at the end with the plugin's `state`.
  var finish: LuaFunction?
}

/// Keys of an alert as a test writes them; what is nil may be anything.
struct ExpectedAlert: Sendable {
  /// Seconds from the test's beginning.
  var at: Double?
  /// By key: severity, title, text, region, observer, dedupe_key.
  var texts: [(key: String, text: String)] = []
  var heldBack: Int?
  /// By name; values are text, a number or a flag.
  var fields: [(name: String, value: LuaValue)] = []
  /// Seconds from the test's beginning: when the frames were received that it cites, in its order.
  var evidence: [Double]?

  static let textKeys = ["severity", "title", "text", "region", "observer", "dedupe_key"]
  static let keys = ["at"] + textKeys + ["held_back", "fields", "evidence"]
}
