package import Analysis

/// What `plugin stress` found.
package struct StressedRule: Sendable {
  /// The rule as the user named it.
  let word: String
  let test: StressTest
  /// The words of a command that does one run again, by place.
  let commands: [[String]]

  package init(word: String, test: StressTest, command: (Disturbance) -> [String]) {
    self.word = word
    self.test = test
    commands = test.trials.map { command($0.disturbance) }
  }

  /// What all levels of one kind of disturbance came to.
  struct Findings {
    let kind: String
    /// Places of the first trial, the smallest level first, in which that happened.
    let firstChanged: Int?
    let firstMoved: Int?
    let firstLost: Int?
    let firstNew: Int?
    let firstFailed: Int?
  }

  /// In the order in which they were tried; levels of a kind ascend, and then its seeds do.
  var findings: [Findings] {
    var kinds: [String] = []
    for trial in test.trials where !kinds.contains(trial.disturbance.name) {
      kinds.append(trial.disturbance.name)
    }
    return kinds.map { kind in
      func first(_ holds: (StressTest.Trial) -> Bool) -> Int? {
        test.trials.firstIndex { $0.disturbance.name == kind && holds($0) }
      }
      return Findings(
        kind: kind, firstChanged: first { $0.changed > 0 }, firstMoved: first { $0.moved > 0 },
        firstLost: first { $0.lost > 0 }, firstNew: first { $0.new > 0 },
        firstFailed: first { $0.report.errorCount > 0 })
    }
  }
}

extension Disturbance {
  /// As options and JSON name it.
  var name: String {
    switch kind {
    case .loss: "loss"
    case .duplicates: "duplicates"
    case .delay: "delay"
    }
  }

  var level: Double {
    switch kind {
    case .loss(let level), .duplicates(let level), .delay(let level): level
    }
  }

  /// `30 %`, `200 ms`.
  var levelText: String {
    if case .delay = kind { return "\(StressText.number(level)) ms" }
    return "\(StressText.number(level)) %"
  }
}
