import Analysis
import CaptureReader
import Foundation
import Plugins
import Synchronization
import Testing

@testable import StateFile

@Suite("A state file")
struct StateFileTests {
  private final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var lines: [String] { kept.withLock { $0 } }
  }

  private static func problem(_ path: String) -> StateProblem? {
    do throws(StateProblem) {
      _ = try StateFile.open(path)
      return nil
    } catch { return error }
  }

  @Test("gives the next run what the last one knew")
  func roundTrip() throws {
    let scratch = try Scratch()
    do {
      let file = try StateFile.open(scratch.path)
      #expect(file.restored == nil && file.warnings == [] && file.plugins.isEmpty)
      let keeper = file.keeper(of: nil) { Issue.record("\($0)") }
      #expect(keeper.interval == 5_000_000_000)
      keeper.keepLast(Scratch.run)
      try file.finish()
    }
    let file = try StateFile.open(scratch.path, goodFor: 7)
    #expect(file.restored == Scratch.run && file.warnings == [])
    #expect(file.restored(tell: { _ in })?.goodFor == 7)
    #expect(try scratch.names == ["state.json", "state.json.lock"])
    let mode = try FileManager.default.attributesOfItem(atPath: scratch.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("stays as it was where a run never had a time")
  func untouched() throws {
    let scratch = try Scratch()
    let bytes = try RunStateText(run: Scratch.run).bytes()
    try scratch.write(bytes)
    let file = try StateFile.open(scratch.path)
    try file.finish()
    #expect(try scratch.read() == bytes)
  }

  @Test("takes the last of states that come faster than they can be written")
  func latestWins() throws {
    let scratch = try Scratch()
    let file = try StateFile.open(scratch.path)
    let keeper = file.keeper(of: nil) { Issue.record("\($0)") }
    var state = Scratch.run
    for round in Int64(1)...200 {
      state.taken = Timestamp(nanoseconds: round)
      if round < 200 { _ = keeper.keep { state } } else { keeper.keepLast(state) }
    }
    try file.finish()
    #expect(try RunStateText(reading: try scratch.read()).run == state)
  }

  @Test("belongs to one run at a time, by whatever name it is opened")
  func locked() throws {
    let scratch = try Scratch()
    try scratch.write(try RunStateText(run: Scratch.run).bytes())
    let link = scratch.folder.appending(path: "link").path(percentEncoded: false)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: scratch.path)
    do {
      let file = try StateFile.open(link)
      for name in [scratch.path, link] {
        #expect(
          Self.problem(name)
            == StateProblem(
              path: name, what: "another run keeps its state here",
              remedy: "End that run, or name another file."))
      }
      file.keeper(of: nil) { Issue.record("\($0)") }.keepLast(Scratch.run)
      try file.finish()
    }
    #expect(Self.problem(scratch.path) == nil)
    // The link is still one.
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == scratch.path)
  }

  @Test("that is something else is left as it is")
  func foreign() throws {
    let scratch = try Scratch()
    let what = "this is no saved state of a run, and is left as it is"
    for text in [
      "my notes\n", #"{"format":"beacontrace-state","version":1,"sha256":""#,
      #"{"format": "beacontrace-run-state"}"#,
      "The first line is {\"format\":\"beacontrace-run-state\",\"version\":1,\"sha256\":\"…\", and so on; behind"
        + " it come ,\"plugins\":\n and what they saved.",
    ] {
      try scratch.write(Array(text.utf8))
      #expect(
        Self.problem(scratch.path)
          == StateProblem(
            path: scratch.path, what: what, remedy: "Name another file, or move this one away.",
            isForeign: true))
      #expect(try scratch.read() == Array(text.utf8))
    }
  }

  @Test(
    "that is of another version is moved aside under a name of its own, and nothing there is replaced"
  )
  func otherVersion() throws {
    let scratch = try Scratch()
    let newer = #"{"format":"beacontrace-run-state","version":7,"sha512":"abc"}"#
    for ending in ["version7", "version7_2"] {
      try scratch.write(Array(newer.utf8))
      let file = try StateFile.open(scratch.path)
      #expect(file.restored == nil)
      #expect(
        file.warnings == [
          "\(scratch.path): the saved state is of another version of beacontrace: 7, and this one reads 1. It "
            + "is kept as \(scratch.path).\(ending); nothing is restored, and the run begins anew"
        ])
    }
    #expect(
      try scratch.names == ["state.json.lock", "state.json.version7", "state.json.version7_2"])
  }

  @Test("whose first line is damaged is moved aside", arguments: [1, 12, 1000])
  func damagedHead(_ count: Int) throws {
    let scratch = try Scratch()
    // One byte, some, the whole line.
    var bytes = try RunStateText(run: Scratch.run).bytes()
    let line = bytes.firstIndex(of: 0x0A) ?? 0
    for place in 0..<min(count, line) { bytes[place] = 0 }
    try scratch.write(bytes)
    let file = try StateFile.open(scratch.path)
    #expect(file.restored == nil)
    #expect(
      file.warnings == [
        "\(scratch.path): byte 1: its first line is cut or changed. It is kept as \(scratch.path).damaged; "
          + "nothing is restored, and the run begins anew"
      ])
    #expect(try scratch.names == ["state.json.damaged", "state.json.lock"])
  }

  @Test("that is damaged is moved aside, and the run begins anew")
  func damaged() throws {
    let scratch = try Scratch()
    var bytes = try RunStateText(run: Scratch.run).bytes()
    bytes[300] ^= 1
    try scratch.write(bytes)
    let file = try StateFile.open(scratch.path)
    #expect(file.restored == nil)
    #expect(
      file.warnings == [
        "\(scratch.path): byte 130 and what follows: cut or changed, for it has another SHA-256 than "
          + "the file says. It is kept as \(scratch.path).damaged; nothing is restored, and the run "
          + "begins anew"
      ])
    #expect(try scratch.names == ["state.json.damaged", "state.json.lock"])
    #expect([UInt8](try Data(contentsOf: URL(filePath: scratch.path + ".damaged"))) == bytes)
  }

  @Test(
    "that was cut within its first line is moved aside, too",
    arguments: [1, 33, 40, 60])
  func cutHead(_ count: Int) throws {
    let scratch = try Scratch()
    let bytes = Array(try RunStateText(run: Scratch.run).bytes()[..<count])
    try scratch.write(bytes)
    let file = try StateFile.open(scratch.path)
    #expect(file.restored == nil)
    #expect(file.warnings.count == 1)
    #expect([UInt8](try Data(contentsOf: URL(filePath: scratch.path + ".damaged"))) == bytes)
  }

  @Test("takes states some times a second at most, and each that is the last")
  func pace() throws {
    let scratch = try Scratch()
    let file = try StateFile.open(scratch.path)
    let keeper = file.keeper(of: nil) { Issue.record("\($0)") }
    let start = ContinuousClock.now
    var taken = 0
    while ContinuousClock.now - start < .milliseconds(500) {
      if keeper.keep({ Scratch.run }) { taken += 1 }
    }
    #expect((1...6).contains(taken), "\(taken)")
    try file.finish()
  }

  @Test("that is empty is used, with a warning")
  func empty() throws {
    let scratch = try Scratch()
    try scratch.write([])
    let file = try StateFile.open(scratch.path)
    #expect(
      file.warnings == ["\(scratch.path): the state file is empty: the run begins anew"])
  }

  @Test("says why it cannot be used: no folder, a folder")
  func unusable() throws {
    let scratch = try Scratch()
    let nowhere = scratch.path + "/none/state"
    #expect(
      Self.problem(nowhere)?.what
        == "\(nowhere).lock cannot be written: no such file or directory")
    let folder = scratch.folder.appending(path: "sub").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(Self.problem(folder)?.what == "it is no file, but a folder, a pipe or a device")
  }

  @Test("that cannot be written is told once, and again at the end")
  func failing() throws {
    let scratch = try Scratch()
    let file = try StateFile.open(scratch.path)
    let told = Lines()
    let keeper = file.keeper(of: nil) { told.add($0) }
    try FileManager.default.removeItem(at: scratch.folder)
    for _ in 0..<3 {
      keeper.keepLast(Scratch.run)
      #expect(throws: StateProblem.self) { try file.finish() }
    }
    let what = "\(scratch.path).new cannot be written: no such file or directory"
    #expect(
      told.lines == [
        "\(scratch.path): the run's state cannot be kept: \(what). It is tried again."
      ])
    // It can be written again: what went wrong is over.
    try FileManager.default.createDirectory(
      at: scratch.folder, withIntermediateDirectories: false)
    keeper.keepLast(Scratch.run)
    try file.finish()
    #expect(try RunStateText(reading: try scratch.read()).run == Scratch.run)
    #expect(told.lines.last == "\(scratch.path): the run's state is kept again.")
  }
}
