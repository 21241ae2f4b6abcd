import FoundationEssentials

/// Files in which the kernel says of itself what sockets do not tell.
package struct SystemTree: Sendable {
  private let root: String

  /// - Parameter root: other than `/` for a copy.
  package init(root: String = "/") { self.root = root.hasSuffix("/") ? root : root + "/" }

  /// A file's text without blanks around it; nil where it cannot be read.
  func text(_ path: String) -> String? {
    guard let bytes = FileManager.default.contents(atPath: root + path) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace }
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Names in a folder, sorted; none where there is no such folder.
  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + path) }

  func target(ofLink path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: root + path)
  }

  /// The processes of a program, by number.
  package func processes(named name: String) -> [Int] {
    names("proc").compactMap { Int($0) }.filter { text("proc/\($0)/comm") == name }.sorted()
  }
}
