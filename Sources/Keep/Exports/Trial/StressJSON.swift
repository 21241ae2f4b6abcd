import Analysis
import CaptureReader

/// `plugin stress --format json`. The keys are a contract: see FORMATS.md.
package enum StressJSON {
  package static func write(_ rule: StressedRule, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    let test = rule.test
    try json.object { json in
      json.key("rule")
      try json.object { try $0.rule(rule.word, test.undisturbed.report) }
      try json.captures(test.undisturbed)
      json.key("near_s")
      json.number(Double(test.near) / 1e9, decimals: 3)
      json.key("runs")
      try json.array { json in
        for (trial, command) in zip(test.trials, rule.commands) { try json.trial(trial, command) }
      }
      json.key("first")
      try json.array { json in
        for findings in rule.findings {
          try json.object { json in
            json.pair("disturbance", findings.kind)
            json.pair("changed", findings.firstChanged)
            json.pair("moved", findings.firstMoved)
            json.pair("lost", findings.firstLost)
            json.pair("new", findings.firstNew)
            json.pair("failed", findings.firstFailed)
          }
        }
      }
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func trial(_ trial: StressTest.Trial, _ command: [String]) throws {
    try object { json in
      json.pair("disturbance", trial.disturbance.name)
      json.key("level")
      json.raw { $0.text(of: StressText.number(trial.disturbance.level)) }
      json.key("seed")
      json.raw { $0.text(of: "\(trial.disturbance.seed)") }
      json.pair("kept", trial.kept)
      json.pair("changed", trial.changed)
      json.pair("moved", trial.moved)
      json.pair("lost", trial.lost)
      json.pair("new", trial.new)
      try json.outcome(trial.report)
      json.key("first_changed")
      let changed = trial.firstChanged.first
      try json.told(changed?.told, changes: changed?.changes, hasID: true)
      json.key("first_moved")
      let moved = trial.firstMoved.first
      try json.told(moved?.told, now: moved?.now.time, hasID: true)
      json.key("first_lost")
      try json.told(trial.firstLost.first, hasID: true)
      json.key("first_new")
      try json.told(trial.firstNew.first, hasID: false)
      json.key("command")
      try json.array { json in for word in command { json.string(word) } }
    }
  }

  /// - Parameter hasID: an event of a disturbed run is nothing that `explain` knows.
  private mutating func told(
    _ told: StressTest.Told?, now: Timestamp? = nil, changes: [AlertComparison.Change]? = nil,
    hasID: Bool
  ) throws {
    guard let told else { return string(nil) }
    try object { json in
      if hasID { json.pair("id", EventReference.text(told.id)) }
      json.pair("time", told.time)
      if let now { json.pair("now", now) }
      json.pair("severity", told.severity.rawValue)
      json.pair("title", told.title)
      json.pair("region", told.region)
      guard let changes else { return }
      json.key("changes")
      try json.array { json in for change in changes { json.string(change.rawValue) } }
    }
  }
}
