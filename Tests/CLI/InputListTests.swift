import Foundation
import TestSupport
import Testing

/// A file is read once, however often and by whatever names it is given; many are read together.
@Suite(.timeLimit(.minutes(60)))
struct InputListTests {
  /// `site/a.btsnoop`, and the same file by a symbolic and by a hard link.
  static func scene() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("site/a.btsnoop", try Captures.read(Captures.h4))
    let file = scratch.folder.appending(path: "site/a.btsnoop")
    try FileManager.default.createSymbolicLink(
      at: scratch.folder.appending(path: "soft"), withDestinationURL: file)
    try FileManager.default.linkItem(at: file, to: scratch.folder.appending(path: "hard"))
    return scratch
  }

  static let first = "site/a.btsnoop"

  @Test(arguments: [
    ([first, first], "site/a.btsnoop is named twice; read once.\n"),
    ([first, first, first], "site/a.btsnoop is named twice; read once.\n"),
    (["site", first], "site/a.btsnoop is named twice; read once.\n"),
    ([first, "site"], "site/a.btsnoop is named twice; read once.\n"),
    ([first, "./" + first], "./site/a.btsnoop is the same file as site/a.btsnoop; read once.\n"),
    ([first, "soft"], "soft is the same file as site/a.btsnoop; read once.\n"),
    ([first, "hard"], "hard is the same file as site/a.btsnoop; read once.\n"),
    (["site"], ""), (["soft"], ""),
  ])
  func readOnce(_ words: [String], _ says: String) throws {
    let scratch = try Self.scene()
    let run = try Tool.run(["info"] + words, in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.errors == says)
    #expect(run.lines.count { $0.hasPrefix("  sha256") } == 1)
    #expect(run.lines.first == words.first.map { $0 == "site" ? Self.first : $0 })
    let quiet = try Tool.run(["info", "-q"] + words, in: scratch.folder)
    #expect(quiet.bytes == run.bytes)
    #expect(quiet.errors.isEmpty)
  }

  @Test("a whole folder that is named twice is told once") func folderNamedTwice() throws {
    let scratch = try Self.scene()
    for name in ["b", "c"] {
      try scratch.write("site/\(name).btsnoop", try Captures.read(Captures.h4))
    }
    let once = try Tool.run(["info", "site"], in: scratch.folder)
    for words in [["site", "site"], ["site", "site", "site"], ["site", "site/../site", "site"]] {
      let run = try Tool.run(["info"] + words, in: scratch.folder)
      #expect(run.status == 0)
      let told = Set(words).sorted { $0.count > $1.count }.filter { $0 != "site" } + ["site"]
      #expect(
        run.errors
          == told.map { "\($0): 3 captures in it are named twice; each read once.\n" }.joined())
      #expect(run.bytes == once.bytes)
    }
    let both = try Tool.run(
      ["info", "site/a.btsnoop", "site/b.btsnoop", "site"], in: scratch.folder)
    #expect(both.errors == "site: 2 captures in it are named twice; each read once.\n")
  }

  /// The same bytes in two files are two captures.
  @Test func copiesAreRead() throws {
    let scratch = try Self.scene()
    try scratch.write("copy", try Captures.read(Captures.h4))
    let run = try Tool.run("info", Self.first, "copy", in: scratch.folder)
    #expect(run.errors.isEmpty)
    #expect(run.lines.count { $0.hasPrefix("  sha256") } == 2)
  }

  /// What cannot be looked into is told; what can be is read.
  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func aFolderThatIsClosedHidesNoOther() throws {
    let scratch = try Self.scene()
    try scratch.write("site/closed/b.btsnoop", try Captures.read(Captures.h4))
    let closed = scratch.folder.appending(path: "site/closed").path(percentEncoded: false)
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
    let run = try Tool.run("info", "site", in: scratch.folder)
    #expect(run.status == 66, "\(run.errors)")
    #expect(run.errors.contains("site/closed: this folder cannot be read. Check its permissions."))
    #expect(run.lines.first == Self.first)
  }

  // MARK: Many at once

  /// Copies that overlap, and so are open together.
  static func copies() throws -> Scratch {
    let scratch = try Scratch()
    for number in 1...40 { try scratch.write("copy\(number)", try Captures.read(Captures.h4)) }
    return scratch
  }

  @Test func asManyFilesAsMayBeHad() throws {
    let scratch = try Self.copies()
    let run = try Tool.shell("ulimit -Sn 20; \"$TOOL\" info copy*", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.count { $0.hasPrefix("  sha256") } == 40)
  }

  @Test func moreFilesThanMayBeOpen() throws {
    let scratch = try Self.copies()
    let run = try Tool.shell("ulimit -n 20; \"$TOOL\" info copy*", in: scratch.folder)
    #expect(run.status == 66)
    let read = run.lines.count { $0.hasPrefix("  sha256") }
    #expect(read > 5)
    #expect(run.complaints.count == 40 - read)
    let says = ": cannot be opened: too many open files."
    let advice = " Name fewer captures at once, or allow more open files (ulimit -n)."
    // What to do is said once.
    #expect(run.complaints.first?.hasSuffix(says + advice) == true, "\(run.errors)")
    #expect(run.complaints.dropFirst().allSatisfy { $0.hasSuffix(says) }, "\(run.errors)")
  }
}
