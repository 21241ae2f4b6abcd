package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// `advise --format json`. The keys are a contract: see FORMATS.md.
package enum AdviseJSON {
  package static func write(
    _ advice: ExitAdvice, _ result: AnalysisResult, to output: any TextOutput
  ) throws {
    var json = JSONWriter(output, lineDepth: 4)
    try json.object { json in
      json.key("captures")
      try json.array { json in
        for capture in result.captures {
          try json.object { json in
            json.pair("capture", capture.name)
            json.pair("sha256", HexText.string(capture.sha256))
          }
        }
      }
      json.pair("profile", advice.profile.name)
      json.seconds("returned_within_s", advice.returned)
      json.key("duplicates_filtered")
      try json.array { json in
        for observer in advice.filtering {
          json.string(result.timeline?.observers[observer].name)
        }
      }
      json.key("regions")
      try json.array { json in
        for place in advice.places { try json.place(place, advice, result) }
      }
      try json.notRead(result)
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func seconds(_ name: String, _ nanoseconds: Int64?) {
    key(name)
    guard let nanoseconds else { return string(nil) }
    // To the nanosecond, which a binary fraction does not hold, without the zeros behind.
    var fraction = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let text = "\(nanoseconds / 1_000_000_000)" + (fraction.isEmpty ? "" : "." + fraction)
    raw { $0.text(of: text) }
  }

  fileprivate mutating func place(
    _ place: ExitAdvice.Place, _ advice: ExitAdvice, _ result: AnalysisResult
  ) throws {
    let timeline = result.timeline
    try object { json in
      json.pair("region", timeline?.regions[place.region].identifier)
      json.pair("observer", timeline?.observers[place.observer].name)
      json.seconds("exit_after_s", place.present)
      json.seconds("inside_s", place.inside)
      json.seconds("listened_s", place.listened)
      json.seconds("scan_window_s", place.windows?.length)
      json.seconds("scan_interval_s", place.windows?.interval)
      json.pair("sightings", place.sightings)
      json.seconds("shortest_clean_s", place.shortest)
      json.seconds("shortest_exact_s", place.exact)
      json.seconds("clean_from_s", place.steady)
      json.pair("most_per_day", place.mostPerDay, decimals: 3)
      json.key("exit_periods")
      try json.array { json in for row in place.rows { try json.row(row, place) } }
      json.key("beacons")
      try json.array { json in
        for beacon in place.beacons {
          try json.beacon(beacon, advice, result, isReckoned: place.windows == nil)
        }
      }
    }
  }

  private mutating func row(_ row: ExitAdvice.Row, _ place: ExitAdvice.Place) throws {
    try object { json in
      json.seconds("exit_after_s", row.period)
      json.seconds("told_after_s", row.toldAfter)
      json.pair("tested", row.isTested)
      json.pair("exits", row.exits)
      json.pair("gone", row.gone)
      json.pair("thin", row.thin)
      json.pair("graded_deaf", row.gradedDeaf)
      json.pair("looks_false", row.looksFalse)
      json.pair("looks_false_per_day", AdviseFigures.perDay(row, of: place), decimals: 3)
      json.pair("deaf", row.deaf)
      json.pair("stayed_away", row.stayedAway)
      json.pair("not_known", row.notKnown)
    }
  }

  private static func source(_ pace: BeaconPace) -> String {
    switch pace.intervalSource {
    case .gaps: "gaps"
    case .receiver: "other_receiver"
    case .telemetry: "telemetry"
    }
  }

  private static func reason(_ why: BeaconPace.Untold) -> String {
    switch why {
    case .seldom: "seldom_heard"
    case .lossy: "lossy"
    case .filtered: "duplicates_filtered"
    case .partly: "radio_listened_partly"
    case .changed: "interval_changed"
    case .several: "several_devices"
    }
  }

  private static func intervalBefore(_ beacon: ExitAdvice.Beacon) -> Double? {
    if case .changed(let first, _) = beacon.untold { return first }
    return beacon.pace?.change?.before
  }

  private mutating func beacon(
    _ beacon: ExitAdvice.Beacon, _ advice: ExitAdvice, _ result: AnalysisResult, isReckoned: Bool
  ) throws {
    let statistics = result.statistics
    let transmitter = statistics.transmitters[UInt32(beacon.transmitter)]
    let identity = statistics.identities[transmitter.identity]
    let format = BeaconFormats.format(identity.kind)
    try object { json in
      json.pair("kind", "\(format.name)")
      json.pair("id", format.identityText(statistics.identities.bytes(of: identity)))
      json.pair(
        "address",
        transmitter.address.isPresent ? BeaconTable.address(transmitter.address) : nil as String?)
      json.pair("sightings", beacon.sightings)
      json.pair("interval_ms", beacon.pace.map { $0.interval / 1e6 }, decimals: 3)
      json.pair("loss", beacon.pace?.loss, decimals: 6)
      json.pair("missed", beacon.pace?.missed, decimals: 6)
      json.pair("loss_by", beacon.pace?.source.rawValue)
      json.pair("gaps", beacon.pace?.gaps)
      json.pair("count_fault", beacon.countFault?.rawValue)
      json.pair("interval_by", beacon.pace.map { Self.source($0) })
      if case .receiver(let observer)? = beacon.pace?.intervalSource {
        json.pair("interval_heard_by", result.timeline?.observers[observer].name)
      }
      json.pair("not_known_for", beacon.pace == nil ? beacon.untold.map { Self.reason($0) } : nil)
      json.pair("interval_changed_at", beacon.pace?.change?.since ?? .none)
      json.pair("interval_before_ms", Self.intervalBefore(beacon).map { $0 / 1e6 }, decimals: 3)
      json.seconds("longest_silence_s", beacon.longest)
      json.pair("last_heard", beacon.last)
      json.seconds("silent_at_end_s", beacon.silentAtEnd)
      json.key("silences")
      try json.array { json in
        for (place, period) in advice.periods.enumerated() {
          try json.object { json in
            json.seconds("longer_than_s", period)
            json.pair("heard", beacon.silences[place])
            json.pair(
              "expected",
              beacon.isOfPart || !isReckoned
                ? nil : beacon.pace.map { Double($0.gaps) * $0.probability(ofSilence: period) },
              decimals: 6)
            json.pair(
              "expected_per_day", isReckoned ? beacon.pace?.expectedPerDay(period) : nil,
              decimals: 6)
          }
        }
      }
    }
  }
}
