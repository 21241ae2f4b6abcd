import Regions

/// The reference as text: in the terminal (here), as Markdown, and for editors.
package enum ReferenceText {
  /// Columns of a terminal that every line fits into, code aside.
  static let width = 80

  /// All names that `terminal` knows, in the order of the overview.
  package static var names: [String] {
    Reference.functions.map(\.name) + ["state"] + Reference.events.map(\.name)
      + Reference.sightingKinds.map(\.name) + Reference.records.map(\.name)
      + Reference.libraries.map(\.name).filter { !$0.isEmpty }
  }

  /// What there is, each in a line.
  package static var overview: String {
    var text = "Rules in Lua: what a plugin can name. `beacontrace plugin docs NAME` tells more.\n"
    text += section("Functions")
    for function in Reference.functions { text += row(function.signature, brief(function.text)) }
    text += row("state", brief(Reference.stateText))
    text += section("Events, for on(event, …)")
    for event in Reference.events { text += row(event.name, brief(event.text)) }
    text += section("Kinds of sightings")
    for kind in Reference.sightingKinds { text += row(kind.name, brief(kind.text)) }
    text += section("Tables")
    for record in Reference.records { text += row(record.name, brief(record.text)) }
    text += section("Libraries")
    for library in Reference.libraries {
      text += row(library.name.isEmpty ? "(basic)" : library.name, brief(library.text))
    }
    return text
  }

  /// Everything about a name; where several things have it, all of them. Nil for an unknown one:
  /// `likely` may know what was meant.
  package static func terminal(_ name: String) -> String? {
    var parts: [String] = []
    if let function = Reference.function(name) { parts.append(terminal(function)) }
    if name == "state" {
      parts.append(entry("state", Reference.stateText, [], Reference.stateExample))
    }
    if let event = Reference.event(name) {
      parts.append(entry("on(\"\(name)\", …)", event.text, event.fields, event.example))
    }
    if let kind = Reference.sightingKinds.first(where: { $0.name == name }) {
      parts.append(entry("Sighting of kind \(name)", kind.text, kind.fields, kind.example))
    }
    if let record = Reference.record(name), Reference.function(name) == nil {
      parts.append(
        entry("Table \(name)", record.text, record.fields, nil, isKey: record.isWritten))
    }
    if let library = Reference.library(name), !name.isEmpty {
      parts.append(terminal(library))
    }
    if parts.isEmpty { return otherName(name) }
    return parts.joined(separator: "\n")
  }

  /// What has no entry of its own under this name: the methods, modules without their folder, fields.
  private static func otherName(_ name: String) -> String? {
    if ["copy", "s:copy", "s:copy()"].contains(name) {
      return entry("s:copy()", Reference.copyText, [], Reference.copyExample)
    }
    if let library = Reference.library("beacontrace." + name) { return terminal(library) }
    let owners =
      Reference.events.map { ($0.name, $0.fields, false) }
      + Reference.sightingKinds.map { ($0.name, $0.fields, false) }
      + Reference.records.map { ($0.name, $0.fields, $0.isWritten) }
    var rows = ""
    for (owner, fields, isKey) in owners {
      guard let field = fields.first(where: { $0.name == name }) else { continue }
      rows += row(owner, words(field, isKey: isKey), indent: 4)
    }
    return rows.isEmpty ? nil : "\(name)\n  A field or key of:\n\n" + rows
  }

  /// What somebody may have meant who asked for an unknown name.
  package static func likely(_ name: String) -> String? {
    let fields =
      Reference.events.flatMap(\.fields) + Reference.sightingKinds.flatMap(\.fields)
      + Reference.records.flatMap(\.fields)
    return LikelyWord.of(name, among: names + fields.map(\.name))
  }

  private static func terminal(_ function: ReferenceFunction) -> String {
    var text = function.signature + "\n" + wrapped(function.text, indent: 2)
    if function.place != .anywhere {
      text += wrapped("Only \(function.place.rawValue).", indent: 2)
    }
    if !function.returns.isEmpty {
      text += wrapped(
        "Returns \(function.returns.map(\.words).joined(separator: " and ")).", indent: 2)
    }
    if function.form == .plain, !function.parameters.isEmpty {
      text += "\n"
      for parameter in function.parameters {
        var words = parameter.type.words + (parameter.isOptional ? "; may be left out" : "")
        if !parameter.text.isEmpty { words += "; " + parameter.text }
        text += row(parameter.name, words, indent: 4)
      }
    }
    // The keys of the tables that it takes, and of those in them.
    for record in records(of: function) {
      text += "\n  Keys" + (record.name == function.name ? "" : " of \(record.name)") + ":\n"
      for field in record.fields {
        text += row(field.name, words(field, isKey: record.isWritten), indent: 4)
      }
    }
    return text + code(function.example)
  }

  private static func terminal(_ library: ReferenceLibrary) -> String {
    var text = library.name + "\n" + wrapped(library.text, indent: 2)
    text += wrapped("It has: " + library.members.joined(separator: ", ") + ".", indent: 2)
    for (name, reason) in library.absent.sorted(by: { $0.key < $1.key }) {
      text += wrapped("There is no \(name): \(reason).", indent: 2)
    }
    return text + (library.example.map(code) ?? "")
  }

  private static func entry(
    _ title: String, _ about: String, _ fields: [ReferenceField], _ example: ReferenceExample?,
    isKey: Bool = false
  ) -> String {
    var text = title + "\n" + wrapped(about, indent: 2)
    if !fields.isEmpty { text += "\n" }
    for field in fields { text += row(field.name, words(field, isKey: isKey), indent: 4) }
    return text + (example.map(code) ?? "")
  }

  /// The tables that a function is given, and those inside them.
  static func records(of function: ReferenceFunction) -> [ReferenceRecord] {
    guard function.form != .plain else {
      return function.name == "on" ? Reference.record("filter").map { [$0] } ?? [] : []
    }
    return Reference.records.filter { $0.name == function.recordName || isInside($0, function) }
  }

  private static func isInside(_ record: ReferenceRecord, _ function: ReferenceFunction) -> Bool {
    record.name.hasPrefix(function.name + ".")
      || (function.name == "alert" && record.name == "at_most")
      || (function.name == "decoder" && ["decoded", "ad", "adv"].contains(record.name))
  }

  /// What a field is: type, unit, whether it may be missing, and its sentence. Keys may be left out
  /// unless it says that they are needed.
  static func words(_ field: ReferenceField, isKey: Bool) -> String {
    var words = field.type.words
    if !field.unit.isEmpty { words += " (\(field.unit))" }
    if isKey, !field.isOptional { words += ", needed" }
    if !isKey, field.isOptional { words += ", may be nil" }
    return words + ". " + field.text
  }

  /// The first sentence.
  static func brief(_ text: String) -> String {
    guard let end = text.firstRange(of: ". ") else { return text }
    return String(text[..<end.lowerBound]) + "."
  }

  private static func section(_ title: String) -> String { "\n\(title)\n\n" }

  /// A name, and what it is beside it, or below it where the name is long.
  static func row(_ name: String, _ about: String, indent: Int = 2) -> String {
    let column = 24
    let head = String(repeating: " ", count: indent) + name
    let text = wrapped(about, indent: column)
    if head.count < column - 1 {
      return head + String(repeating: " ", count: column - head.count) + text.dropFirst(column)
    }
    return head + "\n" + text
  }

  /// Lines of at most `width` columns.
  static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func code(_ example: ReferenceExample) -> String {
    let lines = example.plugin.split(separator: "\n", omittingEmptySubsequences: false)
    return "\n  For example:\n\n" + lines.map { $0.isEmpty ? "\n" : "      \($0)\n" }.joined()
  }
}

extension ReferenceFunction {
  /// The record of the table that it takes; nil where it takes none.
  var recordName: String? {
    guard form != .plain, case .record(let name)? = parameters.last?.type else { return nil }
    return name
  }
}
