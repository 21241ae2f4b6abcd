/// JSON as it was read; integers are those that are written without a fraction and exponent.
enum StateJSON: Equatable {
  case null
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case bytes([UInt8])
  case list([StateJSON])
  /// By name; no name comes twice.
  case object([String: StateJSON])

  static func text(_ text: String) -> StateJSON { .bytes(Array(text.utf8)) }

  /// Of an object; none of anything else.
  var fields: [String: StateJSON] {
    if case .object(let fields) = self { fields } else { [:] }
  }

  /// The value of Lua that `StateText` wrote so.
  var value: LuaValue {
    get throws(LuaMessage) {
      switch self {
      case .flag(let flag): return .flag(flag)
      case .integer(let integer): return .integer(integer)
      case .number(let number): return .number(number)
      case .bytes(let bytes): return .bytes(bytes)
      case .list(let list):
        var values: [LuaValue] = []
        for item in list { values.append(try item.value) }
        return .table(LuaTable(list: values))
      case .object(let fields):
        guard fields.count == 1, let (name, inner) = fields.first else { throw Self.foreign }
        return try Self.special(name, inner)
      case .null: throw Self.foreign
      }
    }
  }

  private static let foreign = LuaMessage("the saved state is damaged: a value of no known form")

  private static func special(_ name: String, _ inner: StateJSON) throws(LuaMessage) -> LuaValue {
    switch (name, inner) {
    case ("bits", .bytes(let digits)):
      guard digits.count == 16,
        let bits = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw foreign }
      return .number(Double(bitPattern: bits))
    case ("hex", .bytes(let digits)):
      guard digits.count.isMultiple(of: 2) else { throw foreign }
      var bytes: [UInt8] = []
      for place in stride(from: 0, to: digits.count, by: 2) {
        guard let high = StateReader.hexValue(digits[place]),
          let low = StateReader.hexValue(digits[place + 1])
        else { throw foreign }
        bytes.append(UInt8(high << 4 | low))
      }
      return .bytes(bytes)
    case ("pairs", .list(let pairs)):
      var table = LuaTable()
      for pair in pairs {
        guard case .list(let two) = pair, two.count == 2 else { throw foreign }
        table.append(try two[0].value, try two[1].value)
      }
      return .table(table)
    default: throw foreign
    }
  }
}
