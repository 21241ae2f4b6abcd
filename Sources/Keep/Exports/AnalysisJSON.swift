package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `analyze --format json`: captures, beacons, and what is worth knowing about them.
package enum AnalysisJSON {
  package static func write(_ result: AnalysisResult, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    let beacons = result.statistics.summaries()
    try json.object { json in
      json.key("captures")
      try json.array { json in for facts in result.captures { try json.capture(facts) } }
      json.key("beacons")
      try json.array { json in for beacon in beacons { try json.beacon(beacon, result) } }
      json.key("remarks")
      try json.array { json in
        for remark in Remarks.about(result, beacons) { try json.remark(remark) }
      }
      json.key("problems")
      try json.array { json in for problem in result.problems { try json.problem(problem) } }
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func beacon(_ beacon: BeaconSummary, _ result: AnalysisResult) throws {
    let format = BeaconFormats.format(beacon.kind)
    try object { json in
      json.pair("kind", "\(format.name)")
      json.pair("id", beacon.id)
      let bytes = result.statistics.identities.bytes(of: beacon.identity)
      for field in format.identityFields(bytes) {
        json.key("\(field.name)")
        json.raw { $0.json(field.value) }
      }
      json.pair("sightings", beacon.sightings)
      json.pair("first_seen", beacon.first)
      json.pair("last_seen", beacon.last)
      json.key("median_interval_ms")
      json.number(beacon.medianInterval.map { $0 / 1_000_000 }, decimals: 1)
      json.pair("rssi_min", beacon.rssi?.min)
      json.pair("rssi_median", beacon.rssi?.median)
      json.pair("rssi_max", beacon.rssi?.max)
      if let power = beacon.power {
        let name = format.powerDistance == 1 ? "measured_power" : "tx_power"
        json.pair(name, power.max)
        if power.min != power.max { json.pair("\(name)_min", power.min) }
      }
      try json.transmitters(beacon, result)
      if let telemetry = beacon.telemetry { try json.telemetry(telemetry) }
      if let encrypted = beacon.encryptedTelemetry {
        json.key("encrypted_telemetry")
        try json.object { json in
          json.pair("sightings", encrypted.sightings)
          json.pair("last_seen", encrypted.last)
        }
      }
      json.pair("other_identities_of_its_addresses", beacon.companions)
      json.key("warnings")
      try json.array { json in
        for (bit, name) in BeaconWarnings.names.enumerated()
        where beacon.warnings.rawValue & (1 << UInt32(bit)) != 0 { json.string("\(name)") }
      }
    }
  }

  private mutating func transmitters(_ beacon: BeaconSummary, _ result: AnalysisResult) throws {
    key("transmitters")
    try array { json in
      for source in beacon.sources {
        try json.object { json in
          json.key("address")
          if source.address.isPresent {
            json.raw { text in
              text.text("\"")
              text.address(source.address)
              text.text("\"")
            }
          } else {
            json.string(nil)
          }
          json.pair("address_type", "\(source.address.kindName)")
          json.pair("sightings", source.sightings)
          json.pair("first_seen", source.first)
          json.pair("last_seen", source.last)
          json.pair("first_capture", result.captureNames[source.firstCapture])
          json.pair("first_frame", source.firstFrame)
          json.key("observers")
          try json.array { json in
            for place in source.observers { json.string(result.observers[place]) }
          }
        }
      }
    }
  }

  private mutating func telemetry(_ telemetry: Telemetry) throws {
    key("telemetry")
    try object { json in
      json.pair("time", telemetry.time)
      json.pair("sightings", telemetry.sightings)
      json.pair("battery_mv", telemetry.battery)
      json.key("temperature_c")
      if let raw = telemetry.temperature {
        json.raw { $0.decimal(raw, 256) }
      } else {
        json.string(nil)
      }
      json.pair("adv_count", telemetry.advertisements)
      json.key("uptime_s")
      json.raw { $0.decimal(telemetry.uptime, 10) }
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
