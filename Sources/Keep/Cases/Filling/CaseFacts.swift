package import CaseStore
package import Exports

/// What a case says of itself: `case info`.
package struct CaseFacts {
  let name: String
  let form: Int
  let version: String
  /// 64 digits; nil of an older case.
  let seal: String?
  /// Of all bytes of the file as it is.
  let sha256: String?
  let from: Int64?
  let to: Int64?
  let options: [String]
  let captures: [CaptureRow]
  let files: [FileRow]
  let plugins: [PluginRow]
  let tables: [(name: String, rows: Int)]

  package init(_ file: CaseFile, name: String, sha256: String?) throws {
    self.name = name
    self.sha256 = sha256
    form = Int(try file.fact("form") ?? "") ?? 0
    version = try file.fact("tool_version") ?? "an unknown version"
    seal = try file.sealDigits()
    from = Int64(try file.fact("from_ns") ?? "")
    to = Int64(try file.fact("to_ns") ?? "")
    options = try file.rows(OptionRow.self).map(\.word)
    captures = try file.rows(CaptureRow.self)
    files = try file.rows(FileRow.self)
    plugins = try file.rows(PluginRow.self)
    var tables: [(name: String, rows: Int)] = []
    for table in CaseSchema.tables {
      try file.forEach(select: "SELECT count(*) FROM \(table)") { row in
        tables.append((table, Int(row.first?.int ?? 0)))
      }
    }
    self.tables = tables
  }

  func rows(_ table: String) -> Int { tables.first { $0.name == table }?.rows ?? 0 }

  package func writeJSON(to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    try json.object { json in
      json.pair("case", name)
      json.pair("form", form)
      json.pair("tool_version", version)
      json.pair("from", from.known)
      json.pair("to", to.known)
      json.key("options")
      try json.array { json in for word in options { json.string(word) } }
      json.key("captures")
      try json.array { json in
        for capture in captures {
          try json.object { json in
            json.pair("capture", capture.name)
            json.pair("bytes", capture.bytes)
            json.pair("sha256", capture.sha256)
            json.pair("records", capture.records)
            json.pair("from", capture.fromNs.known)
            json.pair("to", capture.toNs.known)
          }
        }
      }
      json.key("files")
      try json.array { json in
        for file in files {
          try json.object { json in
            json.pair("role", file.role)
            json.pair("file", file.name)
            json.pair("bytes", file.bytes)
            json.pair("sha256", file.sha256)
          }
        }
      }
      json.key("plugins")
      try json.array { json in
        for plugin in plugins {
          try json.object { json in
            json.pair("plugin", plugin.name)
            json.pair("version", plugin.version)
            json.pair("sha256", plugin.sha256)
            json.pair("alerts", plugin.alerts)
            json.pair("held_back", plugin.heldBack)
            json.pair("errors", plugin.errors)
            json.pair("switched_off_at", plugin.switchedOffNs.known)
          }
        }
      }
      json.key("rows")
      try json.object { json in for table in tables { json.pair(table.name, table.rows) } }
      json.pair("seal", seal)
      json.pair("sha256", sha256)
    }
    try json.finish()
  }
}
