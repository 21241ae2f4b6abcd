/// Numbers out of bytes.
///
/// `RawSpan` checks the bounds of every load; what is «unsafe» about it is only that any bit pattern
/// would be taken for the type asked for. For integers every bit pattern is a value, so the word
/// stands here once and nowhere on the way of a frame.
extension RawSpan {
  @inlinable @inline(__always)
  public func u8(_ at: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: at, as: UInt8.self) }

  @inlinable @inline(__always)
  public func i8(_ at: Int) -> Int8 { unsafe unsafeLoad(fromByteOffset: at, as: Int8.self) }

  @inlinable @inline(__always)
  public func le16(_ at: Int) -> UInt16 {
    UInt16(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self))
  }

  @inlinable @inline(__always)
  public func be16(_ at: Int) -> UInt16 {
    UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self))
  }

  @inlinable @inline(__always)
  public func le32(_ at: Int) -> UInt32 {
    UInt32(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self))
  }

  @inlinable @inline(__always)
  public func be32(_ at: Int) -> UInt32 {
    UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self))
  }

  @inlinable @inline(__always)
  public func le64(_ at: Int) -> UInt64 {
    UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  @inlinable @inline(__always)
  public func be64(_ at: Int) -> UInt64 {
    UInt64(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  /// Three bytes, least significant first (the link layer's CRC and AuxPtr).
  @inlinable @inline(__always)
  public func le24(_ at: Int) -> UInt32 { UInt32(le16(at)) | UInt32(u8(at + 2)) << 16 }

  /// Six bytes, least significant first: a device address as it travels.
  @inlinable @inline(__always)
  public func le48(_ at: Int) -> UInt64 { UInt64(le32(at)) | UInt64(le16(at + 4)) << 32 }

  @inlinable @inline(__always)
  public func u16(_ at: Int, bigEndian: Bool) -> UInt16 { bigEndian ? be16(at) : le16(at) }

  @inlinable @inline(__always)
  public func u32(_ at: Int, bigEndian: Bool) -> UInt32 { bigEndian ? be32(at) : le32(at) }

  @inlinable @inline(__always)
  public func u64(_ at: Int, bigEndian: Bool) -> UInt64 { bigEndian ? be64(at) : le64(at) }
}

extension RawSpan {
  /// The bytes as an array, for the few places that keep them.
  public func array() -> [UInt8] {
    var result: [UInt8] = []
    result.append(copying: self)
    return result
  }

  /// Whether `pattern` stands at `at`; false where it would run past the end.
  public func matches(_ pattern: [UInt8], at: Int = 0) -> Bool {
    guard at + pattern.count <= byteCount else { return false }
    for index in 0..<pattern.count where u8(at + index) != pattern[index] { return false }
    return true
  }
}

extension Array<UInt8> {
  /// Appends them at once.
  public mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// The array's bytes as a span. (Marked unsafe in the standard library for the sake of element
  /// types with padding; bytes have none.)
  public func withRawSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try unsafe body(span.bytes)
  }
}
