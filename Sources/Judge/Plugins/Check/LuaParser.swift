/// Reads Lua 5.4, as its own compiler does, statement by statement. What is said of mistakes is what
/// the compiler says, as far as that goes.
struct LuaParser {
  var program = LuaProgram()
  var scope = LuaScope()
  private(set) var token = LuaToken.end
  private(set) var place = LuaPlace(line: 1, column: 1)
  private var lexer: LuaLexer
  /// The token behind this one, where it was needed already.
  private var ahead: (token: LuaToken, lexer: LuaLexer)?
  private var depth = 0
  var closed = ClosedBlocks()

  /// As deep as Lua goes, less what calls it.
  private static let deepest = 195

  init(_ bytes: [UInt8]) { lexer = LuaLexer(bytes) }

  mutating func chunk() throws(LuaSyntaxError) -> LuaProgram {
    try advance()
    program.functions.append(LuaProgram.Function(parent: nil, place: place, isVararg: true))
    scope.openFunction(0)
    try statements()
    if token != .end { throw error("<eof> expected") }
    try closeFunction()
    return program
  }

  // MARK: Tokens

  mutating func advance() throws(LuaSyntaxError) {
    if let (next, lexer) = ahead {
      token = next
      self.lexer = lexer
      ahead = nil
    } else {
      token = try lexer.next()
    }
    place = lexer.place
  }

  mutating func peek() throws(LuaSyntaxError) -> LuaToken {
    if let ahead { return ahead.token }
    var copy = lexer
    let next = try copy.next()
    ahead = (next, copy)
    return next
  }

  func error(_ text: String) -> LuaSyntaxError { lexer.error(text) }

  /// A mistake of meaning: the token that shows it says nothing of it.
  func mistake(_ text: String) -> LuaSyntaxError { LuaSyntaxError(place: place, text: text) }

  func expected(_ what: String) -> LuaSyntaxError { error("'\(what)' expected") }

  func isAt(_ symbol: LuaToken.Symbol) -> Bool { token == .symbol(symbol) }
  func isAt(_ keyword: LuaToken.Keyword) -> Bool { token == .keyword(keyword) }

  mutating func skip(_ symbol: LuaToken.Symbol) throws(LuaSyntaxError) -> Bool {
    guard isAt(symbol) else { return false }
    try advance()
    return true
  }

  mutating func skip(_ keyword: LuaToken.Keyword) throws(LuaSyntaxError) -> Bool {
    guard isAt(keyword) else { return false }
    try advance()
    return true
  }

  mutating func need(_ symbol: LuaToken.Symbol) throws(LuaSyntaxError) {
    guard try skip(symbol) else { throw expected(symbol.rawValue) }
  }

  mutating func need(_ keyword: LuaToken.Keyword) throws(LuaSyntaxError) {
    guard try skip(keyword) else { throw expected(keyword.rawValue) }
  }

  /// The end of what `opening` began in a line.
  private func unclosed(_ what: String, _ opening: String, _ line: Int) -> LuaSyntaxError {
    line == place.line
      ? expected(what) : error("'\(what)' expected (to close '\(opening)' at line \(line))")
  }

  mutating func close(_ what: LuaToken.Keyword, _ opening: LuaToken.Keyword, _ line: Int)
    throws(LuaSyntaxError)
  {
    let endLine = place.line
    guard isAt(what) else {
      closed.openLine = line
      throw unclosed(what.rawValue, opening.rawValue, line)
    }
    if opening == .function { closed.elseIfs.removeAll() }
    closed.latest = ClosedBlocks.Block(word: opening.rawValue, line: line, endLine: endLine)
    try advance()
  }

  /// What was probably meant where it has stopped.
  func hint(_ message: String, _ text: [UInt8]) -> String? {
    let before = text[..<min(lexer.start, text.count)].reversed().drop { $0 <= 0x20 }
    return closed.hint(message, isBehindEnd: before.starts(with: "dne".utf8))
      ?? SyntaxHints(text, at: lexer.start).hint(message)
  }

  mutating func close(_ what: LuaToken.Symbol, _ opening: LuaToken.Symbol, _ line: Int)
    throws(LuaSyntaxError)
  {
    guard try skip(what) else { throw unclosed(what.rawValue, opening.rawValue, line) }
  }

  mutating func name() throws(LuaSyntaxError) -> String {
    guard case .name(let name) = token else { throw error("<name> expected") }
    try advance()
    return name
  }

  mutating func deeper() throws(LuaSyntaxError) {
    depth += 1
    if depth > Self.deepest { throw error("C stack overflow") }
  }

  mutating func shallower() { depth -= 1 }

  // MARK: What is found

  mutating func add(_ kind: LuaProgram.Kind, _ place: LuaPlace) -> Int {
    program.expressions.append(
      LuaProgram.Expression(
        kind: kind, place: place, function: scope.function,
        isInBlock: scope.blocks.last?.isFunction != true))
    return program.expressions.count - 1
  }

  /// Makes a variable, which nobody sees until it is activated.
  mutating func declare(
    _ name: String, _ origin: LuaProgram.Variable.Origin, _ place: LuaPlace, isWritable: Bool = true
  ) -> Int {
    program.variables.append(
      LuaProgram.Variable(
        name: name, origin: origin, place: place, function: scope.function, isWritable: isWritable))
    return program.variables.count - 1
  }

  mutating func activate(_ variables: [Int], hidden: Int = 0) throws(LuaSyntaxError) {
    for variable in variables { scope.activate(variable, program.variables[variable].name) }
    if scope.localCount + hidden > 200 {
      throw error("too many local variables (limit is 200) in \(functionName)")
    }
  }

  var functionName: String {
    scope.function == 0
      ? "main function"
      : "function at line \(program.functions[scope.function].place.line)"
  }

  mutating func closeFunction() throws(LuaSyntaxError) {
    try leaveBlock()
    scope.closeFunction(parent: program.functions[scope.function].parent ?? 0)
  }
}
