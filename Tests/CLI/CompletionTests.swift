import Foundation
import Testing

/// Completions, asked of the shells themselves.
@Suite(.timeLimit(.minutes(60)))
struct CompletionTests {
  struct Line: Sendable, CustomTestStringConvertible {
    /// What has been typed; the last word is being completed.
    let typed: [String]
    /// What has to be among the answers, and what must not.
    let offers: [String]
    var omits: [String] = []
    var testDescription: String { typed.joined(separator: " ") }
  }

  static let lines = [
    Line(typed: ["beacontrace", ""], offers: ["analyze", "sightings", "info"]),
    Line(typed: ["beacontrace", "an"], offers: ["analyze"], omits: ["info"]),
    Line(
      typed: ["beacontrace", "analyze", "--format", ""], offers: ["text", "json"],
      omits: ["ndjson", "museum-walk.btsnoop.gz"]),
    Line(
      typed: ["beacontrace", "sightings", "--format", ""], offers: ["text", "ndjson", "csv"],
      omits: ["museum-walk.btsnoop.gz"]),
    Line(
      typed: ["beacontrace", "info", "museum-w"], offers: ["museum-walk.btsnoop.gz"],
      omits: ["INDEX.tsv"]),
    Line(
      typed: ["beacontrace", "analyze", "--a"], offers: ["--all"], omits: ["--format"]),
  ]

  @Test(arguments: lines) func bashOffers(_ line: Line) throws {
    let words = line.typed.map { "'\($0)'" }.joined(separator: " ")
    let run = try Tool.shell(
      """
      source <("$TOOL" --generate-completion-script bash)
      complete -p beacontrace >/dev/null || exit 1
      COMP_WORDS=(\(words))
      COMP_CWORD=\(line.typed.count - 1)
      COMP_LINE='\(line.typed.joined(separator: " "))'
      COMP_POINT=${#COMP_LINE}
      _beacontrace beacontrace "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    Self.expect(run, line)
  }

  @Test(.enabled(if: Shells.has("fish"), "fish is not installed"), arguments: lines)
  func fishOffers(_ line: Line) throws {
    let run = try Tool.shell(
      """
      export HOME=$(mktemp -d)
      "$TOOL" --generate-completion-script fish >"$HOME/beacontrace.fish"
      fish --no-config -c \
        "source $HOME/beacontrace.fish; complete -C '\(line.typed.joined(separator: " "))'" |
        cut -f1
      rm -r "$HOME"
      """)
    Self.expect(run, line)
  }

  private static func expect(_ run: Run, _ line: Line) {
    #expect(run.status == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
    for word in line.offers { #expect(run.lines.contains(word), "\(word) of \(run.lines)") }
    for word in line.omits { #expect(!run.lines.contains(word), "\(word) of \(run.lines)") }
  }

  /// zsh completes only at a terminal: here it reads the script and registers it.
  @Test(.enabled(if: Shells.has("zsh"), "zsh is not installed"))
  func zshTakesTheScript() throws {
    let run = try Tool.shell(
      """
      folder=$(mktemp -d)
      "$TOOL" --generate-completion-script zsh >"$folder/_beacontrace"
      zsh -n "$folder/_beacontrace"
      zsh -fc "fpath=($folder \\$fpath); autoload -Uz compinit; compinit -u -D
        print \\$_comps[beacontrace]; autoload +X _beacontrace; functions _beacontrace"
      rm -r "$folder"
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(run.lines.first == "_beacontrace")
    #expect(run.output.contains("ndjson"))
  }
}
