import Regions

extension PluginFunction {
  /// A field was asked for that no event has: misspelt, or of a table inside the event. Of what is in events,
  /// and of copies, only what the plugin gives no such table either.
  static let missing = PluginFunction(name: "_missing") { plugin, arguments throws(LuaMessage) in
    let what = arguments.first?.text ?? ""
    let name = arguments.count > 1 ? arguments[1].text ?? "" : ""
    guard let (words, fields) = part(what) else {
      throw LuaMessage(sentence(name, of: Reference.event(what)))
    }
    guard plugin.fieldNames.isAskedInVain(name) else { return .none }
    throw LuaMessage(
      "unknown field '\(name)' in \(words)\(LikelyWord.question(name, among: fields))")
  }

  /// What is no event, and may have fields of the plugin's own.
  private static func part(_ what: String) -> (words: String, fields: [String])? {
    if what == "copy" { return ("a copy of a sighting", SightingField.names) }
    guard let record = Reference.record(what) else { return nil }
    return (ValueShape.record(what).words, record.fields.map(\.name))
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

/// Names of fields that texts ask for, and those that they may give a table of their own.
struct FieldNames {
  private var asked: Set<String> = []
  private var given: Set<String> = []
  /// Texts are made while running: they may give anything.
  private var mayGiveAny = false

  /// That nobody has looked at yet: most plugins ask for nothing in vain.
  private var unread: [[UInt8]]

  init(_ text: [UInt8]) { unread = [text] }

  mutating func add(_ text: [UInt8]) { unread.append(text) }

  private mutating func take(_ program: LuaProgram) {
    let targets = Set(program.assignments.map(\.target))
    for number in program.expressions.indices {
      switch program.kind(number) {
      case .member(_, let name):
        if targets.contains(number) { given.insert(name) } else { asked.insert(name) }
      case .method(_, let name, _): asked.insert(name)
      case .table(let items): given.formUnion(items.compactMap(\.key.name))
      // It may become a key.
      case .string(let text): given.insert(text)
      case .global("load", _): mayGiveAny = true
      default: continue
      }
    }
  }

  /// Whether a name is asked for, and can be there nowhere.
  mutating func isAskedInVain(_ name: String) -> Bool {
    for text in unread {
      if let program = try? LuaProgram.parse(text) { take(program) }
    }
    unread.removeAll()
    return !mayGiveAny && asked.contains(name) && !given.contains(name)
  }
}
