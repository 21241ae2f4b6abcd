import Analysis
package import Beacons
import CaptureReader
package import FrameDecoder
import Regions

/// The table of beacons: two lines each, grouped by what they have in common.
package struct BeaconTable {
  let style: Style
  let showsAll: Bool

  private static let nameWidth = 27

  /// Where there may have been some all the same.
  private func notRead(_ result: AnalysisResult) -> [String] {
    let packets = result.captures.reduce(0) { $0 + ($1.accounting.periodic?.count ?? 0) }
    guard packets > 0 else { return [] }
    return TextLayout.wrap(
      "but \(TextColumns.counted(packets, "packet")) of periodic advertising \(packets == 1 ? "is" : "are") not read, "
        + "and may have some", indent: 2)
  }

  func lines(
    _ beacons: BeaconSummaries, _ chains: IdentifierChains, _ result: AnalysisResult
  ) -> [String] {
    guard !beacons.isEmpty else {
      return [style.bold("BEACONS") + "  none: no iBeacon, Eddystone or AltBeacon payload was seen"]
        + notRead(result)
    }
    var lines = [style.bold(heading)]
    let entries = BeaconEntries(chains: chains)
    let shown = grouped(
      showsAll ? entries.all(beacons) : entries.mostFrequent(beacons, AnalysisText.mostBeacons),
      beacons)
    let known = Self.onlyDay(result)
    var group = ""
    var scratch = SummaryScratch()
    let filtering = result.filteringObservers
    for entry in shown {
      let beacon =
        entry.isChain
        ? beacons.summary(ofAll: entry.chain, &scratch) : beacons.summary(at: entry.place, &scratch)
      let identity = beacons.bytes(beacon.identity)
      let title = Self.group(beacon.kind, identity)
      if title != group {
        lines.append(style.bold(title))
        group = title
      }
      lines += row(beacon, name(entry, beacons), isChain: entry.isChain, within: known)
      if entry.isChain { lines += identifiers(entry, beacons, within: known) }
      if result.observers.count > 1 {
        lines += receivers(
          beacons.receptions(ofAll: entry.places, &scratch), result.observers, filtering)
      }
    }
    let more = entries.count(beacons) - shown.count
    if more > 0 { lines.append("  …\(TextColumns.grouped(more)) more, seen less often (--all)") }
    return lines + legend(shown)
  }

  private func name(_ entry: BeaconEntries.Entry, _ beacons: BeaconSummaries) -> String {
    if entry.isChain { return "\(TextColumns.grouped(entry.chain.count)) identifiers in turn" }
    let identity = beacons.identity(at: entry.place)
    return Self.name(identity.kind, beacons.bytes(identity))
  }

  /// The identifiers of a chain: the last one, and with all of them when each was heard.
  private func identifiers(
    _ entry: BeaconEntries.Entry, _ beacons: BeaconSummaries, within known: Timestamp
  ) -> [String] {
    func text(_ place: Int) -> String {
      let identity = beacons.identity(at: place)
      return Self.name(identity.kind, beacons.bytes(identity))
    }
    guard showsAll else {
      return [style.dim("    the last \(text(entry.chain[entry.chain.count - 1]))")]
    }
    var scratch = SummaryScratch()
    return entry.chain.map { place in
      let heard = beacons.summary(at: place, &scratch)
      let span = TextColumns.span(heard.first, heard.last, within: known)
      return style.dim("    \(text(place))  \(span)  × \(TextColumns.grouped(heard.sightings))")
    }
  }

  /// What a chain is, below the table that has one.
  private func legend(_ shown: [BeaconEntries.Entry]) -> [String] {
    guard shown.contains(where: \.isChain) else { return [] }
    return TextLayout.wrap(
      "in turn: what an address sent one after the other, or several addresses that had one in common: one beacon, "
        + "it seems; its key alone proves it (--keys)", indent: 2, hanging: 2
    ).map { style.dim($0) }
  }

  /// A time of the day that all captures are of, which stands above; none where they are of several: then
  /// each line says which.
  private static func onlyDay(_ result: AnalysisResult) -> Timestamp {
    let times = result.captures.flatMap { [$0.span.earliest, $0.span.latest] }.filter(\.isKnown)
    guard let first = times.first else { return .none }
    let day = TextColumns.date(first)
    return times.allSatisfy { TextColumns.date($0) == day } ? first : .none
  }

  private var heading: String {
    TextColumns.row(
      TextColumns.left("BEACONS", Self.nameWidth + 2),
      ["seen", "interval", "RSSI min/med/max", "power"], [9, 10, 19, 8])
  }

  /// Groups stay together; inside a group the most frequent beacon comes first.
  private func grouped(
    _ entries: [BeaconEntries.Entry], _ beacons: BeaconSummaries
  ) -> [BeaconEntries.Entry] {
    entries.enumerated().map { order, entry in
      (entry: entry, key: Self.key(beacons.identity(at: entry.place), order))
    }
    .sorted { $0.key < $1.key }.map(\.entry)
  }

  /// Kind, the bytes that the title is made of, place in the order of how often they were heard.
  private static func key(_ identity: BeaconIdentity, _ order: Int)
    -> (UInt8, UInt64, UInt64, UInt64, Int)
  {
    let shared = IdentityPrefix(of: identity, count: sharedBytes[identity.kind])
    let words = shared?.identity.words ?? (0, 0, 0)
    return (identity.kind.rawValue, words.0, words.1, words.2, order)
  }

  private static let sharedBytes = BeaconKindTable(otherwise: 0) { $0.sharedBytes }

  /// Kind, and the part of the identity that a site's beacons share.
  /// - Parameter identity: its bytes.
  package static func group(_ kind: BeaconKind, _ identity: [UInt8]) -> String {
    let format = BeaconFormats.format(kind)
    switch format.telemetry {
    case .plain: return "\(format.title) without an identity"
    case .encrypted: return "\(format.title) (encrypted) without an identity"
    case .none:
      let shared = format.sharedText(identity)
      return shared.isEmpty ? format.title : "\(format.title)  \(shared)"
    }
  }

  /// A kind of beacon, for people.
  package static func kind(_ kind: BeaconKind) -> String { BeaconFormats.format(kind).title }

  /// What is left of the identity inside its group.
  /// - Parameter identity: its bytes.
  package static func name(_ kind: BeaconKind, _ identity: [UInt8], between: String = " : ")
    -> String
  {
    TextColumns.printable(
      BeaconFormats.format(kind).ownTexts(identity).joined(separator: between))
  }

  private func row(
    _ beacon: BeaconSummary, _ name: String, isChain: Bool, within known: Timestamp
  ) -> [String] {
    var cells = [
      (TextColumns.grouped(beacon.sightings), 9),
      (Self.interval(beacon).map { TextColumns.interval($0) } ?? "–", 10),
    ]
    cells += signal(beacon)
    // What decoders of plugins make has no power, and a device by itself neither.
    if ![.custom, .device].contains(beacon.kind) { cells.append((power(beacon), 8)) }
    let isAbove = name.columns > Self.nameWidth
    let figures = TextColumns.row(
      TextColumns.left("  " + (isAbove ? "" : name), Self.nameWidth + 2), cells.map(\.0),
      cells.map(\.1))
    return (isAbove ? ["  " + name] : []) + [figures]
      + details(beacon, isChain: isChain, within: known)
  }

  /// How often it sends, where that is clearly more often than it is heard; else how often it is heard.
  private static func interval(_ beacon: BeaconSummary) -> Double? {
    isMissed(beacon) ? beacon.ownInterval : beacon.medianInterval
  }

  /// Whether others were missed between those that were heard.
  private static func isMissed(_ beacon: BeaconSummary) -> Bool {
    (beacon.ownInterval ?? .infinity) < clearlyShorter * (beacon.medianInterval ?? 0)
  }

  /// Cells and their widths.
  private func signal(_ beacon: BeaconSummary) -> [(String, Int)] {
    guard let rssi = beacon.rssi else { return [("not given", 19)] }
    return [("\(rssi.min)", 8), ("\(rssi.median)", 6), ("\(rssi.max)", 5)]
  }

  private func power(_ beacon: BeaconSummary) -> String {
    guard let power = beacon.power else { return "" }
    let largest = Remarks.signed(power.max)
    return power.min == power.max ? largest : "\(Remarks.signed(power.min))…\(largest)"
  }

  private static let mostAddresses = 4
  /// Of the interval as heard.
  private static let clearlyShorter = 0.75

  /// - Parameter isChain: that its addresses come one after the other is known.
  private func details(
    _ beacon: BeaconSummary, isChain: Bool, within known: Timestamp
  ) -> [String] {
    var parts: [String] = []
    // The times are those of all of them.
    if beacon.sources.count > 1 {
      parts.append(TextColumns.counted(beacon.sources.count, "address", "addresses"))
    } else if let only = beacon.sources.first {
      parts.append(Self.address(only.address))
    }
    // The name of a device stands above.
    if let device = beacon.device, beacon.kind != .device {
      parts.append("of \(TextColumns.printable(device))")
    }
    parts.append(TextColumns.span(beacon.first, beacon.last, within: known))
    if let battery = beacon.telemetry?.battery {
      parts.append("\(TextColumns.grouped(battery)) mV")
    }
    if let raw = beacon.telemetry?.temperature { parts.append(TextColumns.celsius(raw)) }
    if let encrypted = beacon.encryptedTelemetry {
      // It goes by the address: of several identities each would have all of it.
      parts.append(
        "eTLM × \(TextColumns.grouped(encrypted.sightings))"
          + (beacon.companions > 0 ? " (of its address)" : ""))
    }
    var lines = Self.rows(parts).map { style.dim($0) }
    if showsAll, Self.isMissed(beacon), let median = beacon.medianInterval {
      lines.append(style.dim("    heard every \(TextColumns.interval(median)), the middle one"))
    }
    if beacon.sources.count > 1 {
      let listed = beacon.sources.prefix(Self.mostAddresses).map {
        "\(Self.address($0.address)) (\(TextColumns.grouped($0.sightings)))"
      }
      let more = beacon.sources.count - listed.count
      let isExpected = beacon.device != nil || isChain
      let text =
        (isExpected ? "" : "! ") + listed.joined(separator: ", ")
        + (more > 0 ? " and \(TextColumns.counted(more, "other"))" : "")
      lines += TextLayout.wrap(text, indent: 4, hanging: isExpected ? 0 : 2)
        .map { isExpected ? style.dim($0) : style.warning($0) }
    }
    return lines
  }

  private static let mostReceivers = 4
  static let mostNamed = 12

  /// By whom it was heard, who hears it best first. Who heard it a tenth as often as another one, or less, comes
  /// behind: a radio that loses most of what is weak heard the strong packets only.
  /// - Parameter filtering: names of those that tell of nobody twice, whose number says nothing.
  private func receivers(
    _ receptions: [Reception], _ names: [String], _ filtering: Set<String>
  ) -> [String] {
    let most = receptions.map(\.sightings).max() ?? 0
    func isSeldom(_ heard: Reception) -> Bool {
      heard.sightings * 10 <= most && !filtering.contains(names[heard.observer])
    }
    let best = receptions.sorted { one, other in
      let seldom = (isSeldom(one), isSeldom(other))
      if seldom.0 != seldom.1 { return seldom.1 }
      return (other.rssi?.median ?? .min, other.sightings, one.observer)
        < (one.rssi?.median ?? .min, one.sightings, other.observer)
    }
    // Where captures of one radio are taken for many, their names would bury the table.
    let shown = showsAll ? best.count : names.count > Self.mostNamed ? 1 : Self.mostReceivers
    let told = best.prefix(shown).map { heard in
      TextColumns.printable(names[heard.observer]) + (heard.rssi.map { " \($0.median)" } ?? "")
    }
    let more = best.count - told.count
    let text =
      "heard by " + told.joined(separator: ", ")
      + (more > 0 ? " and \(TextColumns.counted(more, "other"))" : "")
    return TextLayout.wrap(text, indent: 4, hanging: 2).map { style.dim($0) }
  }

  /// As many parts in a line as there is room for.
  private static func rows(_ parts: [String]) -> [String] {
    var rows: [String] = []
    for part in parts {
      if let last = rows.last, last.columns + 2 + part.columns <= AnalysisText.width {
        rows[rows.count - 1] = last + "  " + part
      } else {
        rows.append((rows.isEmpty ? "    " : "      ") + part)
      }
    }
    return rows
  }

  package static func address(_ address: DeviceAddress) -> String {
    guard address.isPresent else { return "\(address.kindName)" }
    var text = ByteText()
    text.address(address)
    return text.string
  }
}
