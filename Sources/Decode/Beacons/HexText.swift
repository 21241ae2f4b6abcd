/// Bytes as text: hexadecimal digits, lower case.
public enum HexText {
  public static let digits = Array("0123456789abcdef".utf8)

  public static func string(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Text from the air: whatever is no printable ASCII character, blanks and `%` stand as `%XX`, so
  /// that nothing is lost and no two come to the same.
  public static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "%"))
        text.append(contentsOf: string([byte]).uppercased().utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The same of what people write, who may have it as it was on the air or as it is shown here.
  public static func escaped(written text: String) -> String {
    isEscaped(Array(text.utf8)) ? text : escaped(text.utf8)
  }

  private static func isEscaped(_ text: [UInt8]) -> Bool {
    let upper = Set("0123456789ABCDEF".utf8)
    return text.indices.allSatisfy { place in
      guard text[place] == UInt8(ascii: "%") else {
        return text[place] > 0x20 && text[place] < 0x7F
      }
      return place + 2 < text.count && upper.contains(text[place + 1])
        && upper.contains(text[place + 2])
    }
  }

  /// 8-4-4-4-12.
  public static func uuid(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
