import Foundation
import Testing

/// A run that is killed while it makes a case, or adds to one.
@Suite("A case whose run is killed", .timeLimit(.minutes(60))) struct CaseKillTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("north.log", Captures.read(Captures.h4))
    try scratch.write("south.btsnoop.gz", Captures.read(Captures.walk))
  }

  private var file: URL { scratch.folder.appending(path: "site.sqlite") }

  private func start() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = [
      "analyze", "--case", "site.sqlite", "--keep-sightings", "south.btsnoop.gz",
    ]
    process.currentDirectoryURL = scratch.folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// How long such a run takes here, and what it leaves.
  private func measure() throws -> (time: Duration, bytes: Data) {
    let begin = ContinuousClock.now
    let process = try start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return (ContinuousClock.now - begin, try Data(contentsOf: file))
  }

  /// Kills a run at some moment; says whether it was under way still.
  private func killOne(after delay: Duration) throws -> Bool {
    let process = try start()
    let parts = delay.components
    usleep(UInt32(parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000))
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  private func check(_ bytes: Data?, old: Data?, new: Data) throws -> Bool {
    guard let bytes else {
      #expect(old == nil)
      return false
    }
    #expect(bytes == old || bytes == new)
    let run = try Tool.run(
      ["case", "query", "--format", "csv", "site.sqlite", "PRAGMA integrity_check"],
      in: scratch.folder)
    #expect(run.status == 0 && run.lines.last?.hasPrefix("ok") == true, "\(run.errors)")
    return bytes == new
  }

  @Test("holds the old state or the new one, as a whole", arguments: [false, true])
  func kill(_ isAddition: Bool) throws {
    var old: Data?
    if isAddition {
      let made = try Tool.run(
        ["analyze", "--case", "site.sqlite", "--keep-sightings", "north.log"], in: scratch.folder)
      #expect(made.status == 0)
      old = try Data(contentsOf: file)
    }
    let (time, new) = try measure()
    #expect(new != old)
    var killed = 0
    for round in 0..<20 {
      if let old { try old.write(to: file) } else { try? FileManager.default.removeItem(at: file) }
      // Moments over the whole run, more of them towards its end, where most is written.
      let part = 1 - (1 - Double(round) / 19) * (1 - Double(round) / 19)
      if try killOne(after: time * (0.05 + part)) { killed += 1 }
      let bytes = try? Data(contentsOf: file)
      _ = try check(bytes, old: old, new: new)
    }
    #expect(killed > 4)
    // What a killed run left is in nobody's way.
    if let old { try old.write(to: file) } else { try? FileManager.default.removeItem(at: file) }
    #expect(try measure().bytes == new)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        .allSatisfy { !$0.contains("unfinished") })
  }
}
