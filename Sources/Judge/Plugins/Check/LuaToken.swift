/// Where something stands in a text: both from 1, columns in bytes.
package struct LuaPlace: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: LuaPlace, b: LuaPlace) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// Why a text is no Lua: what Lua itself says, or close to it.
package struct LuaSyntaxError: Error, Sendable, Equatable {
  package let place: LuaPlace
  /// What Lua's compiler says.
  package let text: String
  /// What was probably meant: behind that, with its semicolon; empty where nothing is known.
  package var hint = ""

  /// The whole sentence.
  package var sentence: String { text + hint }
}

/// A word of Lua.
enum LuaToken: Equatable {
  case end
  case name(String)
  /// Its value; whether it is an integer.
  case number(Double, isInteger: Bool)
  case string(String)
  case keyword(Keyword)
  /// Operators and punctuation, as they are written.
  case symbol(Symbol)

  enum Keyword: String, CaseIterable {
    case and, `break`, `do`, `else`, elseif, end, `false`, `for`, function, goto, `if`, `in`, local
    case `nil`, not, or, `repeat`, `return`, then, `true`, until, `while`
  }

  enum Symbol: String, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case floorDivided = "//"
    case modulo = "%"
    case power = "^"
    case length = "#"
    case bitAnd = "&"
    case bitNot = "~"
    case bitOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case equal = "=="
    case unequal = "~="
    case lessEqual = "<="
    case greaterEqual = ">="
    case less = "<"
    case greater = ">"
    case assign = "="
    case open = "("
    case close = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case doubleColon = "::"
    case semicolon = ";"
    case colon = ":"
    case comma = ","
    case dot = "."
    case concat = ".."
    case dots = "..."
  }
}
