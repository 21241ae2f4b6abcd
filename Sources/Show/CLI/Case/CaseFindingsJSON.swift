import CaseStore
import Exports

/// `case verify --format json`; the keys are in FORMATS.md.
enum CaseFindingsJSON {
  static func write(_ findings: CaseFindings, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    try json.object { json in
      json.pair("case", findings.path)
      json.pair(
        "verdict", findings.differs ? "different" : findings.misses ? "incomplete" : "same")
      json.pair(
        "file", findings.isSealed.map { $0 ? "as_sealed" : "changed" } ?? "no_seal")
      json.pair("seal", findings.sealDigits)
      try strings("faults", findings.faults, &json)
      json.pair("tables", findings.tables)
      try strings("tables_changed", findings.changedTables, &json)
      try strings("added", findings.additions, &json)
      try inputs("captures", findings.captures, &json)
      try inputs("files", findings.files, &json)
      try inputs("not_read", findings.unread, &json)
      json.pair("not_read_without_sha256", findings.unreadWithoutSum)
      try strings("not_of_case", findings.strangers, &json)
      json.key("analysis")
      try write(findings.analysis, &json)
    }
    try json.finish()
  }

  private static func write(
    _ analysis: CaseFindings.Analysis, _ json: inout JSONWriter
  ) throws {
    try json.object { json in
      switch analysis {
      case .notMade: json.pair("state", "not_made")
      case .failed: json.pair("state", "failed")
      case .made(let derived):
        json.pair("state", derived.differs ? "different" : "same")
        json.pair("events", derived.events)
        try strings("events_missing", derived.gone, &json)
        try strings("events_new", derived.new, &json)
        try strings("events_different", derived.others, &json)
        json.pair("tables", derived.comparedTables)
        try strings("tables_different", derived.otherTables, &json)
        try strings("tables_not_compared", derived.skippedTables, &json)
        json.pair("case_form", derived.form)
        json.pair("case_version", derived.version)
      }
    }
  }

  private static func inputs(
    _ key: String, _ inputs: [CaseFindings.Input], _ json: inout JSONWriter
  ) throws {
    json.key(key)
    try json.array { json in
      for input in inputs {
        try json.object { json in
          if let role = input.role, role != CaseFindings.Input.captureRole {
            json.pair("role", role)
          }
          json.pair(
            input.role == CaseFindings.Input.captureRole ? "capture" : "file", input.name)
          json.pair("state", input.state.rawValue)
          json.pair("found_as", input.foundAs)
        }
      }
    }
  }

  private static func strings(
    _ key: String, _ values: [String], _ json: inout JSONWriter
  ) throws {
    json.key(key)
    try json.array { json in for value in values { json.string(value) } }
  }
}
