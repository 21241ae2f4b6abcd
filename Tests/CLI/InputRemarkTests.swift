import Foundation
import Testing

/// What the inputs of a run are to one another is told by outputs that have no place for it, too.
@Suite("What inputs are to one another", .timeLimit(.minutes(60))) struct InputRemarkTests {
  private let site: SiteScene
  private var folder: URL { site.scratch.folder }

  init() throws {
    site = try SiteScene()
    try site.record("door", beacons: 4, seconds: 300)
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: folder) }

  @Test(
    "a copy in another form is told",
    arguments: [["events"], ["devices"], ["export", "--to", "timesketch", "-o", "out"]])
  func form(_ command: [String]) throws {
    let made = try Tool.shell(
      "$TOOL sightings -q --write copy.pcapng door.btsnoop; gzip -k door.btsnoop", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let run = try run(command + ["door.btsnoop", "door.btsnoop.gz"])
    #expect(
      run.errors.contains(
        "beacontrace: door.btsnoop.gz seems to be a copy of door.btsnoop in another form"),
      "\(run.errors)")
    #expect(
      try !self.run(command.map { $0 == "out" ? "two" : $0 } + ["door.btsnoop"]).errors
        .contains("copy"))
  }

  @Test("captures of one receiver that overlap and have nothing in common are told")
  func overlap() throws {
    try site.record("other", beacons: 3, seconds: 300, start: "2026-11-17T09:01:00Z", chance: 2)
    let words = ["--observer", "pi=door.btsnoop,other.btsnoop", "door.btsnoop", "other.btsnoop"]
    for command in [["events"], ["export", "--to", "timesketch", "-o", "out"]] {
      let run = try run(command + words)
      #expect(
        run.errors.contains("are said to be of one observer, pi, and overlap for"), "\(run.errors)")
    }
    #expect(try !run(["events", "-q"] + words).errors.contains("overlap"))
  }
}
