import CaptureReader
package import TrackReader

/// A plugin as it lies on disk.
package struct PluginFile: Sendable {
  /// As the user named it.
  package let path: String
  /// The file's name without `.lua`: what options and alerts call it.
  package let name: String
  package let text: [UInt8]
  /// Lower-case hexadecimal.
  package let sha256: String
  /// Modules beside it are looked for here.
  package let folder: String

  /// - Throws: where it cannot be read, or has no name that options could use.
  package static func read(_ path: String) throws(TextProblem) -> PluginFile {
    try PluginFile(path: path, text: TextFile.read(path))
  }

  /// - Parameter ending: what its name goes without.
  package init(path: String, text: [UInt8], ending: String = ".lua") throws(TextProblem) {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let name = file.hasSuffix(ending) ? String(file.dropLast(ending.count)) : String(file)
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else {
      throw TextProblem(
        .badSetting, file: path,
        "'\(name)' cannot be a plugin's name; use letters, digits, - and _ before \(ending)")
    }
    self.path = path
    self.name = name
    self.text = text
    sha256 = Digest.sha256(text)
    folder = path.hasSuffix("/") ? path : String(path.dropLast(file.count))
  }

  static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
