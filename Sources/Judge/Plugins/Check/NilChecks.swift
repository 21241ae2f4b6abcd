/// Fields that may be nil, and are compared or reckoned with before anybody asks.
extension PluginChecker {
  /// Numbers that a sighting may have and need not, whatever its kind is.
  private static let uncertain: Set<String> = {
    let fields = SightingFields.common + SightingFields.kinds.flatMap(\.fields)
    let numbers = fields.filter { $0.isOptional && [.number, .integer].contains($0.type) }
    // All but every capture gives times; a company comes with the format.
    return Set(numbers.map(\.name)).subtracting(["time", "company"])
  }()

  /// `if s.battery_mv < 2400` in a handler that says nothing else of the field. Wherever it may be asked for
  /// nothing is said: what is not seen to be a mistake is none.
  mutating func checkUncertain() {
    let uses = parents()
    var told: Set<String> = []
    for number in program.expressions.indices {
      guard case .member(let base, let name) = program.kind(number), Self.uncertain.contains(name),
        case .variable(let variable) = program.kind(base), let use = uses[number], raises(use),
        !isFound(use), let handler = handler(variable),
        !asks(handler, for: name, of: variable, uses),
        told.insert("\(handler):\(name)").inserted
      else { continue }
      let path = "\(program.variables[variable].name).\(name)"
      remark(
        "\(name) may be nil, and then this fails: ask first, 'if \(path) and …'", at: place(number))
    }
  }

  /// Whether something else is said of one side already.
  private func isFound(_ use: Int) -> Bool {
    guard case .binary(_, let left, let right) = program.kind(use) else { return false }
    return found.contains { [place(left), place(right)].contains($0.place) }
  }

  /// What stands directly around each expression.
  private func parents() -> [Int: Int] {
    var parents: [Int: Int] = [:]
    for number in program.expressions.indices {
      let inner: [Int] =
        switch program.kind(number) {
        case .member(let base, _), .unary(_, let base), .parenthesized(let base): [base]
        case .index(let base, let key): [base, key]
        case .call(let callee, let arguments): [callee] + arguments
        case .method(let base, _, let arguments): [base] + arguments
        case .table(let items): items.map(\.value)
        case .binary(_, let left, let right): [left, right]
        default: []
        }
      for part in inner { parents[part] = number }
    }
    return parents
  }

  private static let raising: Set<LuaToken.Symbol> = [
    .less, .lessEqual, .greater, .greaterEqual, .plus, .minus, .times, .divided, .floorDivided,
    .modulo,
    .power, .concat,
  ]

  /// Whether it fails where one side is nil.
  private func raises(_ number: Int) -> Bool {
    guard case .binary(.symbol(let sign), _, _) = program.kind(number) else { return false }
    return Self.raising.contains(sign)
  }

  /// The handler of sightings whose first parameter a variable is, where nobody else calls it.
  private func handler(_ variable: Int) -> Int? {
    guard case .parameter(let function, place: 0) = program.variables[variable].origin,
      !program.variables[variable].isReassigned, roles.calls[function] == nil,
      !roles.calledOtherwise.contains(function),
      (roles.roles[function] ?? []).contains(where: {
        if case .handler(let event, _) = $0 {
          Reference.event(event)?.isSighting == true
        } else {
          false
        }
      })
    else { return nil }
    return function
  }

  /// Whether a handler may have asked: any other use of the field, of the kind, or of the sighting as a whole.
  private func asks(_ handler: Int, for name: String, of sighting: Int, _ uses: [Int: Int]) -> Bool
  {
    program.expressions.indices.contains { number in
      guard program.isInside(program.expressions[number].function, handler) else { return false }
      switch program.kind(number) {
      case .member(_, name), .member(_, "kind"): return !isHarmless(uses[number])
      case .variable(sighting):
        guard let use = uses[number] else { return true }
        switch program.kind(use) {
        case .member, .table, .method(_, "copy", _): return false
        default: return true
        }
      case .global("pcall", _), .global("xpcall", _): return true
      default: return false
      }
    }
  }

  /// Whether a use says nothing of what is there: it reckons, or hands on to be shown.
  private func isHarmless(_ use: Int?) -> Bool {
    guard let use else { return false }
    if raises(use) { return true }
    switch program.kind(use) {
    case .table, .method(_, "format", _): return true
    case .call(let callee, _):
      switch program.kind(callee) {
      case .global("print", _), .global("tostring", _), .member(_, "format"): return true
      default: return false
      }
    default: return false
    }
  }
}
