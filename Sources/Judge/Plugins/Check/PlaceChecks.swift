/// Calls that stand where nothing comes of them.
extension PluginChecker {
  /// What calls a function, or the innermost one that it stands in and that is called by anything.
  private func role(of function: LuaProgram.FunctionNumber) -> [FunctionRoles.Role] {
    var here: LuaProgram.FunctionNumber? = function
    while let number = here {
      if let roles = roles.roles[number] { return roles }
      here = program.functions[number].parent
    }
    return []
  }

  /// `alert` in what only answers.
  mutating func checkTeller(_ function: LuaProgram.FunctionNumber, at place: LuaPlace) {
    for role in role(of: function) {
      switch role {
      case .contains:
        error(
          "alert: a region's contains only answers; call it in a handler of enter, exit or sighting",
          at: place)
      case .decode:
        error("alert: a decoder only reads; call it in a handler of what it decodes", at: place)
      default: continue
      }
    }
  }

  /// A timer behind which nothing comes.
  mutating func checkLateTimer(
    _ name: String, _ function: LuaProgram.FunctionNumber, at place: LuaPlace
  ) {
    guard ["every", "after"].contains(name) else { return }
    let isLate = role(of: function).contains { role in
      if case .handler("finish", _) = role { true } else { false }
    }
    guard isLate else { return }
    remark("\(name) in finish: the run is over, so it is never called", at: place)
  }

  /// Variables that `decode` sets, and others read: decoders have a Lua state of their own.
  mutating func checkDecoderVariables() {
    let decoders = roles.roles.filter { $0.value.contains(.decode) }.map(\.key)
    guard !decoders.isEmpty else { return }
    let program = program
    let isDecoding = { (function: LuaProgram.FunctionNumber) in
      decoders.contains { program.isInside(function, $0) }
    }
    var setThere: [LuaProgram.VariableNumber: LuaPlace] = [:]
    var isSetElsewhere: Set<LuaProgram.VariableNumber> = []
    for assignment in program.assignments {
      guard case .variable(let variable) = program.kind(program.root(assignment.target)),
        !isDecoding(program.variables[variable].function)
      else { continue }
      let function = program.expressions[assignment.target].function
      if isDecoding(function) {
        setThere[variable] = min(setThere[variable] ?? assignment.place, assignment.place)
      } else if roles.isCalledLater(function) {
        isSetElsewhere.insert(variable)
      }
    }
    for (variable, place) in setThere where !isSetElsewhere.contains(variable) {
      let isRead = program.expressions.contains { expression in
        guard case .variable(variable) = expression.kind else { return false }
        return !isDecoding(expression.function) && roles.isCalledLater(expression.function)
      }
      guard isRead else { continue }
      error(
        "decode runs in a Lua state of its own: handlers never see what it sets in "
          + "'\(program.variables[variable].name)'; return it in fields", at: place)
    }
  }

  /// Regions that the file itself replaces.
  mutating func checkRegionsTwice() {
    var seen: Set<String> = []
    for number in program.expressions.indices {
      let expression = program.expressions[number]
      guard let call = program.globalCall(number), call.name == "region",
        !ownGlobals.contains("region"), expression.function == 0, !expression.isInBlock,
        call.first != nil || call.arguments.count == 2,
        let name = program.string(call.first ?? call.arguments.first)
      else { continue }
      if !seen.insert(name).inserted {
        remark("region '\(name)' is defined twice; only this definition counts", at: call.place)
      }
    }
  }

  /// Handlers of entries and exits that a region of the same file keeps back.
  mutating func checkSilencedRegions() {
    var silent: [String: Set<String>] = [:]
    let calls = program.expressions.indices.compactMap { program.globalCall($0) }
      .filter { !ownGlobals.contains($0.name) }
    for call in calls where call.name == "region" {
      guard let name = program.string(call.first ?? call.arguments.first) else { return }
      guard let items = program.items(call.arguments.last) else { continue }
      let off = items.filter {
        if case .boolean(false) = program.kind($0.value) { true } else { false }
      }.compactMap(\.key.name)
      let isLater = program.item("notify_entry_state_on_display", of: items) != nil
      let keys = isLater ? ["notify_on_exit"] : ["notify_on_entry", "notify_on_exit"]
      let these = Set(keys.filter(off.contains))
      silent[name] = silent[name]?.intersection(these) ?? these
    }
    for call in calls where call.name == "on" && call.arguments.count == 3 {
      let keys = ["enter": "notify_on_entry", "exit": "notify_on_exit"]
      guard let event = program.string(call.arguments[0]), let key = keys[event] else { continue }
      for (name, number) in regions(in: call.arguments[1]) where silent[name]?.contains(key) == true
      {
        remark(
          "region '\(name)' has \(key) = false; \(event) is never told of it", at: place(number))
      }
    }
  }
}
