import CaseStore
import GRDB
import Regions

/// The table of beacons.
struct BeaconsSection {
  let contents: Contents

  var html: HTMLText {
    guard contents.beacons.count > 0 else {
      return Section.html("beacons", "Beacons", "<p>None was heard.</p>")
    }
    let table = Table(
      id: "beacon-table", caption: "Beacons, those heard most often first",
      columns: [
        .init(title: "Beacon"), .init(title: "Address"), .init(title: "Seen", isNumber: true),
        .init(title: "First (UTC)"), .init(title: "Last"), .init(title: "Interval", isNumber: true),
        .init(title: "RSSI min / med / max", isNumber: true), .init(title: "Power", isNumber: true),
        .init(title: "Worth knowing"),
      ], filter: contents.beacons.count > 5 ? "beacons" : nil)
    return Section.html(
      "beacons", "Beacons",
      CaseQuery.rest(contents.beacons.others, "beacon", table: "beacon_summary")
        + table.html(contents.beacons.rows.map { row($0) })
        + ReceiverTable(contents: contents).html + ReceptionTable(contents: contents).html)
  }

  private func row(_ beacon: BeaconRow) -> HTMLText {
    let id = beacon.id ?? 0
    let rssi: String =
      if let low = beacon.rssiMin, let median = beacon.rssiMedian, let high = beacon.rssiMax {
        "\(Words.minus(low)) / \(Words.minus(median)) / \(Words.minus(high))"
      } else {
        "not told"
      }
    let interval = beacon.medianIntervalMs.map { Words.interval(milliseconds: $0) } ?? ""
    return """
      <tr><th scope="row"><a href="#beacon-\(id)" aria-label="\(beacon.kindName) \(beacon.identity)">\(beacon.kindName)</a> <span class="id">\(beacon.identity)</span></th>\
      <td class="id address">\(addresses(id))</td>\(Table.number(Words.number(beacon.sightings), Double(beacon.sightings)))\
      <td class="t">\(contents.time(beacon.firstNs))</td><td class="t">\(contents.time(beacon.lastNs))</td>\
      \(Table.number(interval, beacon.medianIntervalMs))\(Table.number(rssi, beacon.rssiMedian.map { Double($0) }))\
      \(Table.number(Self.power(beacon), beacon.powerMax.map { Double($0) }))<td class="warnings">\((beacon.warnings ?? "").replacing("_", with: " "))</td></tr>

      """
  }

  private func addresses(_ beacon: Int64) -> HTMLText {
    let senders = (contents.transmittersOf[beacon] ?? []).compactMap { contents.transmitters[$0] }
    let shown = senders.prefix(3).map { HTMLText(text: $0.address ?? $0.addressType) }
    let rest: HTMLText =
      senders.count > shown.count ? "<br>\(Words.number(senders.count - shown.count)) more" : ""
    return shown.joined("<br>") + rest
  }

  /// `−59 dBm at 1 m`, `+12 dBm at 1 m`; empty where none is known.
  static func power(_ beacon: BeaconRow) -> String {
    guard let low = beacon.powerMin, let high = beacon.powerMax else { return "" }
    let text = low == high ? Words.signed(high) : "\(Words.signed(low))…\(Words.signed(high))"
    return text + "\u{A0}dBm" + (beacon.powerAtM == 1 ? " at 1 m" : " at 0 m")
  }
}

/// Charts of each beacon, one after the other as they are read.
struct BeaconPlots {
  let contents: Contents
  let moments: RangedMoments
  let numbers: RangingNumbers?

  func write(_ database: Database, to page: inout PageWriter) throws {
    guard let scale = contents.scale, contents.beacons.count > 0 else { return }
    try page.add(
      "<section id=\"signals\" aria-labelledby=\"signals-title\"><h2 id=\"signals-title\">Beacons over time</h2>\n"
    )
    let shown = contents.beacons.rows.prefix(Most.plots)
    let together = try Self.together(database, shown.compactMap(\.id))
    for (place, beacon) in shown.enumerated() {
      let id = beacon.id ?? 0
      let signal = try HeardSignals(database, beacon: id, together: together, names: names)
      if place == 0 { try page.add(lead(signal, together) + notDrawn(beside: shown.count)) }
      try page.add(figures(beacon, signal, try TelemetryBins(database, beacon: id), scale))
    }
    try page.add("</section>\n")
  }

  private func notDrawn(beside shown: Int) -> HTMLText {
    let others = contents.beacons.count - shown
    guard others > 0 else { return "" }
    return """
      <p class="note">\(Words.counted(others, "more beacon")), heard less often, not drawn: \
      \(CaseQuery.html("SELECT * FROM signal_bins WHERE beacon_id = 1"))</p>

      """
  }

  /// How many bins of the case are drawn as one, so that the page stays small.
  private static func together(_ database: Database, _ beacons: [Int64]) throws -> Int {
    let ids = beacons.map { String($0) }.joined(separator: ",")
    let count =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM signal_bins WHERE beacon_id IN (\(ids))") ?? 0
    return max(1, (count + Most.bins - 1) / Most.bins)
  }

  /// Where there are several, who heard what is said of each.
  private var names: [Int64: String] {
    guard contents.receivers.count > 1 else { return [:] }
    return Dictionary(
      contents.receivers.map { ($0.id ?? 0, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private func lead(_ signal: HeardSignals, _ together: Int) -> HTMLText {
    let isCut = contents.scale.map { $0.pieces.count > 1 } ?? false
    guard !signal.isEmpty else {
      return "<p class=\"lead\">This case holds no signals over time.</p>\n"
    }
    return """
      <p class="lead">Each step is a bin of \(signal.widths)\(isCut ? ", by the length of its stretch of time" : ""): the band reaches from the weakest sighting in \
      it to the strongest, the line is the \(together > 1 ? "median of its \(together) finer bins' medians" : "median"). Where \
      there is no step, nothing was heard.</p>

      """
  }

  private func figures(
    _ beacon: BeaconRow, _ signal: HeardSignals, _ telemetry: TelemetryBins, _ scale: TimeScale
  ) -> HTMLText {
    let zones = SignalZones(beacon, numbers)
    let ranged = moments.beacons[beacon.id ?? 0] ?? [:]
    let limits = numbers.map {
      (immediate: $0.zones.immediateBelow, near: $0.zones.nearUpTo)
    }
    let heard = signal.plots(scale, zones, ranged, limits).map { $0.html(scale) }
    let others: [HTMLText] = signal.others.map { ["<p class=\"note\">\($0)</p>\n"] } ?? []
    let plots =
      heard + others
      + [signal.intervals(scale), telemetry.battery(scale), telemetry.temperature(scale)]
      .compactMap { $0?.html(scale) }
    let body: HTMLText =
      plots.isEmpty
      ? "<p class=\"note\">No sighting has both a time and a signal strength.</p>"
      : plots.joined() + scale.axis
    return """
      <article class="beacon timed-group" id="beacon-\(beacon.id ?? 0)" tabindex="-1"><h3>\(beacon.kindName) <span class="id">\(beacon.identity)</span></h3>
      <p class="facts">\(facts(beacon, zones, isRanged: !ranged.isEmpty))</p>
      \(body)</article>

      """
  }

  private func facts(_ beacon: BeaconRow, _ zones: SignalZones?, isRanged: Bool) -> String {
    var facts = [Words.counted(beacon.sightings, "sighting")]
    if let interval = beacon.medianIntervalMs {
      facts.append("usual interval \(Words.interval(milliseconds: interval))")
    }
    if let zones {
      facts.append(
        "\(Words.dBm(zones.power)) at 1 m\(zones.isOfSeveral ? " (the strongest that it says)" : ""); zones by \(zones.numbers.distance.model.name) of profile \(zones.numbers.profile)"
      )
    } else {
      facts.append(noZones(beacon))
    }
    if zones != nil, !isRanged {
      facts.append("no distance: it was not among the nearest of a region")
    }
    if let battery = beacon.batteryMv { facts.append("battery \(Words.number(battery)) mV") }
    if let temperature = beacon.temperatureC { facts.append("\(Words.decimal(temperature)) °C") }
    return facts.joined(separator: " · ")
  }

  private func noZones(_ beacon: BeaconRow) -> String {
    let power = BeaconsSection.power(beacon)
    if power.isEmpty { return "its power is not known, so there are no zones and no distance" }
    // Without a profile nothing was ranged.
    guard numbers != nil else { return power }
    return SignalZones.power(beacon) == nil
      ? "\(power) is no usable power, so there are no zones and no distance"
      : "\(power), which reaches none of the zones' limits"
  }
}
