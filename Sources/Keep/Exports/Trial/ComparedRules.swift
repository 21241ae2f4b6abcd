package import Analysis
import CaptureReader

/// Both sides of `plugin compare`.
package struct ComparedRules: Sendable {
  package let old: ComparedRule
  package let new: ComparedRule

  package init(old: ComparedRule, new: ComparedRule) {
    self.old = old
    self.new = new
  }
}

/// A rule, and what it made of the captures.
package struct ComparedRule: Sendable {
  /// As the user named it.
  let word: String
  let run: RuleRun
  /// The words of a command that explains an alert of it; EVENT stands for its id.
  let explain: [String]
  let names: EventNames

  package init(word: String, run: RuleRun, explain: [String]) {
    self.word = word
    self.run = run
    self.explain = explain
    names = EventNames(
      run.timeline, captures: run.result.captureNames, statistics: run.result.statistics)
  }
}

/// A command line for people to copy: not wider than the text around it, which a shell takes all the same.
enum CommandLines {
  static func lines(_ words: [String], indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in words.map({ ShellWord.quoted($0) }) {
      if !line.isEmpty, start.columns + line.columns + 1 + word.columns + 2 > AnalysisText.width {
        lines.append((lines.isEmpty ? start : start + "  ") + line + " \\")
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [(lines.isEmpty ? start : start + "  ") + line]
  }
}
