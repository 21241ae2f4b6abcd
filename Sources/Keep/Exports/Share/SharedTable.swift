import Beacons
import Regions
package import Pseudonyms

/// Who is who: CSV with `kind,original,pseudonym,of`, the last one what a number is part of.
package enum SharedTable {
  private static let header = "kind,original,pseudonym,of"

  /// Whether a file is a table of this kind that was made with a secret, or one without a row.
  /// - Parameter head: what it begins with; its last line may be cut.
  package static func isOwn(_ head: [UInt8], secret: [UInt8]) -> Bool {
    let names = Pseudonyms(secret: secret)
    let lines = String(decoding: head, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false).dropLast()
    guard lines.first == header[...] else { return false }
    var isKnown = lines.count == 1
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count >= 3, let kind = Pseudonyms.Kind(rawValue: String(cells[0])) else {
        return false
      }
      guard let own = pseudonym(kind, String(cells[1]), names) else { continue }
      guard own == cells[2] else { return false }
      isKnown = true
    }
    return isKnown
  }

  /// Of what is written as hexadecimal digits and is part of nothing else; nil of others.
  private static func pseudonym(
    _ kind: Pseudonyms.Kind, _ original: String, _ names: Pseudonyms
  ) -> String? {
    let sizes: [Pseudonyms.Kind: Int] = [.address: 6, .uuid: 16, .namespace: 10, .identifier: 8]
    let digits = original.filter { $0 != ":" && $0 != "-" }
    guard let size = sizes[kind], let bytes = SettingText.hex(digits, count: size) else {
      return nil
    }
    switch kind {
    case .address: return text(kind, names.address(bytes))
    case .uuid: return text(kind, names.uuid(bytes))
    case .namespace: return text(kind, names.namespace(bytes))
    default: return text(kind, names.identifier(bytes))
    }
  }

  package static func write(_ entries: [Pseudonyms.Entry], to output: inout any TextOutput) throws {
    var text = ByteText()
    text.text(of: header + "\r\n")
    for entry in entries {
      let parts = [
        entry.kind.rawValue, Self.text(entry.kind, entry.original),
        Self.text(entry.kind, entry.pseudonym),
        entry.within.isEmpty
          ? "" : Self.text(entry.kind == .instance ? .namespace : .uuid, entry.within),
      ]
      for (place, part) in parts.enumerated() {
        if place > 0 { text.text(",") }
        text.csv(part)
      }
      text.text("\r\n")
    }
    try text.flush(to: &output)
  }

  /// As other output has it.
  private static func text(_ kind: Pseudonyms.Kind, _ bytes: [UInt8]) -> String {
    switch kind {
    case .address: bytes.map { HexText.string([$0]) }.joined(separator: ":")
    case .uuid: HexText.uuid(bytes)
    case .major, .minor: String(bytes.reduce(0) { $0 << 8 | Int($1) })
    case .namespace, .instance, .identifier, .payload: HexText.string(bytes)
    // As it was on the air, without a scheme: codes stand as %XX.
    case .url, .name: HexText.escaped(bytes)
    }
  }
}
