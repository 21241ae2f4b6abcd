import Beacons
package import Pseudonyms

/// Who is who: CSV with `kind,original,pseudonym,of`, the last one what a number is part of.
package enum SharedTable {
  package static func write(_ entries: [Pseudonyms.Entry], to output: inout any TextOutput) throws {
    var text = ByteText()
    text.text("kind,original,pseudonym,of\r\n")
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
