extension ReferenceText {
  /// Where the reference stands in `plugins/README.md`.
  package static let markdownBegin =
    "<!-- reference: begin (generated from Sources/Judge/Plugins/Reference) -->"
  package static let markdownEnd = "<!-- reference: end -->"

  /// The reference as Markdown, without the markers.
  package static var markdown: String {
    var text = "### Functions\n\n"
    for function in Reference.functions { text += markdown(function) }
    text += "#### `state`\n\n\(Reference.stateText)\n\n" + code(Reference.stateExample)
    text += "### Events\n\n"
    for event in Reference.events { text += markdown(event) }
    text += "### Sightings\n\nEvery sighting has\n\n" + table(SightingFields.common, head: "field")
    text += "and, by its kind, the fields below. \(Reference.copyText)\n\n"
    text += code(Reference.copyExample)
    for kind in Reference.sightingKinds {
      text += "#### `\(kind.name)`\n\n\(kind.text)\n\n" + table(kind.fields, head: "field")
      text += code(kind.example)
    }
    text += "### Tables\n\n"
    for record in Reference.records where !record.fields.isEmpty && !isShown(record) {
      text += "#### `\(record.name)`\n\n\(record.text)\n\n"
      text += table(record.fields, head: record.isWritten ? "key" : "field")
    }
    text += "### Libraries\n\n"
    for library in Reference.libraries { text += markdown(library) }
    for (name, reason) in Reference.absentLibraries.sorted(by: { $0.key < $1.key }) {
      text += "There is no `\(name)`: \(reason).\n"
    }
    return text
  }

  /// Whether it stands below the function that takes it.
  private static func isShown(_ record: ReferenceRecord) -> Bool {
    Reference.functions.contains { records(of: $0).contains { $0.name == record.name } }
  }

  private static func markdown(_ function: ReferenceFunction) -> String {
    var text = "#### `\(function.signature)`\n\n\(function.text)"
    if function.place != .anywhere { text += " Only \(function.place.rawValue)." }
    text += "\n\n"
    if function.form == .plain {
      for parameter in function.parameters {
        var words = parameter.isOptional ? ", may be left out" : ""
        if !parameter.text.isEmpty { words += ": \(parameter.text)" }
        text += "- `\(parameter.name)`: \(type(parameter.type))\(words)\n"
      }
      if !function.parameters.isEmpty { text += "\n" }
    }
    for record in records(of: function) {
      if record.name != function.recordName { text += "`\(record.name)`: \(record.text)\n\n" }
      text += table(record.fields, head: record.isWritten ? "key" : "field")
    }
    return text + code(function.example)
  }

  private static func markdown(_ event: ReferenceEvent) -> String {
    var text = "#### `\(event.name)`\n\n\(event.text)\n\n"
    if event.isSighting {
      text += "Its fields are those of [sightings](#sightings).\n\n"
    } else {
      text += table(event.fields, head: "field")
    }
    return text + code(event.example)
  }

  private static func markdown(_ library: ReferenceLibrary) -> String {
    let title = library.name.isEmpty ? "Basic functions" : "`\(library.name)`"
    var text = "#### \(title)\n\n\(library.text)\n\nIt has "
    text += library.members.map { "`\($0)`" }.joined(separator: ", ") + ".\n"
    if !library.absent.isEmpty { text += "It has not:\n\n" }
    for (name, reason) in library.absent.sorted(by: { $0.key < $1.key }) {
      text += "- `\(name)`: \(reason)\n"
    }
    return text + "\n" + (library.example.map(code) ?? "")
  }

  /// Fields may be nil where it says so; keys may be left out unless they are needed.
  private static func table(_ fields: [ReferenceField], head: String) -> String {
    guard !fields.isEmpty else { return "" }
    var text = "| \(head) | type | |\n|---|---|---|\n"
    for field in fields {
      let unit = field.unit.isEmpty ? "" : ", \(field.unit)"
      let missing =
        head == "key" ? (field.isOptional ? "" : ", needed") : (field.isOptional ? ", or nil" : "")
      text += "| `\(field.name)` | \(type(field.type))\(unit)\(missing) | \(field.text) |\n"
    }
    return text + "\n"
  }

  /// A type in words, its strings as code.
  private static func type(_ type: ReferenceType) -> String {
    switch type {
    case .words(let words): words.map { "`\"\($0)\"`" }.joined(separator: " ")
    case .list(let element): "list of \(self.type(element))"
    case .either(let types): types.map(self.type).joined(separator: " or ")
    case .record(let name): name == "sighting" || name == "event" ? name : "table `\(name)`"
    case .values: "table of values"
    case .function(let parameters, _):
      "`function(\(parameters.map(\.name).joined(separator: ", ")))`"
    case .any, .nothing, .boolean, .integer, .number, .string: type.text
    }
  }

  private static func code(_ example: ReferenceExample) -> String {
    "```lua\n\(example.plugin)\n```\n\n"
  }
}
