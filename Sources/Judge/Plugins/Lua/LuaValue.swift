/// A value on its way between Lua and Swift.
enum LuaValue: Equatable, Sendable {
  case none
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  /// A string: Lua's are bytes.
  case bytes([UInt8])
  case table(LuaTable)
  /// Kept by the state that it came from.
  case function(LuaFunction)
  /// The sighting that is being handled.
  case sighting

  static func text(_ text: String) -> LuaValue { .bytes(Array(text.utf8)) }

  /// The string as text; bytes that are no UTF-8 replaced. Nil for anything else.
  var text: String? {
    if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// An integer, or a number without a fraction.
  var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  var isNone: Bool { self == .none }

  /// As a message shows it: a string in quotes, shortened.
  var shown: String {
    switch self {
    case .none: "nil"
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .bytes(let bytes): "'\(String(decoding: bytes.prefix(60), as: UTF8.self))'"
    case .table: "a table"
    case .function: "a function"
    case .sighting: "a sighting"
    }
  }
}

/// A table: a tree, its pairs in a fixed order: 1, 2, 3… first, then the other keys.
struct LuaTable: Equatable, Sendable {
  private(set) var pairs: [(key: LuaValue, value: LuaValue)] = []

  init() {}

  init(list: [LuaValue]) {
    pairs = list.enumerated().map { (.integer(Int64($0 + 1)), $1) }
  }

  static func == (a: LuaTable, b: LuaTable) -> Bool {
    a.pairs.count == b.pairs.count
      && zip(a.pairs, b.pairs).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }

  mutating func append(_ key: LuaValue, _ value: LuaValue) { pairs.append((key, value)) }

  /// Sets a field behind the others; nil values are not set.
  mutating func set(_ name: String, _ value: LuaValue?) {
    if let value, !value.isNone { pairs.append((.text(name), value)) }
  }

  subscript(name: String) -> LuaValue {
    let key = LuaValue.text(name)
    return pairs.first { $0.key == key }?.value ?? .none
  }

  /// Names of the fields whose keys are strings, in their order.
  var names: [String] { pairs.compactMap(\.key.text) }

  /// The values at whole numbers from 1 on, in the order of those; there may be holes between them.
  var items: [LuaValue] {
    let numbered = pairs.compactMap { key, value -> (number: Int64, value: LuaValue)? in
      guard case .integer(let number) = key, number > 0 else { return nil }
      return (number, value)
    }
    return numbered.sorted { $0.number < $1.number }.map(\.value)
  }

  /// The values at 1, 2, 3… .
  var list: [LuaValue] {
    var list: [LuaValue] = []
    for pair in pairs {
      guard case .integer(Int64(list.count + 1)) = pair.key else { break }
      list.append(pair.value)
    }
    return list
  }
}

/// A function of a plugin's: its number in the state.
struct LuaFunction: Equatable, Sendable {
  let number: Int32
}

/// An error to be raised in Lua, at the line that called.
struct LuaMessage: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
