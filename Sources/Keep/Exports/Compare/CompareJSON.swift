package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `compare --format json`. The keys are a contract: see FORMATS.md.
package enum CompareJSON {
  /// - Parameter names: what beacons are called.
  package static func write(
    _ comparison: Comparison, names: SiteNames = SiteNames(), to output: any TextOutput
  ) throws {
    var json = JSONWriter(output, lineDepth: 2)
    let (before, now) = (comparison.before.beacons, comparison.now.beacons)
    try json.object { json in
      json.key("before")
      try json.side(comparison.before)
      json.key("after")
      try json.side(comparison.now)
      json.key("counts")
      try json.object { json in
        json.pair("before", comparison.countBefore)
        json.pair("after", comparison.countNow)
        json.pair("missing", comparison.missing.count)
        json.pair("new", comparison.new.count)
        json.pair("changed", comparison.changed.count)
        json.pair("same", comparison.same)
      }
      json.pair("last_part_from", comparison.latelyFrom ?? .none)
      json.key("missing")
      try json.array { json in
        for missing in comparison.missing { try json.missing(missing, before, now, names) }
      }
      json.key("new")
      try json.array { json in for new in comparison.new { try json.new(new, before, now, names) } }
      json.key("changed")
      try json.array { json in
        for changed in comparison.changed { try json.changed(changed, comparison, names) }
      }
      json.key("not_matched")
      try json.array { json in
        for (kind, before, now) in CompareWords.notMatched(comparison) {
          try json.object { json in
            json.pair("kind", "\(BeaconFormats.format(kind).name)")
            json.pair("before", before)
            json.pair("after", now)
          }
        }
      }
      json.key("remarks")
      try json.array { json in
        for remark in CompareRemarks.all(comparison) {
          try json.object { json in
            json.pair("code", remark.code)
            json.pair("text", remark.text)
          }
        }
      }
    }
    try json.finish()
  }

  /// Where nothing of a side could be read: the same keys, with nothing in them that was not found out.
  package static func writeUncompared(
    _ before: ComparedSide, _ now: ComparedSide, to output: any TextOutput
  ) throws {
    var json = JSONWriter(output, lineDepth: 2)
    try json.object { json in
      json.key("before")
      try json.side(before)
      json.key("after")
      try json.side(now)
      json.pair("counts", String?.none)
      json.pair("last_part_from", Timestamp.none)
      for name in ["missing", "new", "changed", "not_matched"] {
        json.key(name)
        try json.array { _ in }
      }
      json.key("remarks")
      try json.array { json in
        try json.object { json in
          json.pair("code", "not_compared")
          json.pair("text", CompareRemarks.notCompared(before, now))
        }
      }
    }
    try json.finish()
  }
}

extension JSONWriter {
  fileprivate mutating func side(_ side: ComparedSide) throws {
    try object { json in
      json.key("captures")
      try json.array { json in
        for capture in side.result.captures {
          try json.object { json in
            json.pair("capture", capture.name)
            json.pair("sha256", HexText.string(capture.sha256))
          }
        }
      }
      json.pair("from", side.first)
      json.pair("to", side.last)
      json.pair("scanned_s", Double(side.scanned) / 1e9, decimals: 6)
      json.pair("listened_s", Double(side.listened) / 1e9, decimals: 6)
      json.pair("receivers", side.receivers)
      json.pair("reports", side.reports)
      try json.channels(side.channels)
      try json.notRead(side.result)
    }
  }

  /// - Parameter names: nil: what it is called is not told.
  private mutating func identity(
    _ place: Int, _ beacons: BeaconSummaries, _ names: SiteNames? = nil
  ) {
    let identity = beacons.identity(at: place)
    pair("kind", "\(BeaconFormats.format(identity.kind).name)")
    pair("id", beacons.text(identity))
    if let name = names?.name(of: place, in: beacons) { pair("name", name) }
  }

  private mutating func address(_ name: String, _ address: DeviceAddress) {
    pair(name, BeaconTable.address(address))
  }

  private mutating func figures(_ beacon: BeaconSummary) {
    pair("sightings", beacon.sightings)
    pair("first_seen", beacon.first)
    pair("last_seen", beacon.last)
    pair("rssi_median", beacon.rssi?.median)
  }

  /// What addresses send on the other side.
  private mutating func others(
    _ name: String, _ others: [(place: Int, address: DeviceAddress)], _ beacons: BeaconSummaries
  ) throws {
    key(name)
    try array { json in
      for (place, address) in others {
        try json.object { json in
          json.address("address", address)
          json.identity(place, beacons)
        }
      }
    }
  }

  private mutating func channels(_ channels: [Int]?) throws {
    guard let channels else { return pair("channels", Int?.none) }
    key("channels")
    try array { json in for channel in channels { json.int(channel) } }
  }

  private mutating func names(_ name: String, _ names: [String]) throws {
    key(name)
    try array { json in for name in names { json.string(name) } }
  }

  fileprivate mutating func missing(
    _ missing: Comparison.Missing, _ before: BeaconSummaries, _ now: BeaconSummaries,
    _ names: SiteNames
  ) throws {
    try object { json in
      json.identity(missing.place, before, names)
      json.figures(before[missing.place])
      json.pair("grade", missing.grade.rawValue)
      json.pair("doubt", missing.doubt?.rawValue)
      json.pair("heard_most_by", missing.heardMostBy)
      try json.names("heard_by", missing.heardBy)
      json.pair("expected_sightings", missing.expected, decimals: 1)
      json.pair("others_before", missing.others)
      json.pair("others_after", missing.othersNow)
      try json.others("addresses_send", missing.successors, now)
      if !missing.refusedNow.isEmpty {
        json.key("refused_now")
        try json.array { json in
          for refused in missing.refusedNow {
            try json.object { json in
              json.address("address", refused.address)
              json.pair("code", refused.reason.name)
              json.pair("count", refused.count)
            }
          }
        }
      }
    }
  }

  fileprivate mutating func new(
    _ new: Comparison.New, _ before: BeaconSummaries, _ now: BeaconSummaries, _ names: SiteNames
  ) throws {
    try object { json in
      json.identity(new.place, now, names)
      json.figures(now[new.place])
      try json.names("heard_by", new.heardBy)
      try json.others("addresses_sent", new.predecessors, before)
    }
  }

  fileprivate mutating func changed(
    _ changed: Comparison.Changed, _ comparison: Comparison, _ names: SiteNames
  ) throws {
    let (before, now) = (comparison.before.beacons, comparison.now.beacons)
    let radio = comparison.signals.radioName(of: changed.before, comparison)
    let radioLately = comparison.signalsLately?.radioName(of: changed.before, comparison)
    try object { json in
      json.identity(changed.before, before, names)
      json.pair("sightings_before", before.sightings(at: changed.before))
      json.pair("sightings_after", now.sightings(at: changed.now))
      json.key("changes")
      try json.array { json in
        for change in changed.changes { try json.change(change, changed, comparison, radio) }
      }
      json.key("changes_lately")
      try json.array { json in
        for change in changed.lately {
          try json.change(change, changed, comparison, radioLately)
        }
      }
    }
  }

  private mutating func hearings(_ radios: [BeaconChange.Hearing]) throws {
    key("observers")
    try array { json in
      for radio in radios {
        try json.object { json in
          json.pair("observer", radio.radio)
          json.pair("before", radio.before)
          json.pair("after", radio.now)
        }
      }
    }
  }

  private mutating func added(_ addresses: [DeviceAddress], to beacon: BeaconSummary) throws {
    key("added")
    try array { json in for address in addresses { json.string(BeaconTable.address(address)) } }
    key("added_first_seen")
    try array { json in for address in addresses { json.time(beacon.firstHeard(from: address)) } }
  }

  /// - Parameter radio: whose signals changed, where that is one of several.
  private mutating func change(
    _ change: BeaconChange, _ changed: Comparison.Changed, _ comparison: Comparison,
    _ radio: String?
  ) throws {
    let (before, now) = (comparison.before.beacons, comparison.now.beacons)
    try object { json in
      json.pair("what", change.name)
      switch change {
      case .fellSilent(let last, let end, let radio):
        json.pair("last_seen", last)
        json.pair("listened_until", end)
        json.pair("observer", radio)
      case .swapped(let other, let from, let to):
        json.key("with")
        try json.object { $0.identity(other, before) }
        json.address("before", from)
        json.address("after", to)
      case .moreAddresses(let old, let new, let added):
        json.pair("before", old)
        json.pair("after", new)
        try json.added(added, to: now[changed.now])
      case .changesAddress(let new):
        json.pair("before", 1)
        json.pair("after", new)
      case .keepsAddress(let old):
        json.pair("before", old)
        json.pair("after", 1)
      case .otherAddress(let from, let to):
        json.address("before", from)
        json.address("after", to)
        json.pair("before_type", from.kindName.description)
        json.pair("after_type", to.kindName.description)
      case .battery(let old, let new):
        json.pair("before", old)
        json.pair("after", new)
      case .temperature(let old, let new):
        json.pair("before", old.map { Double($0) / 256 }, decimals: 1)
        json.pair("after", new.map { Double($0) / 256 }, decimals: 1)
      case .fewerAddresses(let old, let new), .signal(let old, let new):
        json.pair("before", old)
        json.pair("after", new)
        if case .signal = change { json.pair("observer", radio) }
      case .heardBy(let radios):
        try json.hearings(radios)
        json.key("changed_places_with")
        if let other = changed.swappedPlacesWith {
          try json.object { $0.identity(other, before) }
        } else {
          json.string(nil)
        }
      case .power(let old, let new):
        json.pair("before_min", old.min)
        json.pair("before", old.max)
        json.pair("after_min", new.min)
        json.pair("after", new.max)
      case .interval(let old, let new):
        json.pair("before", old / 1_000_000, decimals: 1)
        json.pair("after", new / 1_000_000, decimals: 1)
        json.pair("since", changed.intervalSince ?? .none)
      case .twoSenders(let interval, let apart):
        json.pair("before", interval / 1_000_000, decimals: 1)
        json.pair("apart_ms", apart / 1_000_000, decimals: 1)
      case .restarted(let time): json.pair("at", time)
      case .uptimeRate(let old, let new):
        json.pair("before", old, decimals: 2)
        json.pair("after", new, decimals: 2)
      case .away(let old, let new):
        json.pair("before", old / 1e9, decimals: 1)
        json.pair("after", new / 1e9, decimals: 1)
      }
    }
  }
}

extension BeaconChange {
  /// As JSON names it, with its unit.
  fileprivate var name: String {
    switch self {
    case .fellSilent: "fell_silent"
    case .swapped: "addresses_swapped"
    case .moreAddresses: "addresses_at_once"
    case .changesAddress: "addresses_in_turn"
    case .keepsAddress: "addresses_no_longer_in_turn"
    case .otherAddress: "address"
    case .fewerAddresses: "fewer_addresses_at_once"
    case .power: "power_dbm"
    case .interval: "interval_ms"
    case .twoSenders: "two_senders_interval_ms"
    case .battery: "battery_mv"
    case .temperature: "temperature_c"
    case .restarted: "restarted"
    case .uptimeRate: "uptime_rate"
    case .signal: "rssi_median_dbm"
    case .away: "away_s"
    case .heardBy: "heard_by"
    }
  }
}
