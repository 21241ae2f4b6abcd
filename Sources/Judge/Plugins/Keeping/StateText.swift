/// Values of Lua as JSON, with nothing lost. Tables go in one order, whatever was set first.
///
/// | value | written |
/// |---|---|
/// | integer | digits |
/// | number | with `.` or `e`; what is not finite `{"bits":"7ff0000000000000"}` |
/// | string | a string; what is no UTF-8 `{"hex":"…"}` |
/// | table of 1, 2, 3… alone | a list |
/// | any other | `{"pairs":[[key,value],…]}` |
struct StateText {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: String) { bytes += text.utf8 }

  mutating func write(_ value: LuaValue) {
    switch value {
    case .flag(let flag): write(flag ? "true" : "false")
    case .integer(let integer): write("\(integer)")
    case .number(let number) where number.isFinite: write("\(number)")
    case .number(let number):
      let digits = String(number.bitPattern, radix: 16)
      write("{\"bits\":\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\"}")
    case .bytes(let bytes): write(bytes)
    case .table(let table): write(table)
    // No data: `StateKeeping` leaves them out.
    case .none, .function, .sighting: write("null")
    }
  }

  private mutating func write(_ table: LuaTable) {
    let pairs = table.pairs.sorted { Self.isBefore($0.key, $1.key) }
    let isList = pairs.enumerated().allSatisfy { $1.key == .integer(Int64($0 + 1)) }
    write(isList ? "[" : "{\"pairs\":[")
    for (place, pair) in pairs.enumerated() {
      if place > 0 { write(",") }
      if !isList {
        write("[")
        write(pair.key)
        write(",")
      }
      write(pair.value)
      if !isList { write("]") }
    }
    write(isList ? "]" : "]}")
  }

  /// Numbers by size, then strings by their bytes, then false and true.
  private static func isBefore(_ a: LuaValue, _ b: LuaValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.bytes(let a), .bytes(let b)): return a.lexicographicallyPrecedes(b)
    case (.flag(let a), .flag(let b)): return !a && b
    default:
      guard let x = a.number, let y = b.number else { return rank(a) < rank(b) }
      if x == y, case .integer = a { return true }
      return x < y
    }
  }

  private static func rank(_ key: LuaValue) -> Int {
    switch key {
    case .integer, .number: 0
    case .bytes: 1
    default: 2
    }
  }

  private mutating func write(_ string: [UInt8]) {
    guard String(validating: string, as: UTF8.self) != nil else {
      write("{\"hex\":\"")
      for byte in string { bytes += [Self.digit(byte >> 4), Self.digit(byte & 15)] }
      return write("\"}")
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in string {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20, 0x7F:
        write("\\u00")
        bytes += [Self.digit(byte >> 4), Self.digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}
