package import Beacons
import CaptureReader
package import Regions

/// What plugins declare while their files load.
package struct Declarations: Sendable {
  package var regions: [Region] = []
  package var messages: [BeaconMessage] = []
  package var subscriptions: [Subscription] = []
  package var markers: [Marker] = []
  package var decoders: [DecoderDeclaration] = []
  package var options: [OptionDeclaration] = []
  /// As `plugin { version =, about = }` says.
  package var version = ""
  package var about = ""
  var hasPlugin = false

  /// Whether a run goes by none of it.
  var isEmpty: Bool {
    regions.isEmpty && messages.isEmpty && subscriptions.isEmpty && markers.isEmpty
      && decoders.isEmpty
  }
}

/// `decoder "name" { … }`.
package struct DecoderDeclaration: Sendable {
  package let name: String
  /// What it is asked about.
  package let interest: CustomInterest.Structure
  let decode: LuaFunction
}

/// `option "name" { … }`.
package struct OptionDeclaration: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case number, integer, string, boolean
    /// The name of a region; empty: none in particular.
    case region

    /// What its values are, to Lua.
    var form: String { self == .region ? "string" : rawValue }
  }
  package let name: String
  package let kind: Kind
  let initial: LuaValue
  package let least: Double?
  package let most: Double?
  let choices: [LuaValue]
  package let help: String
  /// The one in force.
  var value: LuaValue

  /// As text for people: `120`.
  package var initialText: String { initial.text ?? initial.shown }
  package var choiceTexts: [String] { choices.map { $0.text ?? $0.shown } }
}
