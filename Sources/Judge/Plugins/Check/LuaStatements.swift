extension LuaParser {
  /// Whether a block ends here.
  private func blockEnds(untilCounts: Bool) -> Bool {
    switch token {
    case .end, .keyword(.else), .keyword(.elseif), .keyword(.end): true
    case .keyword(.until): untilCounts
    default: false
    }
  }

  mutating func statements() throws(LuaSyntaxError) {
    while !blockEnds(untilCounts: true) {
      if isAt(.return) { return try statement() }
      try statement()
    }
  }

  private mutating func block(isLoop: Bool = false) throws(LuaSyntaxError) {
    scope.openBlock(isLoop: isLoop)
    try statements()
    try leaveBlock()
  }

  private mutating func statement() throws(LuaSyntaxError) {
    try deeper()
    let line = place.line
    switch token {
    case .symbol(.semicolon): try advance()
    case .symbol(.doubleColon):
      try advance()
      try label(try name(), line)
    case .keyword(let keyword): try statement(keyword, line)
    default: try expressionStatement()
    }
    shallower()
  }

  private mutating func statement(_ keyword: LuaToken.Keyword, _ line: Int) throws(LuaSyntaxError) {
    switch keyword {
    case .if: try ifStatement(line)
    case .while:
      program.functions[scope.function].hasLoop = true
      try advance()
      _ = try expression()
      try need(.do)
      try block(isLoop: true)
      try close(.end, .while, line)
    case .do:
      try advance()
      try block()
      try close(.end, .do, line)
    case .for: try forStatement(line)
    case .repeat: try repeatStatement(line)
    case .function: try functionStatement(line)
    case .local:
      try advance()
      if try skip(.function) { try localFunction() } else { try localStatement() }
    case .return:
      try advance()
      try returnStatement()
    case .break:
      scope.gotos.append(
        LuaScope.Goto(name: "break", place: place, variables: scope.visible.count))
      try advance()
    case .goto:
      program.functions[scope.function].hasLoop = true
      try advance()
      let place = self.place
      let label = try name()
      if scope.label(label) == nil {
        scope.gotos.append(LuaScope.Goto(name: label, place: place, variables: scope.visible.count))
      }
    default: try expressionStatement()
    }
  }

  private mutating func ifStatement(_ line: Int) throws(LuaSyntaxError) {
    let column = place.column
    repeat {
      try advance()
      _ = try expression()
      try need(.then)
      try block()
    } while isAt(.elseif)
    let elseLine = place.line
    var hasElseIf = false
    if try skip(.else) {
      hasElseIf = isAt(.if) && place.line == elseLine
      if hasElseIf { closed.elseIfs.append(elseLine) }
      try block()
    }
    if hasElseIf { closed.forgetElseIf(of: elseLine, ifColumn: column, end: place) }
    try close(.end, .if, line)
  }

  private mutating func repeatStatement(_ line: Int) throws(LuaSyntaxError) {
    try advance()
    program.functions[scope.function].hasLoop = true
    scope.openBlock(isLoop: true)
    scope.openBlock()
    try statements()
    try close(.until, .repeat, line)
    // What the block declares is visible in the condition.
    _ = try expression()
    try leaveBlock()
    try leaveBlock()
  }

  private mutating func returnStatement() throws(LuaSyntaxError) {
    if !blockEnds(untilCounts: true), !isAt(.semicolon) {
      if let first = try expressions().first {
        program.returns.append((scope.function, first))
      }
    }
    _ = try skip(.semicolon)
  }

  // MARK: Loops

  private mutating func forStatement(_ line: Int) throws(LuaSyntaxError) {
    try advance()
    program.functions[scope.function].hasLoop = true
    scope.openBlock(isLoop: true)
    var names = [(place, try name())]
    if isAt(.assign) {
      try advance()
      _ = try expression()
      try need(.comma)
      _ = try expression()
      if try skip(.comma) { _ = try expression() }
      let variable = declare(names[0].1, .count, names[0].0)
      try forBody([variable], line)
    } else if isAt(.comma) || isAt(.in) {
      while try skip(.comma) { names.append((place, try name())) }
      try need(.in)
      let iterator = try expressions()[0]
      let variables = names.enumerated().map { number, name in
        declare(name.1, .loop(iterator: iterator, place: number), name.0)
      }
      try forBody(variables, line)
    } else {
      throw error("'=' or 'in' expected")
    }
    try leaveBlock()
  }

  private mutating func forBody(_ variables: [Int], _ line: Int) throws(LuaSyntaxError) {
    try need(.do)
    scope.openBlock()
    // Beside these the loop has three or four of its own.
    try activate(variables, hidden: 4)
    try block()
    try leaveBlock()
    try close(.end, .for, line)
  }

  // MARK: Variables

  private mutating func localFunction() throws(LuaSyntaxError) {
    let place = self.place
    let name = try name()
    // It is visible in itself.
    let variable = declare(name, .function(program.functions.count), place)
    try activate([variable])
    _ = try functionBody(isMethod: false, at: place)
  }

  private mutating func localStatement() throws(LuaSyntaxError) {
    var names: [(name: String, place: LuaPlace, isWritable: Bool)] = []
    var closes = false
    repeat {
      let place = self.place
      let name = try name()
      let attribute = try attribute()
      if attribute == "close" {
        guard !closes else {
          throw mistake("multiple to-be-closed variables in local list")
        }
        closes = true
      }
      names.append((name, place, attribute == nil))
    } while try skip(.comma)
    let values = try skip(.assign) ? try expressions() : []
    let variables = names.enumerated().map { number, name in
      declare(
        name.name, .local(value(values, number)), name.place, isWritable: name.isWritable)
    }
    try activate(variables)
  }

  /// `<const>`, `<close>`, or nothing.
  private mutating func attribute() throws(LuaSyntaxError) -> String? {
    guard try skip(.less) else { return nil }
    let name = try name()
    try need(.greater)
    guard name == "const" || name == "close" else {
      throw mistake("unknown attribute '\(name)'")
    }
    return name
  }

  /// The value at a place; nil where it comes out of an open-ended one before it.
  private func value(_ values: [Int], _ place: Int) -> Int? {
    guard place < values.count else { return nil }
    return values[place]
  }

  private mutating func functionStatement(_ line: Int) throws(LuaSyntaxError) {
    try advance()
    let start = place
    let first = try name()
    var target = try variable(first, start)
    var isMethod = false
    while isAt(.dot) || isAt(.colon) {
      isMethod = isAt(.colon)
      try advance()
      let place = self.place
      target = add(.member(target, try name()), place)
      if isMethod { break }
    }
    let body = try functionBody(isMethod: isMethod, at: start, line: line)
    try assign(target, body, start)
  }

  /// Notes that something gets a value.
  private mutating func assign(_ target: Int, _ value: Int?, _ place: LuaPlace)
    throws(LuaSyntaxError)
  {
    if case .variable(let number) = program.kind(target) {
      guard program.variables[number].isWritable else {
        throw mistake("attempt to assign to const variable '\(program.variables[number].name)'")
      }
      program.variables[number].isReassigned = true
      program.variables[number].reads -= 1
    }
    program.assignments.append(LuaProgram.Assignment(target: target, value: value, place: place))
  }

  private mutating func expressionStatement() throws(LuaSyntaxError) {
    let start = place
    let first = try suffixedExpression()
    guard isAt(.assign) || isAt(.comma) else {
      switch program.kind(first) {
      case .call, .method: return
      default: throw error("syntax error")
      }
    }
    var targets = [first]
    try checkTarget(first)
    while try skip(.comma) {
      try deeper()
      let target = try suffixedExpression()
      try checkTarget(target)
      targets.append(target)
    }
    for _ in targets.dropFirst() { shallower() }
    try need(.assign)
    let values = try expressions()
    for (number, target) in targets.enumerated() {
      try assign(target, value(values, number), start)
    }
  }

  private func checkTarget(_ target: Int) throws(LuaSyntaxError) {
    switch program.kind(target) {
    case .variable(let number):
      guard program.variables[number].isWritable else {
        throw mistake("attempt to assign to const variable '\(program.variables[number].name)'")
      }
    case .global, .member, .index: return
    default: throw error("syntax error")
    }
  }

  // MARK: Labels

  private mutating func label(_ name: String, _ line: Int) throws(LuaSyntaxError) {
    try need(.doubleColon)
    // Statements that do nothing may stand between it and the end of the block.
    while isAt(.semicolon) || isAt(.doubleColon) { try statement() }
    if let other = scope.label(name) {
      throw mistake("label '\(name)' already defined on line \(other.line)")
    }
    let first = scope.blocks.last?.firstVariable ?? 0
    // At the end of a block its variables are over.
    let count = blockEnds(untilCounts: false) ? first : scope.visible.count
    scope.labels.append(LuaScope.Label(name: name, line: line))
    try resolveGotos(name, count)
  }

  /// Jumps of this block that a label ends.
  private mutating func resolveGotos(_ name: String, _ variables: Int) throws(LuaSyntaxError) {
    var number = scope.blocks.last?.firstGoto ?? 0
    while number < scope.gotos.count {
      let jump = scope.gotos[number]
      guard jump.name == name else {
        number += 1
        continue
      }
      if jump.variables < variables {
        let variable = scope.visible[jump.variables].name
        throw mistake(
          "<goto \(name)> at line \(jump.place.line) jumps into the scope of local '\(variable)'")
      }
      scope.gotos.remove(at: number)
    }
  }

  mutating func leaveBlock() throws(LuaSyntaxError) {
    guard let block = scope.blocks.last else { return }
    if block.isLoop { try resolveGotos("break", scope.visible.count) }
    scope.blocks.removeLast()
    scope.forget(from: block.firstVariable)
    scope.labels.removeSubrange(block.firstLabel...)
    if block.isFunction {
      guard block.firstGoto < scope.gotos.count else { return }
      let jump = scope.gotos[block.firstGoto]
      let text =
        jump.name == "break"
        ? "break outside a loop at line \(jump.place.line)"
        : "no visible label '\(jump.name)' for goto at line \(jump.place.line)"
      throw LuaSyntaxError(place: jump.place, text: text)
    }
    for number in block.firstGoto..<scope.gotos.count {
      scope.gotos[number].variables = block.firstVariable
    }
  }
}
