/// SHA-256 of something small that is in memory as a whole.
public enum Digest {
  /// Lower-case hexadecimal, 64 digits.
  public static func sha256(_ bytes: [UInt8]) -> String {
    let hash = StreamHash()
    unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finish() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
