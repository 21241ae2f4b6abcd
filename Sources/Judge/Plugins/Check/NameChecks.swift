import Regions

extension PluginChecker {
  /// Names of globals that are read.
  mutating func checkName(_ number: Int) {
    guard case .global(let name, isPlain: true) = program.kind(number),
      !targets.contains(number), !ownGlobals.contains(name), !isKnown(name)
    else { return }
    if let reason = Reference.absentLibraries[name] ?? Reference.library("")?.absent[name] {
      error("there is no \(name) in a plugin: \(reason)", at: place(number))
    } else if name == TestReference.test.name {
      error("tests belong into a file NAME.test.lua beside the plugin", at: place(number))
    } else if ["null", "None", "undefined", "NULL"].contains(name) {
      error("unknown global '\(name)'; Lua writes nil", at: place(number))
    } else {
      let question = LikelyWord.question(name, among: Self.globals + ownGlobals.sorted())
      error("unknown global '\(name)'\(question)", at: place(number))
    }
  }

  private func isKnown(_ name: String) -> Bool {
    (file == .test && name == TestReference.test.name) || name == "_ENV"
      || Self.globals.contains(name)
  }

  /// Everything that a plugin finds.
  private static let globals: [String] =
    Reference.functions.filter { $0.place != .tests }.map(\.name) + ["state"]
    + Reference.libraries.filter { !$0.name.isEmpty && !$0.name.contains(".") }.map(\.name)
    + (Reference.library("")?.members ?? [])

  /// Globals that are assigned, and handles that are kept.
  mutating func checkAssignments() {
    var told: Set<String> = []
    for assignment in program.assignments {
      if case .global(let name, isPlain: true) = program.kind(assignment.target),
        told.insert(name).inserted
      {
        checkGlobal(name, assignment)
      }
      if let value = assignment.value { checkKept(value, in: assignment.target) }
    }
  }

  private mutating func checkGlobal(_ name: String, _ assignment: LuaProgram.Assignment) {
    if name == "state" {
      remark(
        "another table in the place of state: what was saved in it is lost at each start; write "
          + "state.seen = state.seen or {}", at: assignment.place)
      return
    }
    if Self.globals.contains(name) {
      let what = Reference.function(name) == nil ? "is Lua's own" : "is a function of plugins"
      remark("'\(name)' \(what); choose another name", at: assignment.place)
      return
    }
    if let value = assignment.value, case .function = program.kind(value) {
      if let advice = unregistered(name) { return remark(advice, at: assignment.place) }
      remark("global function '\(name)'; write local function \(name)", at: assignment.place)
    } else {
      remark("global variable '\(name)'; write local \(name)", at: assignment.place)
    }
  }

  // MARK: Handles

  /// A sighting that is put where it outlives its handler.
  private mutating func checkKept(_ value: Int, in target: Int) {
    var values = [value]
    if let items = program.items(value) { values += items.map(\.value) }
    for value in values {
      guard let name = handle(value), outlives(target, value) else { continue }
      remark(
        "a sighting is over when its handler returns; keep \(name):copy()", at: place(value))
    }
  }

  /// The variable's name where an expression is a sighting that a handler was given.
  private func handle(_ number: Int) -> String? {
    guard case .variable(let variable) = program.kind(number),
      shapes(of: number).contains(where: \.isHandle)
    else { return nil }
    return program.variables[variable].name
  }

  /// Whether what is assigned to is there after the handler that `value` belongs to.
  private func outlives(_ target: Int, _ value: Int) -> Bool {
    guard case .variable(let handle) = program.kind(value) else { return false }
    switch program.kind(program.root(target)) {
    case .global: return true
    case .variable(let variable):
      let handler = program.variables[handle].function
      return !program.isInside(program.variables[variable].function, handler)
    default: return false
    }
  }

  /// A sighting that a timer looks at, which is called later; `table.insert(list, sighting)`.
  mutating func checkLateUse(_ number: Int) {
    if case .call(let callee, let arguments) = program.kind(number),
      case .member(let base, "insert") = program.kind(callee),
      case .global("table", isPlain: true) = program.kind(base),
      arguments.count > 1, let last = arguments.last
    {
      checkKept(last, in: arguments[0])
    }
    guard case .variable(let variable) = program.kind(number), let name = handle(number) else {
      return
    }
    let owner = program.variables[variable].function
    var function: Int? = program.expressions[number].function
    while let here = function, here != owner {
      if roles.roles[here]?.contains(.timer) == true {
        remark(
          "a sighting is over when its handler returns; take \(name):copy() into the timer",
          at: place(number))
      }
      function = program.functions[here].parent
    }
  }

  // MARK: Options

  /// Options that nobody reads.
  mutating func checkOptions() {
    for variable in program.variables where variable.reads == 0 && !variable.name.hasPrefix("_") {
      guard case .local(let value?) = variable.origin, let call = program.globalCall(value),
        call.name == "option", let name = program.string(call.first)
      else { continue }
      remark("option '\(name)' is never used", at: variable.place)
    }
  }
}
