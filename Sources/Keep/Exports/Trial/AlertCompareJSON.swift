package import Analysis
import Beacons
import CaptureReader

/// `plugin compare --format json`. The keys are a contract: see FORMATS.md.
package enum AlertCompareJSON {
  package static func write(
    _ comparison: AlertComparison, _ sides: ComparedRules, to output: any TextOutput
  ) throws {
    var json = JSONWriter(output, lineDepth: 2)
    try json.object { json in
      json.key("old")
      try json.rule(sides.old)
      json.key("new")
      try json.rule(sides.new)
      try json.captures(sides.old.run)
      json.key("near_s")
      json.number(Double(comparison.near) / 1e9, decimals: 3)
      json.key("counts")
      try json.object { json in
        json.pair("same", comparison.same)
        json.pair("vanished", comparison.vanished.count)
        json.pair("appeared", comparison.appeared.count)
        json.pair("changed", comparison.changed.count)
      }
      json.key("vanished")
      try json.array { json in
        for event in comparison.vanished { json.raw { $0.event(event, sides.old.names) } }
      }
      json.key("appeared")
      try json.array { json in
        for event in comparison.appeared { json.raw { $0.event(event, sides.new.names) } }
      }
      json.key("changed")
      try json.array { json in
        for pair in comparison.changed {
          try json.object { json in
            json.key("what")
            try json.array { json in for change in pair.changes { json.string(change.rawValue) } }
            json.key("old")
            json.raw { $0.event(pair.old, sides.old.names) }
            json.key("new")
            json.raw { $0.event(pair.new, sides.new.names) }
          }
        }
      }
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func rule(_ rule: ComparedRule) throws {
    try object { try $0.rule(rule.word, rule.run.report) }
  }

  /// What of a rule's run is the same for all commands that try one.
  mutating func rule(_ word: String, _ report: JudgeReport) throws {
    pair("file", word)
    pair("plugin", report.rule.plugin)
    pair("plugin_version", report.rule.version.isEmpty ? nil : report.rule.version)
    pair("plugin_sha256", report.rule.sha256)
    try outcome(report)
  }

  /// How a run went with it.
  mutating func outcome(_ report: JudgeReport) throws {
    pair("alerts", report.alerts)
    pair("held_back", report.heldBack)
    key("errors")
    try object { json in for (limit, count) in report.errors { json.pair(limit, count) } }
    pair("first_error", report.firstError)
    pair("switched_off", report.isSwitchedOff)
  }

  mutating func captures(_ run: RuleRun) throws {
    key("captures")
    try array { json in
      for capture in run.result.captures {
        try json.object { json in
          json.pair("capture", capture.name)
          json.pair("sha256", HexText.string(capture.sha256))
        }
      }
    }
    try notRead(run.result)
  }
}
