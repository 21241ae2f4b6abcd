import Regions

extension PluginFunction {
  /// A field was asked for that no event has: misspelt, or of a table inside the event.
  static let missing = PluginFunction(name: "_missing") { _, arguments throws(LuaMessage) in
    let type = arguments.first?.text ?? ""
    let name = arguments.count > 1 ? arguments[1].text ?? "" : ""
    throw LuaMessage(sentence(name, of: Reference.event(type)))
  }

  private static func sentence(_ name: String, of event: ReferenceEvent?) -> String {
    guard let event else { return "unknown field '\(name)' in an event" }
    let words = ValueShape.event(event.name).words
    let fields = event.fields.map(\.name)
    for part in ["transmitter", "message"] where fields.contains(part) {
      let parts = Reference.record(part)?.fields ?? []
      guard parts.contains(where: { $0.name == name }) else { continue }
      return "'\(name)' is no field of \(words), but of its \(part): write \(part).\(name)"
    }
    return "unknown field '\(name)' in \(words)\(LikelyWord.question(name, among: fields))"
  }
}
