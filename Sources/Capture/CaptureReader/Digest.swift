/// SHA-256 of something small that is in memory as a whole.
public enum Digest {
  /// Lower-case hexadecimal, 64 digits.
  public static func sha256(_ bytes: [UInt8]) -> String {
    let digest = RunningDigest()
    digest.update(bytes)
    return digest.finish()
  }
}

/// SHA-256 of what comes piece by piece.
public final class RunningDigest {
  private let hash = StreamHash()

  public init() {}

  public func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
  }

  /// Lower-case hexadecimal, 64 digits; call once, at the end.
  public func finish() -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finish() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// SHA-256 of a file as it is stored.
public enum FileDigest {
  /// Lower-case hexadecimal; nil where it cannot be read.
  /// - Parameter most: of so many bytes at its beginning alone; a megabyte at most.
  public static func sha256(_ path: String, first most: Int? = nil) -> String? {
    guard let input = try? FileInput.open(path: path), !input.isStream else { return nil }
    let digest = RunningDigest()
    var piece = [UInt8](repeating: 0, count: min(most ?? .max, 1 << 20))
    while true {
      guard let count = try? RawInput.read(input, into: &piece) else { return nil }
      if count == 0 { return digest.finish() }
      digest.update(count == piece.count ? piece : Array(piece[..<count]))
      if most != nil { return digest.finish() }
    }
  }
}
