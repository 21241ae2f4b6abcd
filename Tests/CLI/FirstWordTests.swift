import Foundation
import Testing

/// The first mistakes: a capture without a command, and a command in another spelling.
@Suite struct FirstWordTests {
  @Test(arguments: [
    ("analyse", "Error: Unexpected argument 'analyse': no such command. Did you mean 'analyze'?"),
    (
      "sighting",
      "Error: Unexpected argument 'sighting': no such command. Did you mean 'sightings'?"
    ),
    (
      "picture",
      "Error: Unexpected argument 'picture': no such command. "
        + "There are: analyze, compare, advise, events, explain, sightings, devices, clocks, info, case, export, live, "
        + "replay, share, interfaces, doctor, plugin, synth."
    ),
  ])
  func anUnknownCommandIsToldWithTheOnesThereAre(_ word: String, _ sentence: String) throws {
    let run = try Tool.run(word, "x")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.complaints.first == sentence)
    #expect(run.complaints.count == 2)
  }

  @Test(arguments: [
    ("help nosuch", "Error: Unexpected argument 'nosuch': no such command. There are: analyze, "),
    (
      "help analyse",
      "Error: Unexpected argument 'analyse': no such command. Did you mean 'analyze'?"
    ),
    (
      "help case querry",
      "Error: Unexpected argument 'querry': no such command. Did you mean 'query'?"
    ),
    ("help info x", "Error: Unexpected argument 'x': there is no command below 'info'."),
  ])
  func thereIsNoHelpOfWhatIsNoCommand(_ words: String, _ sentence: String) throws {
    let run = try Tool.shell("\"$TOOL\" \(words)")
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.complaints.first?.hasPrefix(sentence) == true, "\(run.errors)")
  }

  @Test func aCaptureWithoutACommandIsToldWhatToType() throws {
    let run = try Tool.run(Captures.h4)
    #expect(run.status == 64)
    #expect(run.complaints.first?.hasSuffix("Try: beacontrace analyze \(Captures.h4)") == true)
  }

  @Test(arguments: [
    "help", "--help", "--version", "info --help", "help case", "help case query", "help help",
  ])
  func whatIsACommandPasses(_ words: String) throws {
    let run = try Tool.shell("\"$TOOL\" \(words)")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
  }
}
