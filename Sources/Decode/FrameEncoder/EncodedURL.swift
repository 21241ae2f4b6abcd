/// Eddystone's short form of URLs (PROTOCOLS 5.3).
package enum EncodedURL {
  private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
  private static let endings = [
    ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net",
    ".info", ".biz", ".gov",
  ]

  /// Scheme and the rest, 2 to 18 bytes; nil where that cannot be.
  package static func bytes(_ url: String) -> [UInt8]? {
    guard let scheme = schemes.firstIndex(where: { url.hasPrefix($0) }) else { return nil }
    var rest = url.dropFirst(schemes[scheme].count)
    var bytes = [UInt8(scheme)]
    while let first = rest.first {
      if let code = endings.firstIndex(where: { rest.hasPrefix($0) }) {
        bytes.append(UInt8(code))
        rest = rest.dropFirst(endings[code].count)
        continue
      }
      guard let byte = first.asciiValue, (0x21...0x7E).contains(byte) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst()
    }
    return (2...18).contains(bytes.count) ? bytes : nil
  }
}
