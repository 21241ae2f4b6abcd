extension LuaParser {
  /// One or more, parted by commas.
  mutating func expressions() throws(LuaSyntaxError) -> [Int] {
    var list = [try expression()]
    while try skip(.comma) { list.append(try expression()) }
    return list
  }

  mutating func expression() throws(LuaSyntaxError) -> Int { try operation(above: 0) }

  /// How strongly an operator binds to its left and to its right; nil for what is none.
  private static func priority(_ token: LuaToken) -> (left: Int, right: Int)? {
    switch token {
    case .keyword(.or): return (1, 1)
    case .keyword(.and): return (2, 2)
    case .symbol(let symbol):
      switch symbol {
      case .less, .greater, .lessEqual, .greaterEqual, .unequal, .equal: return (3, 3)
      case .bitOr: return (4, 4)
      case .bitNot: return (5, 5)
      case .bitAnd: return (6, 6)
      case .shiftLeft, .shiftRight: return (7, 7)
      case .concat: return (9, 8)
      case .plus, .minus: return (10, 10)
      case .times, .divided, .floorDivided, .modulo: return (11, 11)
      case .power: return (14, 13)
      default: return nil
      }
    default: return nil
    }
  }

  private static let unaryPriority = 12

  private mutating func operation(above limit: Int) throws(LuaSyntaxError) -> Int {
    try deeper()
    let start = place
    var left: Int
    if isAt(.not) || isAt(.minus) || isAt(.length) || isAt(.bitNot) {
      let sign = token
      try advance()
      left = add(.unary(sign, try operation(above: Self.unaryPriority)), start)
    } else {
      left = try simpleExpression()
    }
    while let priority = Self.priority(token), priority.left > limit {
      let (sign, place) = (token, self.place)
      try advance()
      let right = try operation(above: priority.right)
      left = add(.binary(sign, left, right), place)
    }
    shallower()
    return left
  }

  private mutating func simpleExpression() throws(LuaSyntaxError) -> Int {
    let start = place
    let kind: LuaProgram.Kind
    switch token {
    case .number(let value, let isInteger): kind = .number(value, isInteger: isInteger)
    case .string(let text): kind = .string(text)
    case .keyword(.nil): kind = .nothing
    case .keyword(.true): kind = .boolean(true)
    case .keyword(.false): kind = .boolean(false)
    case .symbol(.dots):
      guard program.functions[scope.function].isVararg else {
        throw error("cannot use '...' outside a vararg function")
      }
      kind = .dots
    case .symbol(.openBrace): return try table()
    case .keyword(.function):
      try advance()
      return try functionBody(isMethod: false, at: start)
    default: return try suffixedExpression()
    }
    try advance()
    return add(kind, start)
  }

  // MARK: Names, fields, calls

  /// A name: a variable, or a global.
  mutating func variable(_ name: String, _ place: LuaPlace) throws(LuaSyntaxError) -> Int {
    var tooMany = false
    let variable = scope.resolve(name, &tooMany)
    let environment = variable == nil ? scope.resolve("_ENV", &tooMany) : nil
    if tooMany { throw error("too many upvalues (limit is 255) in \(functionName)") }
    guard let variable else {
      return add(.global(name, isPlain: environment == nil), place)
    }
    program.variables[variable].reads += 1
    return add(.variable(variable), place)
  }

  private mutating func primaryExpression() throws(LuaSyntaxError) -> Int {
    let start = place
    if case .name(let name) = token {
      try advance()
      return try variable(name, start)
    }
    guard try skip(.open) else { throw error("unexpected symbol") }
    let inner = try expression()
    try close(.close, .open, start.line)
    return add(.parenthesized(inner), start)
  }

  mutating func suffixedExpression() throws(LuaSyntaxError) -> Int {
    let start = place
    var base = try primaryExpression()
    while true {
      switch token {
      case .symbol(.dot):
        try advance()
        let place = self.place
        base = add(.member(base, try name()), place)
      case .symbol(.openBracket):
        try advance()
        let place = self.place
        let key = try expression()
        try need(.closeBracket)
        if case .string(let name) = program.kind(key) {
          base = add(.member(base, name), place)
        } else {
          base = add(.index(base, key), place)
        }
      case .symbol(.colon):
        try advance()
        let place = self.place
        let name = try name()
        guard startsArguments else { throw error("function arguments expected") }
        base = add(.method(base, name, try arguments()), place)
      case _ where startsArguments:
        base = add(.call(base, try arguments()), start)
      default: return base
      }
    }
  }

  private var startsArguments: Bool {
    switch token {
    case .symbol(.open), .symbol(.openBrace), .string: true
    default: false
    }
  }

  private mutating func arguments() throws(LuaSyntaxError) -> [Int] {
    let start = place
    switch token {
    case .string(let text):
      try advance()
      return [add(.string(text), start)]
    case .symbol(.openBrace): return [try table()]
    default:
      try need(.open)
      if try skip(.close) { return [] }
      let list = try expressions()
      try close(.close, .open, start.line)
      return list
    }
  }

  // MARK: Tables and functions

  private mutating func table() throws(LuaSyntaxError) -> Int {
    let start = place
    try need(.openBrace)
    var items: [LuaProgram.Item] = []
    var places = 0
    while !isAt(.closeBrace) {
      items.append(try item(&places))
      if try !skip(.comma), try !skip(.semicolon) { break }
    }
    try close(.closeBrace, .openBrace, start.line)
    return add(.table(items), start)
  }

  private mutating func item(_ places: inout Int) throws(LuaSyntaxError) -> LuaProgram.Item {
    let start = place
    if case .name(let name) = token, try peek() == .symbol(.assign) {
      try advance()
      try advance()
      return LuaProgram.Item(key: .name(name), value: try expression(), place: start)
    }
    if try skip(.openBracket) {
      let key = try expression()
      try need(.closeBracket)
      try need(.assign)
      let value = try expression()
      if case .string(let name) = program.kind(key) {
        return LuaProgram.Item(key: .name(name), value: value, place: start)
      }
      return LuaProgram.Item(key: .computed(key), value: value, place: start)
    }
    places += 1
    return LuaProgram.Item(key: .place(places), value: try expression(), place: start)
  }

  /// From the parameters to the `end`.
  /// - Parameter line: of the keyword, for a statement.
  mutating func functionBody(isMethod: Bool, at start: LuaPlace, line: Int? = nil)
    throws(LuaSyntaxError) -> Int
  {
    let outer = scope.function
    let number = program.functions.count
    program.functions.append(
      LuaProgram.Function(parent: outer, place: start, definedLine: line ?? place.line))
    scope.openFunction(number)
    try need(.open)
    try parameters(number, isMethod)
    try need(.close)
    try statements()
    try close(.end, .function, start.line)
    try closeFunction()
    return add(.function(number), start)
  }

  private mutating func parameters(_ number: Int, _ isMethod: Bool) throws(LuaSyntaxError) {
    var list: [Int] = []
    if isMethod { list.append(declare("self", .parameter(number, place: 0), place)) }
    if !isAt(.close) {
      repeat {
        let place = self.place
        if try skip(.dots) {
          program.functions[number].isVararg = true
          break
        }
        guard case .name(let name) = token else { throw error("<name> or '...' expected") }
        try advance()
        list.append(declare(name, .parameter(number, place: list.count), place))
      } while try skip(.comma)
    }
    try activate(list)
  }
}
