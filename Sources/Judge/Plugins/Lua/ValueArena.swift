import CLuaGuard

/// Memory of values on their way into Lua: they are copied there before it is used again.
@safe final class ValueArena {
  // Owns what it allocated until `removeAll` or its end.
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  deinit { removeAll() }

  func removeAll() {
    while let block = unsafe blocks.popLast() { unsafe block.deallocate() }
  }

  /// The value as C has it; good until `removeAll`.
  func value(_ value: LuaValue) -> guard_value {
    var made = unsafe guard_value()
    switch value {
    case .none, .sighting: unsafe made.kind = GUARD_NIL
    case .flag(let flag):
      unsafe made.kind = GUARD_BOOLEAN
      unsafe made.boolean = flag
    case .integer(let integer):
      unsafe made.kind = GUARD_INTEGER
      unsafe made.integer = integer
    case .number(let number):
      unsafe made.kind = GUARD_NUMBER
      unsafe made.number = number
    case .bytes(let bytes):
      unsafe made.kind = GUARD_STRING_VALUE
      unsafe made.string.bytes = UnsafePointer(copy(bytes))
      unsafe made.string.count = bytes.count
    case .table(let table):
      unsafe made.kind = GUARD_TABLE
      unsafe made.table.pairs = UnsafePointer(pairs(table))
      unsafe made.table.count = table.pairs.count
    case .function(let function):
      unsafe made.kind = GUARD_FUNCTION
      unsafe made.function = function.number
    }
    return unsafe made
  }

  /// Several values one behind the other.
  func values(_ values: [LuaValue]) -> UnsafePointer<guard_value> {
    let place = unsafe block(of: guard_value.self, values.count)
    for (index, item) in values.enumerated() {
      unsafe (place + index).initialize(to: value(item))
    }
    return unsafe UnsafePointer(place)
  }

  private func pairs(_ table: LuaTable) -> UnsafeMutablePointer<guard_pair> {
    let place = unsafe block(of: guard_pair.self, table.pairs.count)
    for (index, pair) in table.pairs.enumerated() {
      unsafe (place + index).initialize(
        to: guard_pair(key: value(pair.key), value: value(pair.value)))
    }
    return unsafe place
  }

  private func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
    let place = unsafe block(of: CChar.self, bytes.count)
    for (index, byte) in bytes.enumerated() {
      unsafe (place + index).initialize(to: CChar(bitPattern: byte))
    }
    return unsafe place
  }

  private func block<T>(of type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    let place = UnsafeMutablePointer<T>.allocate(capacity: max(count, 1))
    unsafe blocks.append(UnsafeMutableRawPointer(place))
    return unsafe place
  }
}

extension LuaValue {
  /// What C handed over, copied.
  @unsafe init(_ value: guard_value) {
    switch unsafe value.kind {
    case GUARD_BOOLEAN: self = unsafe .flag(value.boolean)
    case GUARD_INTEGER: self = unsafe .integer(value.integer)
    case GUARD_NUMBER: self = unsafe .number(value.number)
    case GUARD_STRING_VALUE:
      self = unsafe .bytes(LuaValue.bytes(value.string.bytes, value.string.count))
    case GUARD_TABLE:
      var table = LuaTable()
      for index in unsafe 0..<value.table.count {
        guard let pair = unsafe value.table.pairs?[index] else { break }
        unsafe table.append(LuaValue(pair.key), LuaValue(pair.value))
      }
      self = .table(table)
    case GUARD_FUNCTION: self = unsafe .function(LuaFunction(number: value.function))
    case GUARD_SIGHTING: self = .sighting
    default: self = .none
    }
  }

  @unsafe static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> [UInt8] {
    guard let start = unsafe start else { return [] }
    return (0..<count).map { unsafe UInt8(bitPattern: start[$0]) }
  }
}
