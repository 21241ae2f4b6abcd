public import CaptureReader

/// AD types (Bluetooth assigned numbers; PROTOCOLS.md 4).
public struct ADType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: ADType, b: ADType) -> Bool { a.rawValue == b.rawValue }
  public static var incompleteServices16: ADType { @inlinable get { ADType(rawValue: 0x02) } }
  public static var completeServices16: ADType { @inlinable get { ADType(rawValue: 0x03) } }
  public static var shortenedName: ADType { @inlinable get { ADType(rawValue: 0x08) } }
  public static var completeName: ADType { @inlinable get { ADType(rawValue: 0x09) } }
  public static var serviceData16: ADType { @inlinable get { ADType(rawValue: 0x16) } }
  public static var manufacturerData: ADType { @inlinable get { ADType(rawValue: 0xFF) } }
}

/// Walks advertising data: u8 length (type included), u8 type, data; again and again.
public struct ADWalker: Sendable {
  public var warnings = FrameWarnings.none
  @usableFromInline var at = 0

  /// Type of the structure found last, and where its data lie.
  public var type: UInt8 = 0
  public var start = 0
  public var count = 0

  @inlinable public init() {}

  /// Steps to the next structure; false at the end. A structure that runs past the end is dropped
  /// with all behind it; a length of zero ends the data.
  @inlinable @inline(__always)
  public mutating func next(_ bytes: RawSpan) -> Bool {
    guard at < bytes.byteCount else { return false }
    let length = Int(bytes.u8(at))
    if length == 0 || at + 1 + length > bytes.byteCount {
      end(bytes, length: length)
      return false
    }
    type = bytes.u8(at + 1)
    start = at + 2
    count = length - 1
    at += 1 + length
    return true
  }

  @usableFromInline
  mutating func end(_ bytes: RawSpan, length: Int) {
    guard length == 0 else { return warnings.formUnion(.adOverrun) }
    for index in at..<bytes.byteCount where bytes.u8(index) != 0 {
      return warnings.formUnion(.dataAfterTerminator)
    }
  }
}
