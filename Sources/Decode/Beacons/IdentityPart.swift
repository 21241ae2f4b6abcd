/// A part of an identity, and how it is written.
public struct IdentityPart: Sendable {
  public enum Form: Sendable {
    /// 16 bytes as 8-4-4-4-12 hexadecimal digits.
    case uuid
    case hex
    /// Two bytes, big-endian.
    case number
    /// Hexadecimal, with colons between the bytes.
    case address
    /// Printable ASCII with zeros behind it.
    case padded
    /// In words of the format's own: its `identityText`.
    case text
    /// What stands before the first colon.
    case name
  }

  /// As output names it.
  public let name: StaticString
  /// As sentences call it.
  public let word: String
  public let form: Form
  /// Which of the identity's bytes; without a meaning for `text` and `name`.
  public let bytes: Range<Int>

  init(_ name: StaticString, _ form: Form, _ bytes: Range<Int>, word: String? = nil) {
    self.name = name
    self.word = word ?? "\(name)"
    self.form = form
    self.bytes = bytes
  }

  /// Whether it lies at the same place in every identity.
  var isFixed: Bool { form != .text && form != .name }

  /// Which of the identity's bytes it is made of, whatever its form.
  /// - Parameter identity: all bytes of it.
  public func range(_ identity: [UInt8]) -> Range<Int> {
    switch form {
    case .text: identity.indices
    case .name: 0..<(identity.firstIndex(of: UInt8(ascii: ":")) ?? identity.count)
    case .uuid, .hex, .number, .address, .padded: bytes
    }
  }

  /// - Parameter identity: all bytes of it, or the first ones up to this part's.
  func number(_ identity: [UInt8]) -> Int { Self.number(identity[bytes]) }

  private static func number(_ own: ArraySlice<UInt8>) -> Int {
    own.reduce(0) { $0 << 8 | Int($1) }
  }

  /// - Parameter identity: all bytes of it, or the first ones up to this part's.
  func text(_ identity: [UInt8]) -> String {
    text(own: identity[form == .name ? range(identity) : bytes])
  }

  /// - Parameter own: the part's bytes.
  public func text(own: ArraySlice<UInt8>) -> String {
    switch form {
    case .uuid: HexText.uuid(own)
    case .number: String(Self.number(own))
    case .address: own.map { HexText.string([$0]) }.joined(separator: ":")
    case .name: HexText.escaped(own)
    case .padded: String(decoding: own.prefix { $0 != 0 }, as: UTF8.self)
    case .hex, .text: HexText.string(own)
    }
  }
}
