import Beacons
package import Pseudonyms

/// Who is who: CSV with `kind,original,pseudonym,of`, the last one what a number is part of.
package enum SharedTable {
  package static func write(_ entries: [Pseudonyms.Entry], to output: inout any TextOutput) throws {
    var text = "kind,original,pseudonym,of\n"
    for entry in entries {
      let parts = [
        entry.kind.rawValue, Self.text(entry.kind, entry.original),
        Self.text(entry.kind, entry.pseudonym),
        entry.within.isEmpty
          ? "" : Self.text(entry.kind == .instance ? .namespace : .uuid, entry.within),
      ]
      text += parts.map(quoted).joined(separator: ",") + "\n"
    }
    try output.write(Array(text.utf8))
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

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
