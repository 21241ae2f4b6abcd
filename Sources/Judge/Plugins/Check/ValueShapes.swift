/// What is known of a value that a plugin is given.
enum ValueShape: Hashable {
  /// `isHandle`: good until the handler returns. Kinds: nil for any.
  case sighting(event: String, kinds: [String]?, isHandle: Bool)
  case event(String)
  case record(String)
  case list(ReferenceType)

  var fields: [ReferenceField] {
    switch self {
    case .sighting(let event, let kinds, _):
      guard let kinds else {
        return Reference.event(event)?.fields ?? Reference.sightingFields
      }
      return kinds.flatMap { SightingFields.fields(ofKind: $0) }
    case .event(let name): return Reference.event(name)?.fields ?? []
    case .record(let name): return Reference.record(name)?.fields ?? []
    case .list: return []
    }
  }

  /// As sentences name it.
  var words: String {
    switch self {
    case .sighting("telemetry", nil, _): "a telemetry sighting"
    case .sighting(_, let kinds?, _) where kinds.count == 1:
      Self.withArticle(kinds[0]) + " sighting"
    case .sighting: "a sighting"
    case .event(let name): Self.withArticle(name) + " event"
    case .record(let name):
      Self.withArticle(name.split(separator: "_").joined(separator: " "))
    case .list: "a list"
    }
  }

  static func withArticle(_ name: String) -> String {
    ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name
  }

  var isHandle: Bool {
    if case .sighting(_, _, isHandle: true) = self { return true }
    return false
  }

  /// What a field of that type holds.
  init?(_ type: ReferenceType) {
    switch type {
    case .record("sighting"): self = .sighting(event: "sighting", kinds: nil, isHandle: false)
    case .record(let name): self = .record(name)
    case .list(let element): self = .list(element)
    default: return nil
    }
  }
}

extension PluginChecker {
  /// What an expression may be; empty where nothing is known.
  func shapes(of number: Int) -> [ValueShape] { shapes(of: number, depth: 0) }

  /// Chains of names and fields that are longer than this are followed no further.
  private static let longest = 32

  private func shapes(of number: Int, depth: Int) -> [ValueShape] {
    guard depth < Self.longest else { return [] }
    switch program.kind(number) {
    case .parenthesized(let inner): return shapes(of: inner, depth: depth + 1)
    case .variable(let variable): return shapes(of: variable, depth)
    case .global(let name, isPlain: true):
      return outerFields.filter { $0.name == name }.compactMap { ValueShape($0.type) }
    case .member(let base, let name):
      return shapes(of: base, depth: depth + 1).compactMap { shape in
        shape.fields.first { $0.name == name }.flatMap { ValueShape($0.type) }
      }
    case .index(let base, _): return elements(of: base, depth)
    case .method(let base, "get", _): return mapped(base, depth)
    case .method(let base, "copy", _):
      return shapes(of: base, depth: depth + 1).compactMap { shape in
        guard case .sighting(let event, let kinds, _) = shape else { return nil }
        return .sighting(event: event, kinds: kinds, isHandle: false)
      }
    default: return []
    }
  }

  private func elements(of list: Int, _ depth: Int) -> [ValueShape] {
    if case .variable(let variable) = program.kind(list), let values = kept[variable] {
      return shapes(ofAll: values, depth)
    }
    return shapes(of: list, depth: depth + 1).compactMap { shape in
      guard case .list(let element) = shape else { return nil }
      return ValueShape(element)
    }
  }

  /// What a map of `beacontrace.recent` holds.
  private func mapped(_ map: Int, _ depth: Int) -> [ValueShape] {
    guard isRecentMap(map) else { return [] }
    return elements(of: map, depth)
  }

  /// Empty where nothing is known of one of them.
  private func shapes(ofAll values: [Int], _ depth: Int) -> [ValueShape] {
    var all: [ValueShape] = []
    for value in values {
      let some = shapes(of: value, depth: depth + 1)
      if some.isEmpty { return [] }
      all += some.filter { !all.contains($0) }
    }
    return all
  }

  private func shapes(of number: LuaProgram.VariableNumber, _ depth: Int) -> [ValueShape] {
    if let known = memo.shapes[number] { return known }
    // Of what comes back to itself nothing is known.
    memo.shapes[number] = []
    let shapes = shapes(program.variables[number], depth)
    memo.shapes[number] = shapes
    return shapes
  }

  private func shapes(_ variable: LuaProgram.Variable, _ depth: Int) -> [ValueShape] {
    guard !variable.isReassigned else { return [] }
    switch variable.origin {
    case .parameter(let function, let place):
      guard !roles.calledOtherwise.contains(function) else { return [] }
      let given = (roles.roles[function] ?? []).compactMap { Self.shape($0, parameter: place) }
      let calls = roles.calls[function] ?? []
      let values = calls.compactMap { $0.indices.contains(place) ? $0[place] : nil }
      let passed = shapes(ofAll: values, depth)
      guard values.count == calls.count, calls.isEmpty || !passed.isEmpty else { return [] }
      return given + passed.filter { !given.contains($0) }
    case .local(let value?): return shapes(of: value, depth: depth + 1)
    case .loop(let iterator, 1):
      if case .method(let map, "each", _) = program.kind(iterator) { return mapped(map, depth) }
      // for _, entry in ipairs(e.entries)
      guard let call = program.globalCall(iterator), ["ipairs", "pairs"].contains(call.name),
        call.first == nil, let list = call.arguments.first
      else { return [] }
      return elements(of: list, depth)
    default: return []
    }
  }

  private static func shape(_ role: FunctionRoles.Role, parameter: Int) -> ValueShape? {
    switch (role, parameter) {
    case (.handler(let name, let kinds), 0):
      guard let event = Reference.event(name) else { return nil }
      return event.isSighting
        ? .sighting(event: name, kinds: kinds, isHandle: true) : .event(name)
    case (.contains, 0): return .sighting(event: "sighting", kinds: nil, isHandle: true)
    case (.decode, 0): return .record("ad")
    case (.decode, 1): return .record("adv")
    default: return nil
    }
  }
}
