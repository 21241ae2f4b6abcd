/// Functions that do nothing with their first parameter but to read fields of it, `s.rssi`, and to hand
/// it to `alert { evidence = s }`. Such a one cannot keep its sighting, nor tell what it was given: it
/// need not get a handle that dies, which is the dear way to a field.
///
/// What is not certain is not one: any other use of the parameter, also within a function of its own,
/// functions that take what they are given with `...`, and every function of a text in which things
/// may mean something else than they say (`load`, metatables, an `_ENV` of its own).
struct SightingReaders {
  private let program: LuaProgram
  /// By expression: whether it is a name in a place where the sighting may stand.
  private var isReading: [Bool]
  private let isPlainText: Bool

  /// - Parameter isPlainText: `BriefFunctions.isPlainText`.
  init(_ program: LuaProgram, isPlainText: Bool) {
    self.program = program
    self.isPlainText = isPlainText
    isReading = program.expressions.map { _ in false }
    for expression in program.expressions {
      switch expression.kind {
      case .member(let base, _): isReading[base] = true
      case .call(let callee, let arguments):
        if case .global("alert", isPlain: true) = program.kind(callee) { allow(arguments) }
      default: break
      }
    }
    for assignment in program.assignments {
      if case .member(let base, _) = program.kind(assignment.target) { isReading[base] = false }
    }
  }

  /// `alert { evidence = s }`.
  private mutating func allow(_ arguments: [LuaProgram.ExpressionNumber]) {
    for argument in arguments {
      guard case .table(let items) = program.kind(argument) else { continue }
      for item in items {
        if case .name(let name) = item.key, name == "evidence" || name == "about" {
          isReading[item.value] = true
        }
      }
    }
  }

  /// Lines on which one of them begins, and no other function.
  func lines() -> Set<Int> {
    guard isPlainText else { return [] }
    var isReader = program.functions.map { $0.parent != nil && !$0.isVararg }
    for (number, expression) in program.expressions.enumerated() {
      guard case .variable(let variable) = expression.kind,
        case .parameter(let function, place: 0) = program.variables[variable].origin
      else { continue }
      if !isReading[number] || expression.function != function
        || program.variables[variable].isReassigned
      {
        isReader[function] = false
      }
    }
    var functions: [Int: [Int]] = [:]
    for (number, function) in program.functions.enumerated() where function.parent != nil {
      functions[function.definedLine, default: []].append(number)
    }
    return Set(functions.filter { $1.count == 1 && isReader[$1[0]] }.keys)
  }
}
