package import Analysis
import Beacons
import CaptureReader

/// `analyze --format json`: captures, beacons, and what is worth knowing about them.
package enum AnalysisJSON {
  package static func write(_ result: AnalysisResult, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    let beacons = result.statistics.summaries()
    try json.object { json in
      if let limits = result.limits {
        json.key("window")
        try json.object { json in
          json.pair("from", limits.hasStart ? Timestamp(nanoseconds: limits.from) : .none)
          json.pair("to", limits.hasEnd ? Timestamp(nanoseconds: limits.to) : .none)
          json.pair("sightings_without_time", result.sightingsWithoutTime)
          json.pair("sightings_followed_later", result.sightingsFollowedLater)
        }
      }
      json.key("captures")
      try json.array { json in for facts in result.captures { try json.capture(facts) } }
      json.key("beacons")
      try json.array { json in
        try json.values(beacons.count) { BeaconWords(beacons, result) }
      }
      if let names = EventNames(result) {
        json.key("timeline")
        try json.listing(downTo: 3) { json in try json.timeline(names) }
      }
      json.key("remarks")
      try json.array { json in
        try Remarks.forEach(result, beacons) { try json.remark($0) }
      }
      try json.notRead(result)
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func remark(_ remark: Remark) throws {
    try object { json in
      json.pair("code", remark.code)
      json.pair("capture", remark.capture)
      json.pair("kind", remark.kind)
      json.pair("id", remark.id)
      json.pair("text", remark.text)
    }
  }
}
