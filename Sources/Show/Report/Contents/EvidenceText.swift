/// The texts of evidence in pieces: sentences that stand in many events, and what is told once.
enum EvidenceText {
  /// The pieces put together are the text.
  static func pieces(_ text: String) -> [(piece: String, isShared: Bool)] {
    let bytes = Array(text.utf8)
    var pieces: [(String, Bool)] = []
    var start = 0
    var at = 0
    func take(_ end: Int, isShared: Bool) {
      guard end > start else { return }
      pieces.append((String(decoding: bytes[start..<end], as: UTF8.self), isShared))
      start = end
    }
    while at < bytes.count {
      let length = ownLength(bytes, at)
      if length > 0 {
        take(at, isShared: true)
        take(at + length, isShared: false)
        at += length
      } else {
        at += 1
        if bytes[at - 1] == UInt8(ascii: ";") { take(at, isShared: true) }
      }
    }
    take(bytes.count, isShared: true)
    return pieces
  }

  /// Bytes of a time (`10:05:51.118`) or of an event's id that stand here; 0: neither.
  private static func ownLength(_ bytes: [UInt8], _ at: Int) -> Int {
    if matches(bytes, at, "00:00:00.000") { return 12 }
    let startsWord = at == 0 || !isHex(bytes[at - 1])
    let end = at + 16
    guard startsWord, end <= bytes.count, bytes[at..<end].allSatisfy({ isHex($0) }),
      end == bytes.count || !isHex(bytes[end])
    else { return 0 }
    return 16
  }

  /// - Parameter form: a 0 stands for any digit.
  private static func matches(_ bytes: [UInt8], _ at: Int, _ form: StaticString) -> Bool {
    guard at + form.utf8CodeUnitCount <= bytes.count else { return false }
    return zip(form.description.utf8, bytes[at...]).allSatisfy { wanted, byte in
      wanted == UInt8(ascii: "0") ? (48...57).contains(byte) : byte == wanted
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }
}
