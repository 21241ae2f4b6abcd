import Regions

extension PluginChecker {
  /// Fields of what a handler is given, and methods.
  mutating func checkField(_ number: Int) {
    switch program.kind(number) {
    case .member(let base, let name):
      let shapes = shapes(of: base)
      guard !shapes.isEmpty else { return checkMember(number, base, name) }
      check(name, of: shapes, number)
    case .method(let base, let name, _):
      let shapes = shapes(of: base)
      guard !shapes.isEmpty else { return checkStringMethod(number, base, name) }
      if name == "copy", shapes.contains(where: Self.isSighting) { return }
      check(name, of: shapes, number)
    default: return
    }
  }

  private static func isSighting(_ shape: ValueShape) -> Bool {
    if case .sighting = shape { return true }
    return false
  }

  private mutating func check(_ name: String, of shapes: [ValueShape], _ number: Int) {
    if targets.contains(number) {
      // A copy is a table like any other.
      if shapes.contains(where: \.isHandle) {
        error(
          "a sighting cannot be changed; keep values of your own in a table, or in s:copy()",
          at: place(number))
      }
      return
    }
    let isKnown = shapes.contains { shape in
      if case .list = shape { return true }
      if name == "copy", Self.isSighting(shape) { return true }
      return shape.fields.contains { $0.name == name }
    }
    guard !isKnown, !ownFields.contains(name), let shape = shapes.first else { return }
    for part in ["transmitter", "message"] where hasPart(part, with: name, shape) {
      error(
        "'\(name)' is no field of \(shape.words), but of its \(part): write \(part).\(name)",
        at: place(number))
      return
    }
    if name == "name", Self.isSighting(shape), shape.isHandle {
      error(
        "a sighting has no name: what the site calls it is name_of(s), and what a device calls itself a "
          + "decoder reads (ad_type = 9, and 8 for a short one)", at: place(number))
      return
    }
    let others = others(with: name, than: shape)
    guard others.isEmpty else {
      let have = others.count == 1 ? "has it" : "have it"
      error(
        "'\(name)' is no field of \(shape.words); \(others.joined(separator: ", ")) \(have)",
        at: place(number))
      return
    }
    let names =
      shapes.flatMap { $0.fields.map(\.name) }
      + (shapes.contains(where: Self.isSighting) ? ["copy"] : [])
    error(
      "unknown field '\(name)' in \(shape.words)\(LikelyWord.question(name, among: names))",
      at: place(number))
  }

  /// Whether a field belongs to a table inside an event.
  private func hasPart(_ part: String, with name: String, _ shape: ValueShape) -> Bool {
    guard case .event = shape, shape.fields.contains(where: { $0.name == part }) else {
      return false
    }
    return Reference.record(part)?.fields.contains { $0.name == name } == true
  }

  /// Kinds or events of the same sort that have a field.
  private func others(with name: String, than shape: ValueShape) -> [String] {
    switch shape {
    case .sighting:
      Reference.sightingKinds.filter { $0.fields.contains { $0.name == name } }.map(\.name)
    case .event:
      Reference.events.filter { !$0.isSighting && $0.fields.contains { $0.name == name } }
        .map(\.name)
    case .record, .list: []
    }
  }

  // MARK: Libraries

  /// The library that an expression is, by itself or through a local name.
  func library(_ number: Int) -> ReferenceLibrary? {
    switch program.kind(number) {
    case .global(let name, isPlain: true) where !ownGlobals.contains(name):
      return name.isEmpty ? nil : Reference.library(name)
    case .variable(let number):
      let variable = program.variables[number]
      guard !variable.isReassigned, case .local(let value?) = variable.origin else { return nil }
      if let call = program.globalCall(value), call.name == "require", call.first == nil {
        return program.string(call.arguments.first).flatMap { Reference.library($0) }
      }
      guard case .global(let name, isPlain: true) = program.kind(value), !name.isEmpty,
        !ownGlobals.contains(name)
      else { return nil }
      return Reference.library(name)
    default: return nil
    }
  }

  private mutating func checkMember(_ number: Int, _ base: Int, _ name: String) {
    guard let library = library(base), !library.members.contains(name),
      !targets.contains(number)
    else { return }
    let whole = "\(library.name).\(name)"
    if let reason = library.absent[name] {
      error("there is no \(whole) in a plugin: \(reason)", at: place(number))
    } else {
      error(
        "unknown '\(whole)'" + LikelyWord.question(name, among: library.members),
        at: place(number))
    }
  }

  /// `("…"):methd()`, and on fields that are strings.
  private mutating func checkStringMethod(_ number: Int, _ base: Int, _ name: String) {
    guard isString(base), let library = Reference.library("string"),
      !library.members.contains(name)
    else { return }
    let question = LikelyWord.question(name, among: library.members)
    error("unknown method '\(name)' of a string\(question)", at: place(number))
  }

  private func isString(_ number: Int) -> Bool {
    switch program.kind(number) {
    case .string: true
    case .parenthesized(let inner):
      if case .string = program.kind(inner) { true } else { false }
    case .member(let base, let name):
      shapes(of: base).contains { shape in
        shape.fields.contains { $0.name == name && $0.type == .string }
      }
    default: false
    }
  }
}
