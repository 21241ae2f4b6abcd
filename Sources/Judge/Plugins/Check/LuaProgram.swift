/// A text of Lua, understood: its expressions, functions and variables by number, names resolved.
///
/// Expressions stand in one list, each behind those that it is made of, and hold each other by number:
/// however deeply a text nests them, nobody has to recurse to look at all of them. Of statements only
/// what they do to variables is kept.
struct LuaProgram {
  typealias ExpressionNumber = Int
  typealias VariableNumber = Int
  typealias FunctionNumber = Int

  struct Expression {
    let kind: Kind
    let place: LuaPlace
    /// The function that it stands in.
    let function: FunctionNumber
    /// In a block of that: whether, and how often, it is met depends on what is before it.
    let isInBlock: Bool
  }

  enum Kind {
    case nothing, dots
    case boolean(Bool)
    case number(Double, isInteger: Bool)
    case string(String)
    case function(FunctionNumber)
    case variable(VariableNumber)
    /// `isPlain`: a field of the `_ENV` that the program was given, not of one of its own.
    case global(String, isPlain: Bool)
    /// `base.name`, and `base["name"]`.
    case member(ExpressionNumber, String)
    case index(ExpressionNumber, ExpressionNumber)
    case call(ExpressionNumber, [ExpressionNumber])
    case method(ExpressionNumber, String, [ExpressionNumber])
    case table([Item])
    /// The operator first.
    case unary(LuaToken, ExpressionNumber)
    case binary(LuaToken, ExpressionNumber, ExpressionNumber)
    case parenthesized(ExpressionNumber)
  }

  /// What stands between the braces of a table.
  struct Item {
    enum Key {
      /// 1, 2, 3 …
      case place(Int)
      case name(String)
      case computed(ExpressionNumber)
    }
    let key: Key
    let value: ExpressionNumber
    let place: LuaPlace
  }

  struct Variable {
    enum Origin {
      case parameter(FunctionNumber, place: Int)
      /// Nil: nothing, or what a call before it may have left over.
      case local(ExpressionNumber?)
      case function(FunctionNumber)
      case count
      /// `for a, b in iterator`.
      case loop(iterator: ExpressionNumber, place: Int)
    }
    let name: String
    let origin: Origin
    let place: LuaPlace
    /// Where it is declared.
    let function: FunctionNumber
    /// Neither `<const>` nor `<close>`.
    let isWritable: Bool
    /// Assigned somewhere else than where it is declared.
    var isReassigned = false
    var reads = 0
  }

  struct Function {
    /// Nil for the whole text.
    let parent: FunctionNumber?
    let place: LuaPlace
    /// The line that Lua itself knows it by: of its `(`, or of the `function` of a statement.
    var definedLine = 0
    var isVararg = false
    /// A loop, or a jump, which may be one.
    var hasLoop = false
  }

  struct Assignment {
    let target: ExpressionNumber
    /// Nil where it comes from a call before it, or where it is nothing.
    let value: ExpressionNumber?
    let place: LuaPlace
  }

  var expressions: [Expression] = []
  var variables: [Variable] = []
  var functions: [Function] = []
  var assignments: [Assignment] = []
  /// What functions return first: `return value`.
  var returns: [(function: FunctionNumber, value: ExpressionNumber)] = []

  /// - Throws: the first mistake.
  static func parse(_ bytes: [UInt8]) throws(LuaSyntaxError) -> LuaProgram {
    var parser = LuaParser(bytes)
    do throws(LuaSyntaxError) {
      return try parser.chunk()
    } catch {
      let hint = parser.hint(error.text, bytes)
      throw LuaSyntaxError(place: error.place, text: error.text, hint: hint.map { "; \($0)" } ?? "")
    }
  }

  func kind(_ number: ExpressionNumber) -> Kind { expressions[number].kind }

  /// Whether it may stand for several values, or none.
  func isOpenEnded(_ number: ExpressionNumber) -> Bool {
    switch kind(number) {
    case .call, .method, .dots: true
    default: false
    }
  }

  /// Whether a function is another one, or stands in it.
  func isInside(_ inner: FunctionNumber, _ outer: FunctionNumber) -> Bool {
    var function: FunctionNumber? = inner
    while let here = function {
      if here == outer { return true }
      function = functions[here].parent
    }
    return false
  }
}
