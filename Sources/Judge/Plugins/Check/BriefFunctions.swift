/// Functions that cannot go on for long, whatever they are given: no loop, and nothing called but
/// functions of the same sort and those of ours that always come back soon. They need no watching,
/// which is a quarter of what a short handler costs.
///
/// What is not certain is not brief: any sign of metatables, of modules, of globals that change, of a
/// value that is called without its being known.
struct BriefFunctions {
  private let program: LuaProgram
  /// By function: the most expressions that a call of it can come to; `endless` for one that is not
  /// brief, nil while it is not known.
  private var known: [Int?]
  private static let endless = Int.max
  /// More than that is not brief: functions that call others twice double it.
  private static let most = 10_000
  /// Expressions by the function that they stand in.
  private var sizes: [Int]
  /// Nothing can make anything mean something else than it says.
  let isPlainText: Bool
  /// Calls by the function that they stand in.
  private var calls: [[LuaProgram.ExpressionNumber]]

  /// Names with which anything may become something else.
  private static let unsure: Set<String> = [
    "setmetatable", "getmetatable", "rawset", "load", "require", "_G", "_ENV", "coroutine", "pcall",
    "xpcall",
  ]
  /// Globals that come back soon.
  private static let soon: Set<String> = [
    "alert", "after", "every", "cancel", "region_state", "regions_of", "regions_at",
    "regions_like", "name_of", "scan_limits", "heard_anybody_at", "utc", "utc_offset",
    "mark", "print", "tostring", "tonumber", "type", "select",
  ]
  /// Members of libraries that do; those that call back are not among them.
  private static let soonMembers: [String: Set<String>] = [
    "math": [
      "abs", "ceil", "floor", "max", "min", "sqrt", "fmod", "exp", "log", "sin", "cos", "tan",
      "tointeger", "type", "ult", "random",
    ],
    "string": ["format", "sub", "len", "byte", "upper", "lower"],
    "os": ["time", "date"],
  ]

  init(_ program: LuaProgram) {
    self.program = program
    known = program.functions.map { $0.hasLoop ? Self.endless : nil }
    sizes = program.functions.map { _ in 1 }
    calls = program.functions.map { _ in [] }
    var isPlain = true
    for (number, expression) in program.expressions.enumerated() {
      sizes[expression.function] += 1
      switch expression.kind {
      case .global(let name, let isPlainGlobal):
        if !isPlainGlobal || Self.unsure.contains(name) { isPlain = false }
      case .call, .method: calls[expression.function].append(number)
      default: break
      }
    }
    for assignment in program.assignments where Self.changesGlobals(assignment.target, program) {
      isPlain = false
    }
    isPlainText = isPlain
  }

  /// `name = …`, and `name.a.b = …` of anything global but `state`.
  private static func changesGlobals(
    _ target: LuaProgram.ExpressionNumber, _ program: LuaProgram
  ) -> Bool {
    var number = target
    var isMember = false
    while true {
      switch program.kind(number) {
      case .global(let name, _): return !(isMember && name == "state")
      case .member(let base, _), .index(let base, _), .parenthesized(let base):
        number = base
        isMember = true
      default: return false
      }
    }
  }

  /// Lines on which a brief function begins, and no other one.
  mutating func lines() -> Set<Int> {
    guard isPlainText else { return [] }
    var functions: [Int: [Int]] = [:]
    for (number, function) in program.functions.enumerated() where function.parent != nil {
      functions[function.definedLine, default: []].append(number)
    }
    var lines: Set<Int> = []
    for (line, numbers) in functions where numbers.count == 1 && cost(numbers[0]) <= Self.most {
      lines.insert(line)
    }
    return lines
  }

  private mutating func cost(_ function: Int) -> Int {
    if let answer = known[function] { return answer }
    // Until it is known otherwise: one that comes back to itself is not brief.
    known[function] = Self.endless
    var sum = sizes[function]
    for call in calls[function] {
      let more = costOfCall(call)
      sum = more > Self.most ? Self.endless : sum + more
      if sum > Self.most {
        sum = Self.endless
        break
      }
    }
    known[function] = sum
    return sum
  }

  private mutating func costOfCall(_ call: LuaProgram.ExpressionNumber) -> Int {
    switch program.kind(call) {
    case .call(let callee, _): return costOfCallee(callee)
    case .method(let base, let name, _):
      // A string that is written there; anything else may be a table with functions of its own.
      let isKnown = isString(base) && Self.soonMembers["string"]?.contains(name) == true
      return isKnown ? 1 : Self.endless
    default: return Self.endless
    }
  }

  private mutating func costOfCallee(_ callee: LuaProgram.ExpressionNumber) -> Int {
    switch program.kind(callee) {
    case .global(let name, isPlain: true): return Self.soon.contains(name) ? 1 : Self.endless
    case .member(let base, let name):
      guard case .global(let library, isPlain: true) = program.kind(base) else {
        return Self.endless
      }
      return Self.soonMembers[library]?.contains(name) == true ? 1 : Self.endless
    case .variable(let number):
      let variable = program.variables[number]
      guard !variable.isReassigned else { return Self.endless }
      switch variable.origin {
      case .function(let function): return cost(function)
      case .local(let value?):
        guard case .function(let function) = program.kind(value) else { return Self.endless }
        return cost(function)
      default: return Self.endless
      }
    default: return Self.endless
    }
  }

  private func isString(_ number: LuaProgram.ExpressionNumber) -> Bool {
    switch program.kind(number) {
    case .string: return true
    case .parenthesized(let inner): return isString(inner)
    default: return false
    }
  }
}
