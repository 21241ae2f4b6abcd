import Foundation
import Testing

/// Where the reader of standard output has gone (`| head`), the rest of what was asked for is made all the same.
@Suite("A closed standard output", .timeLimit(.minutes(60)))
struct ClosedOutputTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The program's exit status; nobody reads what it prints.
  private func status(_ command: String) throws -> String {
    let run = try Tool.shell(
      "(sleep 0.2; \"$TOOL\" \(command); echo $? >&3) 3>status | true; cat status",
      in: scratch.folder)
    return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: scratch.folder.appending(path: name).path)
  }

  @Test("leaves no page, case or shared table out")
  func files() throws {
    try scratch.write("walk.log", Captures.read(Captures.h4))
    #expect(try status("analyze -q --all --report page.html --case site.sqlite walk.log") == "0")
    #expect(exists("page.html") && exists("site.sqlite"))
    #expect(try status("share -q --into shared --secret who --table who.csv walk.log") == "0")
    #expect(exists("shared/walk.pcapng") && exists("who.csv"))
  }

  @Test("hides no status")
  func statuses() throws {
    try scratch.write("walk.log", Captures.read(Captures.h4))
    try scratch.write(
      "rule.lua", Array("on('sighting', function(s) alert { title = 'heard' } end)\n".utf8))
    #expect(try status("analyze -q walk.log missing.log 2> errors") == "66")
    let words = "events -q --plugin ./rule.lua"
    #expect(try status("\(words) --fail-from info walk.log") == "1")
    #expect(try status("\(words) walk.log") == "0")
  }
}
