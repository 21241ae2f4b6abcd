/// Local tables that a program only fills and looks into, with what it puts in: `last[s.id] = s:copy()`, and
/// the same of maps of `beacontrace.recent`.
///
/// One that is handed to anything else, or has fields with names, is not among them.
struct KeptValues {
  private(set) var values: [LuaProgram.VariableNumber: [LuaProgram.ExpressionNumber]] = [:]
  private let program: LuaProgram
  /// Uses after which it is known what the table holds.
  private var isHarmless: Set<LuaProgram.ExpressionNumber> = []

  init(_ program: LuaProgram) {
    self.program = program
    for (number, variable) in program.variables.enumerated() where !variable.isReassigned {
      guard case .local(let value?) = variable.origin else { continue }
      if program.items(value)?.isEmpty == true || program.isRecentMap(value) { values[number] = [] }
    }
    for assignment in program.assignments { note(assignment) }
    for number in program.expressions.indices { note(number) }
    for number in program.expressions.indices where !isHarmless.contains(number) {
      if case .variable(let variable) = program.kind(number) { values[variable] = nil }
    }
  }

  private mutating func note(_ assignment: LuaProgram.Assignment) {
    guard case .index(let base, _) = program.kind(assignment.target) else {
      // A field with a name says nothing of the others.
      if case .member(let base, _) = program.kind(assignment.target) { drop(base) }
      return
    }
    guard let value = assignment.value else { return drop(base) }
    put(value, into: base)
  }

  private mutating func drop(_ base: LuaProgram.ExpressionNumber) {
    if case .variable(let variable) = program.kind(base) { values[variable] = nil }
  }

  private mutating func put(
    _ value: LuaProgram.ExpressionNumber, into base: LuaProgram.ExpressionNumber
  ) {
    guard case .variable(let variable) = program.kind(base) else { return }
    if case .nothing = program.kind(value) { return }
    values[variable]?.append(value)
  }

  private mutating func note(_ number: LuaProgram.ExpressionNumber) {
    switch program.kind(number) {
    case .index(let base, _), .unary(.symbol(.length), let base): isHarmless.insert(base)
    case .method(let base, let name, let arguments):
      guard ["get", "set", "each"].contains(name) else { return }
      isHarmless.insert(base)
      guard name == "set" else { return }
      if arguments.count == 2 { put(arguments[1], into: base) } else { drop(base) }
    case .call(let callee, let arguments):
      guard let table = arguments.first else { return }
      if case .member(let library, "insert") = program.kind(callee),
        case .global("table", isPlain: true) = program.kind(library), arguments.count > 1
      {
        isHarmless.insert(table)
        put(arguments[arguments.count - 1], into: table)
      } else if case .global(let name, isPlain: true) = program.kind(callee),
        ["pairs", "ipairs", "next"].contains(name)
      {
        isHarmless.insert(table)
      }
    default: return
    }
  }
}

/// What variables may be, once somebody asked.
final class ShapeMemo {
  var shapes: [LuaProgram.VariableNumber: [ValueShape]] = [:]
}

extension LuaProgram {
  /// `recent.map("seen")`, where `recent` is `require "beacontrace.recent"`.
  func isRecentMap(_ number: ExpressionNumber) -> Bool {
    guard case .call(let callee, _) = kind(number), case .member(let base, "map") = kind(callee)
    else { return false }
    if isRecent(base) { return true }
    guard case .variable(let variable) = kind(base), !variables[variable].isReassigned,
      case .local(let value?) = variables[variable].origin
    else { return false }
    return isRecent(value)
  }

  private func isRecent(_ number: ExpressionNumber) -> Bool {
    guard let call = globalCall(number), call.name == "require", call.first == nil else {
      return false
    }
    return string(call.arguments.first) == "beacontrace.recent"
  }
}

extension PluginChecker {
  /// Whether an expression is a variable that such a map was put into.
  func isRecentMap(_ number: Int) -> Bool {
    guard case .variable(let variable) = program.kind(number) else { return false }
    let map = program.variables[variable]
    guard !map.isReassigned, case .local(let value?) = map.origin else { return false }
    return program.isRecentMap(value)
  }

  /// `seen[id]`, where `seen` is such a map.
  mutating func checkMap(_ number: Int) {
    let way: String
    switch program.kind(number) {
    case .index(let base, _) where isRecentMap(base):
      way = targets.contains(number) ? "write it with m:set(key, value)" : "read it with m:get(key)"
    case .member(let base, let name) where isRecentMap(base):
      if ["get", "set", "each"].contains(name), !targets.contains(number) { return }
      way = targets.contains(number) ? "write it with m:set(key, value)" : "read it with m:get(key)"
    case .method(let base, let name, _) where isRecentMap(base):
      if ["get", "set", "each"].contains(name) { return }
      way = "it has m:get(key), m:set(key, value) and m:each()"
    case .unary(.symbol(.length), let base) where isRecentMap(base):
      way = "walk through it with m:each() to count"
    case .call:
      guard let call = program.globalCall(number), call.first == nil,
        ["pairs", "ipairs", "next"].contains(call.name), !ownGlobals.contains(call.name),
        let map = call.arguments.first, isRecentMap(map)
      else { return }
      way = "walk through it with m:each()"
    default: return
    }
    error("a map of beacontrace.recent is no table: \(way)", at: place(number))
  }
}
