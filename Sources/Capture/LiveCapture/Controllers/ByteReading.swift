/// Little-endian numbers out of the kernel's messages; nil past the end.
extension [UInt8] {
  func byte(at place: Int) -> UInt8? { place >= 0 && place < count ? self[place] : nil }

  func word(at place: Int) -> UInt16? {
    guard let low = byte(at: place), let high = byte(at: place + 1) else { return nil }
    return UInt16(low) | UInt16(high) << 8
  }

  func long(at place: Int) -> UInt32? {
    guard let low = word(at: place), let high = word(at: place + 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  func bytes(at place: Int, count length: Int) -> [UInt8]? {
    guard place >= 0, length >= 0, length <= count - place else { return nil }
    return Array(self[place..<place + length])
  }

  /// Up to the first zero; what is not UTF-8 is replaced.
  func text(at place: Int, count length: Int) -> String? {
    bytes(at: place, count: length).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Six bytes, the last first.
  func address(at place: Int) -> String? {
    bytes(at: place, count: 6).map { bytes in
      bytes.reversed().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        .joined(separator: ":")
    }
  }
}
