import Analysis
import CaptureReader
import Foundation
import Plugins
import Synchronization
import Testing

/// Files of plugins that somebody edits.
@Suite("A plugin's file that has changed", .timeLimit(.minutes(60)))
final class ReloadFilesTests {
  private let folder: URL
  private let lines: Lines
  private let host: PluginHost

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reload-\(UUID())")
    let lines = Lines()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in [
      ("a.lua", "require 'doors'"), ("doors.lua", "print('doors 1')"), ("b.lua", "print('b')"),
    ] { try Data(text.utf8).write(to: folder.appending(path: name)) }
    var files: [(file: PluginFile, isSite: Bool)] = []
    for name in ["a.lua", "b.lua"] {
      let path = folder.appending(path: name).path(percentEncoded: false)
      files.append((try PluginFile.read(path), false))
    }
    host = try PluginHost(files, mayReload: true, tell: { lines.add($0) })
    self.folder = folder
    self.lines = lines
    _ = lines.take()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// Names of those that changed: `a`, or `a refused`.
  private func reload() -> [String] {
    host.reloadChanged().map { name, outcome in
      if case .refused = outcome { "\(name) refused" } else { name }
    }
  }

  @Test("and is not taken is told of with the one that goes on, until the file has its text again")
  func notReplaced() throws {
    func why() -> [String?] { host.reports.map(\.notReplaced) }
    #expect(why() == [nil, nil])
    try write("b.lua", "syntax error")
    #expect(reload() == ["b refused"])
    #expect(why()[0] == nil && why()[1]?.contains("syntax") == true)
    #expect(reload() == [])
    #expect(why()[1] != nil)
    try write("b.lua", "print('b')")
    #expect(reload() == [] && why() == [nil, nil])
    try FileManager.default.removeItem(at: folder.appending(path: "b.lua"))
    #expect(reload() == ["b refused"] && why()[1] != nil)
    try write("b.lua", "print('b', 2)")
    #expect(reload() == ["b"] && why() == [nil, nil])
  }

  @Test("is loaded once; others are left alone")
  func once() throws {
    #expect(reload() == [])
    try write("b.lua", "print('b', 2) on('start', function() end)")
    #expect(reload() == ["b"])
    let told = lines.take()
    #expect(told.count == 2 && told.first == "b: b\t2")
    #expect(reload() == [])
    #expect(lines.take() == [])
  }

  @Test("is loaded anew, though it is the same, where it was switched off and that is asked for")
  func revived() throws {
    try write("b.lua", "for i = 1, 120 do after(0.001, function() error('x') end) end")
    _ = reload()
    var settings = FollowSettings()
    settings.judge = host
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis(
      [.bytes(HostedRun.bytes([.init(at: 0), .init(at: 1000)]), name: "x")], options: options)
    var none = NoSink()
    _ = try analysis.run(into: &none)
    #expect(
      lines.take().contains("b: switched off after 100 errors in a row; everything else goes on"))
    #expect(reload() == [])
    #expect(host.reloadChanged(revives: true).map(\.name) == ["b"])
    #expect(host.reloadChanged(revives: true).isEmpty)
  }

  @Test("is loaded anew where one of its modules has changed")
  func module() throws {
    try write("doors.lua", "print('doors 2')")
    #expect(reload() == ["a"])
    #expect(lines.take().first == "a: doors 2")
    #expect(reload() == [])
    try write("doors.lua", "print('doors 3'")
    #expect(reload() == ["a refused"])
    #expect(reload() == [])
    try FileManager.default.removeItem(at: folder.appending(path: "doors.lua"))
    #expect(reload() == ["a refused"])
    #expect(reload() == [])
    try write("doors.lua", "print('doors 4')")
    #expect(reload() == ["a"])
    #expect(lines.take().contains("a: doors 4"))
  }

  @Test("is told once where it is broken, and tried when it has changed again")
  func broken() throws {
    try write("b.lua", "print(")
    #expect(reload() == ["b refused"])
    #expect(lines.take().count == 1)
    #expect(reload() == [])
    #expect(lines.take() == [])
    try write("b.lua", "require 'c'")
    #expect(reload() == ["b refused"])
    #expect(reload() == [])
    try write("c.lua", "print('c')")
    #expect(reload() == ["b"])
    #expect(lines.take().contains("b: c"))
  }

  @Test("is what it was: nothing is loaded")
  func back() throws {
    try write("b.lua", "print(")
    #expect(reload() == ["b refused"])
    try write("b.lua", "print('b')")
    #expect(reload() == [])
    #expect(lines.take().count == 1)
    try write("b.lua", "print(")
    #expect(reload() == ["b refused"])
  }

  @Test("is gone: that is told once, and the text goes on")
  func gone() throws {
    try FileManager.default.removeItem(at: folder.appending(path: "b.lua"))
    #expect(reload() == ["b refused"])
    #expect(reload() == [])
    let told = lines.take()
    #expect(told.count == 1)
    #expect(told.first?.contains("b.lua: cannot be opened: no such file or directory") == true)
  }
}
