import Regions

extension PluginChecker {
  /// What is put where it does harm: in the place of `state.save`, or of what was restored.
  mutating func checkStateAssignments() {
    let saved = Set(savedKeys.map(\.name))
    for assignment in program.assignments {
      guard case .member(let base, let name) = program.kind(assignment.target), isState(base) else {
        continue
      }
      if name == "save" {
        error(
          "state.save is a function that names what survives a restart: write state.save(\"seen\")",
          at: assignment.place)
      } else if saved.contains(name), overwrites(assignment, name) {
        remark(
          "this overwrites what state.\(name) is restored to when the program starts again; write "
            + "state.\(name) = state.\(name) or …", at: assignment.place)
      }
    }
  }

  /// Whether a value is assigned while the file loads, of which nothing so far has asked what is there.
  private func overwrites(_ assignment: LuaProgram.Assignment, _ name: String) -> Bool {
    guard let value = assignment.value, program.expressions[assignment.target].function == 0 else {
      return false
    }
    if case .nothing = program.kind(value) { return false }
    // What the value is made of stands behind the target, and before whatever follows.
    return !program.expressions.indices.contains { number in
      guard number != assignment.target, !targets.contains(number),
        case .member(let base, name) = program.kind(number), isState(base)
      else { return false }
      return program.expressions[number].function == 0
        && (place(number) < assignment.place || isPart(number, of: value))
    }
  }

  private func isPart(_ number: Int, of value: Int) -> Bool {
    var open = [value]
    while let here = open.popLast() {
      if here == number { return true }
      switch program.kind(here) {
      case .member(let base, _): open.append(base)
      case .index(let base, let key): open += [base, key]
      case .call(let callee, let arguments): open += [callee] + arguments
      case .method(let base, _, let arguments): open += [base] + arguments
      case .table(let items): open += items.map(\.value)
      case .unary(_, let inner), .parenthesized(let inner): open.append(inner)
      case .binary(_, let left, let right): open += [left, right]
      default: continue
      }
    }
    return false
  }

  /// Names that `state.save` is given.
  private var savedKeys: [(name: String, number: Int)] {
    program.expressions.indices.flatMap { number -> [(name: String, number: Int)] in
      guard case .call(let callee, let arguments) = program.kind(number),
        case .member(let base, "save") = program.kind(callee), isState(base)
      else { return [] }
      return arguments.flatMap { strings($0) }
    }
  }

  /// Functions of modules that save the key of `state` that they are given.
  private static let keepers: Set = [
    "beacontrace.recent.map", "beacontrace.filters.rhythm", "beacontrace.listening.ears",
  ]

  /// Keys of `state` that are to be saved, and that nothing in the file names.
  mutating func checkSavedKeys() {
    var named: Set<String> = []
    var bases: Set<Int> = []
    var kept: [String: String] = [:]
    for number in program.expressions.indices {
      switch program.kind(number) {
      case .member(let base, let name) where isState(base):
        bases.insert(base)
        named.insert(name)
      case .call(let callee, let arguments):
        if case .member(let base, let member) = program.kind(callee), let library = library(base),
          Self.keepers.contains("\(library.name).\(member)")
        {
          // A name that is computed may be any.
          guard let name = program.string(arguments.first) else { return }
          kept[name] = "\(library.name.dropFirst("beacontrace.".count)).\(member)"
        } else if let call = program.globalCall(number), call.name == "require",
          program.string(call.arguments.first)?.hasPrefix("beacontrace.") != true
        {
          return
        }
      default: continue
      }
    }
    // Where the table goes by another name, or its keys are computed, anything may be used.
    guard program.expressions.indices.allSatisfy({ !isState($0) || bases.contains($0) }) else {
      return
    }
    for (name, number) in savedKeys where !named.contains(name) || kept[name] != nil {
      if let keeper = kept[name] {
        remark("\(keeper) saves state.\(name) by itself", at: place(number))
        continue
      }
      let others = named.subtracting(["save"]).sorted()
      let guess = LikelyWord.question(name, among: others)
      remark("nothing in this file uses state.\(name)\(guess)", at: place(number))
    }
  }

  private func isState(_ number: Int) -> Bool {
    if case .global("state", isPlain: true) = program.kind(number) {
      return !ownGlobals.contains("state")
    }
    return false
  }
}
