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
      let receivers = result.receivers(beacons)
      if !receivers.isEmpty {
        json.key("receivers")
        try json.array { json in
          for receiver in receivers {
            try json.receiver(receiver, isPart: result.limits != nil)
          }
        }
      }
      json.key("beacons")
      try json.array { json in
        try json.values(beacons.count) { BeaconWords(beacons, result) }
      }
      let chains = IdentifierChains(beacons, result)
      if !chains.chains.isEmpty {
        json.key("identifiers_in_turn")
        try json.array { json in for chain in chains.chains { try json.chain(chain, beacons) } }
      }
      if let names = EventNames(result) {
        json.key("timeline")
        try json.listing(downTo: 3) { json in try json.timeline(names) }
      }
      json.key("remarks")
      try json.array { json in
        try Remarks.forEach(result, beacons, chains) { try json.remark($0) }
      }
      try json.notRead(result)
    }
    try json.finish()
  }
}

extension JSONWriter {
  /// - Parameter isPart: only a part of the time was looked at, in which reports were not counted.
  fileprivate mutating func receiver(_ receiver: ReceiverSummary, isPart: Bool) throws {
    try object { json in
      json.pair("observer", receiver.name)
      json.pair("from", receiver.from)
      json.pair("to", receiver.to)
      json.pair("recorded_s", receiver.recorded.map { Double($0) / 1e9 }, decimals: 6)
      json.pair("listened_s", receiver.listened.map { Double($0) / 1e9 }, decimals: 6)
      json.pair("reports", isPart ? nil : receiver.reports)
      json.pair("beacons", receiver.beacons)
      json.pair("beacons_alone", receiver.alone)
      json.pair("sightings", receiver.sightings)
      json.pair("rssi_min", receiver.weakest)
      json.pair("filters_duplicates", receiver.filtersDuplicates)
      if receiver.listedOnly > 0 {
        json.pair("listed_only_s", Double(receiver.listedOnly) / 1e9, decimals: 6)
      }
    }
  }

  /// Identifiers that are one beacon, it seems.
  fileprivate mutating func chain(
    _ chain: IdentifierChains.Chain, _ beacons: BeaconSummaries
  ) throws {
    var scratch = SummaryScratch()
    let sum = beacons.summary(ofAll: chain.places, &scratch)
    try object { json in
      json.pair("kind", "\(BeaconFormats.format(sum.kind).name)")
      json.pair("sightings", sum.sightings)
      json.pair("first_seen", sum.first)
      json.pair("last_seen", sum.last)
      json.pair("median_interval_ms", sum.medianInterval.map { $0 / 1e6 }, decimals: 1)
      json.pair("own_interval_ms", sum.ownInterval.map { $0 / 1e6 }, decimals: 1)
      json.pair("rssi_min", sum.rssi?.min)
      json.pair("rssi_median", sum.rssi?.median)
      json.pair("rssi_max", sum.rssi?.max)
      json.key("addresses")
      try json.array { json in
        for address in chain.addresses {
          json.string(BeaconTable.address(address))
        }
      }
      json.key("ids")
      try json.array { json in
        for place in chain.places { json.string(beacons.text(beacons.identity(at: place))) }
      }
    }
  }

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
