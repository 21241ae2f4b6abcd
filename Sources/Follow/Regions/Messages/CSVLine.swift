/// A line of CSV (RFC 4180), in which no field goes on in the next line.
enum CSVLine {
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  /// Fields between commas, without the blanks around them; in quotes anything may stand, and two
  /// quotes for one. Nil where a quoted field has no end, or something behind it.
  static func fields(_ line: ArraySlice<UInt8>) -> [String]? {
    var fields: [String] = []
    var rest = line
    while true {
      skipBlanks(&rest)
      guard let field = rest.first == quote ? quoted(&rest) : plain(&rest) else { return nil }
      fields.append(String(decoding: field, as: UTF8.self))
      skipBlanks(&rest)
      guard let next = rest.popFirst() else { return fields }
      guard next == comma else { return nil }
    }
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  private static func plain(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var field = Array(rest.prefix { $0 != comma })
    rest = rest.dropFirst(field.count)
    while field.last == 0x20 || field.last == 0x09 { field.removeLast() }
    return field
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    rest = rest.dropFirst()
    var field: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte != quote {
        field.append(byte)
      } else if rest.first == quote {
        field.append(quote)
        rest = rest.dropFirst()
      } else {
        return field
      }
    }
    return nil
  }
}
