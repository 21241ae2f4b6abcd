package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `devices --each --format json` and `csv`. Keys and columns are a contract: see FORMATS.md.
package enum AdvertiserTables {
  package static func writeJSON(
    _ order: [Int], _ census: borrowing AdvertiserCensus, _ result: AnalysisResult,
    to output: any TextOutput
  ) throws {
    let (weak, withoutAddress) = (census.weak, census.withoutAddress)
    let withoutTime = census.withoutTime
    let rows = order.map { number in
      (census.advertisers[number], census.profiles[number], next(number, census))
    }
    var json = JSONWriter(output, lineDepth: 3)
    try json.object { json in
      json.key("advertisers")
      try json.array { json in
        for (advertiser, profile, next) in rows {
          try json.object { json in
            try pairs(advertiser, profile, &json)
            json.pair("perhaps_next", next)
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

  /// The address under which it may have gone on.
  private static func next(_ number: Int, _ census: borrowing AdvertiserCensus) -> String? {
    census.profiles[number].perhapsNext.map { BeaconTable.address(census.advertisers[$0].address) }
  }

  private static func pairs(
    _ advertiser: AdvertiserCensus.Advertiser, _ profile: AdvertiserProfile,
    _ json: inout JSONWriter
  ) throws {
    json.pair("address", BeaconTable.address(advertiser.address))
    json.pair("address_type", "\(advertiser.address.kindName)")
    json.pair("reports", profile.reports)
    json.pair("minutes", profile.minutes)
    json.pair("first", profile.first)
    json.pair("last", profile.last)
    let signal = profile.signals.range
    json.pair("rssi_min", signal?.min)
    json.pair("rssi_median", signal?.median)
    json.pair("rssi_max", signal?.max)
    json.key("beacons")
    try json.array { json in
      for beacon in profile.beacons {
        let format = BeaconFormats.format(beacon.kind)
        try json.object { json in
          json.pair("kind", "\(format.name)")
          json.pair("id", beacon.identity.isEmpty ? nil : format.identityText(beacon.identity))
        }
      }
    }
    try list("names", profile.names.map { String(decoding: $0, as: UTF8.self) }, &json)
    try list("labels", advertiser.labels.all, &json)
    try list("services", profile.services.map { AdvertiserText.hex($0) }, &json)
    json.key("companies")
    try json.array { json in for number in profile.companies { json.int(Int(number)) } }
    try list("refused", profile.refused.map(\.name), &json)
  }

  private static func list(
    _ name: String, _ values: [String], _ json: inout JSONWriter
  ) throws {
    json.key(name)
    try json.array { json in for value in values { json.string(value) } }
  }

  private static let columns =
    "address,address_type,reports,minutes,first,last,rssi_min,rssi_median,rssi_max,beacons,name,labels,"
    + "services,companies,perhaps_next,refused"

  /// What there are several of stands in one cell, with blanks between; of names the first one alone.
  package static func csv(
    _ order: [Int], _ census: borrowing AdvertiserCensus
  ) -> [String] {
    var lines = [columns]
    for number in order {
      let (advertiser, profile) = (census.advertisers[number], census.profiles[number])
      let signal = profile.signals.range
      var text = ByteText()
      text.address(advertiser.address)
      text.text(of: ",\(advertiser.address.kindName),\(profile.reports),\(profile.minutes),")
      text.time(profile.first)
      text.text(of: ",")
      text.time(profile.last)
      for value in [signal?.min, signal?.median, signal?.max] {
        text.text(of: "," + (value.map { "\($0)" } ?? ""))
      }
      let beacons = profile.beacons.map { beacon in
        let format = BeaconFormats.format(beacon.kind)
        return "\(format.name)"
          + (beacon.identity.isEmpty ? "" : ":\(format.identityText(beacon.identity))")
      }
      let cells = [
        beacons.joined(separator: " "),
        profile.names.first.map { String(decoding: $0, as: UTF8.self) } ?? "",
        advertiser.labels.all.joined(separator: " "),
        profile.services.map { AdvertiserText.hex($0) }.joined(separator: " "),
        profile.companies.map { "\($0)" }.joined(separator: " "), next(number, census) ?? "",
        profile.refused.map(\.name).joined(separator: " "),
      ]
      for cell in cells {
        text.text(of: ",")
        text.csv(CSVCell.line(cell))
      }
      lines.append(text.string)
    }
    return lines
  }
}
