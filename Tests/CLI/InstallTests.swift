import Foundation
import Testing

/// `make install` and `make uninstall`, with what the tests have built already.
@Suite(.timeLimit(.minutes(60)))
struct InstallTests {
  static let root = Captures.folder.deletingLastPathComponent()

  /// Runs make without what a make above it has left in the environment.
  static func make(_ words: String, below folder: URL) throws -> Run {
    try Tool.shell(
      """
      unset MAKEFLAGS MAKELEVEL MFLAGS PREFIX
      umask 077
      make --silent -o parts BUILT="$(dirname "$TOOL")" STAGE='\(folder.path)/stage' \
        DESTDIR='\(folder.path)/tree' \(words)
      """, in: root)
  }

  static func files(below folder: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    return names.compactMap { $0 as? String }.filter {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.appending(path: $0).path)
      return attributes?[.type] as? FileAttributeType != .typeDirectory
    }.sorted()
  }

  @Test(arguments: ["", "PREFIX=/opt/beacontrace"])
  func whatIsInstalledRunsAndGoesAgain(_ words: String) throws {
    let scratch = try Scratch()
    let tree = scratch.folder.appending(path: "tree")
    let installed = try Self.make("install \(words)", below: scratch.folder)
    #expect(installed.status == 0, "\(installed.errors)")
    let prefix = words.isEmpty ? "usr/local" : "opt/beacontrace"
    let pages = ["", "-analyze", "-info", "-sightings"].map { "man/man1/beacontrace\($0).1" }
    let share =
      pages + [
        "bash-completion/completions/beacontrace", "doc/beacontrace/CASE.md",
        "doc/beacontrace/FORMATS.md", "doc/beacontrace/README.md", "doc/beacontrace/SYNTH.md",
        "doc/beacontrace/examples/beacontrace.service",
        "fish/vendor_completions.d/beacontrace.fish", "beacontrace/folders",
        "zsh/site-functions/_beacontrace",
      ]
    let expected = ["\(prefix)/bin/beacontrace"] + share.map { "\(prefix)/share/\($0)" }
    let files = Self.files(below: tree)
    // Pages of further commands may come in between.
    #expect(Set(expected).isSubset(of: files), "\(files)")
    let plugins = "\(prefix)/share/beacontrace/plugins/"
    #expect(files.contains(plugins + "low-battery.lua"))
    #expect(files.contains(plugins + "types/beacontrace.lua"))
    #expect(
      files.filter { !$0.contains("/man1/") && !$0.hasPrefix(plugins) }
        == expected.filter { !$0.contains("/man1/") }.sorted())
    try Self.everybodyMayRead(files, below: tree)
    let run = try Tool.shell("'\(tree.path)/\(prefix)/bin/beacontrace' info \(Captures.h4)")
    #expect(run.status == 0)
    #expect(run.bytes == (try Tool.run("info", Captures.h4).bytes))
    // It finds its plugins where they were put.
    let test = try Tool.shell("'\(tree.path)/\(prefix)/bin/beacontrace' plugin test low-battery")
    #expect(test.status == 0, "\(test.errors)")
    #expect(test.lines.first == "\(tree.path)/\(plugins)low-battery.test.lua")

    let removed = try Self.make("uninstall \(words)", below: scratch.folder)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(Self.files(below: tree) == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(tree.path)/\(prefix)")
    #expect(left == [], "folders that it made are gone, too")
    // What is not found by its name is called with its path.
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let path = folders.contains("/\(prefix)/bin") ? "" : "\(tree.path)/\(prefix)/bin/"
    #expect(
      installed.output.contains("Start with: \(path)beacontrace --help"), "\(installed.output)")
  }

  @Test func foldersOfOthersStay() throws {
    let scratch = try Scratch()
    let share = scratch.folder.appending(path: "tree/opt/share")
    let zsh = share.appending(path: "zsh/site-functions")
    try FileManager.default.createDirectory(at: zsh, withIntermediateDirectories: true)
    for _ in 0..<2 {
      #expect(try Self.make("install PREFIX=/opt", below: scratch.folder).status == 0)
    }
    #expect(try Self.make("uninstall PREFIX=/opt", below: scratch.folder).status == 0)
    let left = FileManager.default.enumerator(atPath: scratch.folder.appending(path: "tree").path)?
      .compactMap { $0 as? String }
    #expect(left == ["opt", "opt/share", "opt/share/zsh", "opt/share/zsh/site-functions"])
  }

  /// A folder that is named from here is not looked for in the stage.
  @Test func foldersOfOthersStayInARelativeTree() throws {
    let scratch = try Scratch()
    let place = Self.root.appending(path: ".ci/place").path(percentEncoded: false)
    let run = try Tool.shell(
      """
      set -e
      mkdir -p stage/share/zsh/site-functions stage/bin tree/opt/share/zsh/site-functions
      touch stage/share/zsh/site-functions/_beacontrace stage/bin/beacontrace
      sh '\(place)' stage tree/opt
      sh '\(place)' --remove tree/opt
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let left = FileManager.default.enumerator(atPath: scratch.folder.appending(path: "tree").path)?
      .compactMap { $0 as? String }
    #expect(left == ["opt", "opt/share", "opt/share/zsh", "opt/share/zsh/site-functions"])
  }

  private static func everybodyMayRead(_ files: [String], below tree: URL) throws {
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: tree.appending(path: file).path)
      let mode = file.hasSuffix("bin/beacontrace") ? 0o755 : 0o644
      #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
    }
  }

  /// What others have put beside it stays.
  @Test func uninstallTakesNothingElse() throws {
    let scratch = try Scratch()
    #expect(try Self.make("install", below: scratch.folder).status == 0)
    let others = ["bin/beacontracer", "share/man/man1/beacon.1", "share/doc/other/beacontrace"]
    for name in others { try scratch.write("tree/usr/local/\(name)", [1]) }
    #expect(try Self.make("uninstall", below: scratch.folder).status == 0)
    #expect(
      Self.files(below: scratch.folder.appending(path: "tree/usr/local")) == others.sorted())
  }

  /// One number everywhere; the package's is asked of the program, as the manual's is.
  @Test func theChangelogIsOfThisVersion() throws {
    let version = try #require(try Tool.run("--version").lines.first)
    let changelog = try String(
      contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(Text.lines(changelog).first { $0.hasPrefix("## ") })
    #expect(heading == "## \(version)" || heading.hasPrefix("## \(version),"))
    let scratch = try Scratch()
    #expect(try Self.make("install", below: scratch.folder).status == 0)
    let page = scratch.folder.appending(path: "tree/usr/local/share/man/man1/beacontrace.1")
    let lines = Text.lines(try String(contentsOf: page, encoding: .utf8))
    #expect(lines.contains(".Os beacontrace \(version)"))
  }
}
