package import Analysis
import CaptureReader

/// `devices --format json` and `csv`. Keys and columns are a contract: see FORMATS.md.
package enum CensusTables {
  private static func columns(_ row: CensusRow) -> [(name: String, value: Int)] {
    [
      ("minutes", row.minutes), ("addresses", row.addresses), ("beacons", row.beacons),
      ("others", row.others), ("new", row.new), ("at_once", row.atOnce),
      ("at_once_most", row.mostAtOnce), ("public", row.publicOnes),
      ("random_static", row.randomStatic), ("random_resolvable", row.resolvable),
      ("random_nonresolvable", row.nonresolvable), ("unknown_type", row.unknownKind),
    ]
  }

  package static func writeJSON(
    _ rows: [CensusRow], _ census: borrowing AdvertiserCensus, every length: Int64,
    _ result: AnalysisResult, to output: any TextOutput
  ) throws {
    let (labels, weak) = (census.labels, census.weak)
    let (withoutAddress, withoutTime) = (census.withoutAddress, census.withoutTime)
    var json = JSONWriter(output, lineDepth: 3)
    try json.object { json in
      json.pair("every_s", Int(length / 1_000_000_000))
      json.key("rows")
      try json.array { json in
        for row in rows {
          try json.object { json in
            json.pair("from", row.from)
            json.pair("to", row.to)
            for (name, value) in columns(row) { json.pair(name, value) }
          }
        }
      }
      json.key("labels")
      try json.array { json in
        for label in labels {
          try json.object { json in
            json.pair("label", label.name)
            json.pair("addresses", label.addresses)
          }
        }
      }
      json.pair("too_weak", weak)
      json.pair("without_address", withoutAddress)
      json.pair("without_time", withoutTime)
      try json.notRead(result)
    }
    try json.finish()
  }

  package static func csv(_ rows: [CensusRow]) -> [String] {
    let none = CensusRow(from: .none, to: .none)
    let head = ["from", "to"] + columns(none).map(\.name)
    return [head.joined(separator: ",")]
      + rows.map { row in
        ([time(row.from), time(row.to)] + columns(row).map { "\($0.value)" })
          .joined(separator: ",")
      }
  }

  private static func time(_ time: Timestamp) -> String {
    var text = ByteText()
    text.time(time)
    return text.string
  }
}
