import CaptureReader

/// AD types (Bluetooth assigned numbers; PROTOCOLS.md 4).
package struct ADType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let flags = ADType(rawValue: 0x01)
  package static let incompleteServices16 = ADType(rawValue: 0x02)
  package static let completeServices16 = ADType(rawValue: 0x03)
  package static let shortName = ADType(rawValue: 0x08)
  package static let completeName = ADType(rawValue: 0x09)
  package static let serviceData16 = ADType(rawValue: 0x16)
  package static let manufacturerData = ADType(rawValue: 0xFF)
}

/// Walks advertising data: u8 length (type included), u8 type, data; again and again.
package struct ADWalker: Sendable {
  package private(set) var warnings: FrameWarnings = []
  private var at = 0

  /// Type of the structure found last, and where its data lie.
  package private(set) var type: UInt8 = 0
  package private(set) var start = 0
  package private(set) var count = 0

  @inlinable package init() { self.init(at: 0) }
  @usableFromInline init(at: Int) { self.at = at }

  /// Steps to the next structure; false at the end. A structure that runs past the end is dropped
  /// with all behind it; a length of zero ends the data.
  @inline(__always)
  package mutating func next(_ bytes: RawSpan) -> Bool {
    guard at < bytes.byteCount else { return false }
    let length = Int(bytes.u8(at))
    if length == 0 {
      for index in at..<bytes.byteCount where bytes.u8(index) != 0 {
        warnings.insert(.dataAfterTerminator)
        break
      }
      return false
    }
    guard at + 1 + length <= bytes.byteCount else {
      warnings.insert(.adOverrun)
      return false
    }
    type = bytes.u8(at + 1)
    start = at + 2
    count = length - 1
    at += 1 + length
    return true
  }
}
