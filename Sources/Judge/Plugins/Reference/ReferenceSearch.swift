/// What people look for in the reference under names that it does not have.
extension ReferenceText {
  /// Words for what has another name here.
  private static let aliases: [String: [String]] = [
    "timer": ["every", "after", "cancel"], "timers": ["every", "after", "cancel"],
    "interval": ["every"], "sleep": ["after"], "tz": ["utc_offset"], "timezone": ["utc_offset"],
    "zone": ["utc_offset"], "log": ["print"], "json": ["alert", "print"], "save": ["state"],
    "average": ["beacontrace.stats"], "duration": ["beacontrace.words"],
    "handler": ["on"], "callback": ["on"], "import": ["require"], "args": ["option"],
    "setting": ["option"], "settings": ["option"],
  ]
  private static let mostFound = 20

  /// The names in whose texts a word stands, each in a line; nil for none.
  package static func search(_ word: String) -> String? {
    let word = word.lowercased()
    guard word.count > 1 else { return nil }
    // A function of a library is what is meant, whatever else speaks of it.
    let members = Reference.libraries.filter { $0.members.contains(word) }.map(\.name)
    let named = (aliases[word] ?? members).compactMap { name in texts.first { $0.name == name } }
    let found = named.isEmpty ? texts.filter { $0.whole.lowercased().contains(word) } : named
    guard !found.isEmpty else { return nil }
    var text = "Nothing is called '\(word)'; look at:\n\n"
    for entry in found.prefix(mostFound) { text += row(entry.name, brief(entry.text)) }
    let more = found.count - mostFound
    return text + (more > 0 ? "\n  … and \(more) more\n" : "")
  }

  /// In the order of the overview; `whole` is what is looked through.
  private static var texts: [(name: String, text: String, whole: String)] {
    func with(_ name: String, _ text: String, _ fields: [ReferenceField] = []) -> (
      name: String, text: String, whole: String
    ) {
      (name, text, ([text] + fields.flatMap { [$0.name, $0.text] }).joined(separator: "\n"))
    }
    return Reference.functions.map { with($0.name, $0.text) } + [with("state", Reference.stateText)]
      + Reference.events.map { with($0.name, $0.text, $0.fields) }
      + Reference.sightingKinds.map { with($0.name, $0.text, $0.fields) }
      + Reference.records.map { with($0.name, $0.text, $0.fields) }
      + Reference.libraries.filter { !$0.name.isEmpty }.map { library in
        (library.name, library.text, ([library.text] + library.members).joined(separator: "\n"))
      }
  }
}
