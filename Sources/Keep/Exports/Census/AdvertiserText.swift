package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// `devices --each` for people.
package struct AdvertiserText {
  private let style: Style
  private let showsAll: Bool
  private static let most = 40
  private static let nameWidth = 36

  package init(style: Style, showsAll: Bool) {
    self.style = style
    self.showsAll = showsAll
  }

  /// - Parameter order: numbers of the advertisers.
  package func lines(
    _ order: [Int], _ census: borrowing AdvertiserCensus, by way: AdvertiserOrder
  ) -> [String] {
    guard !order.isEmpty else { return CensusText.nobody(census, style) }
    let first = order.reduce(Timestamp.none) { first, number in
      let time = census.profiles[number].first
      return !first.isKnown || time.nanoseconds < first.nanoseconds ? time : first
    }
    let words =
      switch way {
      case .heard: "most heard first"
      case .first: "by when they were heard first"
      case .signal: "the strongest first"
      }
    var lines = [
      style.bold("DEVICES") + "   \(TextColumns.counted(order.count, "address", "addresses")), "
        + "\(words); \(TextColumns.date(first)), \(ClockZone.shown.label(first))", "",
      style.dim(
        TextColumns.left("", Self.nameWidth) + TextColumns.right("reports", 8)
          + TextColumns.right("minutes", 9) + TextColumns.right("RSSI min/med/max", 19)),
    ]
    for number in order.prefix(showsAll ? .max : Self.most) {
      lines += row(census.advertisers[number], census.profiles[number], within: first)
      lines += succession(number, census)
    }
    let more = showsAll ? 0 : order.count - Self.most
    if more > 0 { lines.append(style.dim("…\(TextColumns.grouped(more)) more (--all)")) }
    return lines + [""] + CensusText(style: style).leftOut(census)
      + TextLayout.wrap(
        "To follow one: beacontrace analyze --device NAME=ADDRESS. A private address is kept for some minutes only."
          + guess(order, census), indent: 0
      ).map { style.dim($0) }
  }

  /// The addresses of what may be one device: all of them under the first, and that under the others.
  private func succession(_ number: Int, _ census: borrowing AdvertiserCensus) -> [String] {
    func address(_ number: Int) -> String {
      BeaconTable.address(census.advertisers[number].address)
    }
    var (later, text) = (number, "")
    if let before = census.profiles[number].perhapsBefore {
      text = "perhaps \(address(before)) before"
    } else {
      var chain: [String] = []
      while let next = census.profiles[later].perhapsNext {
        chain.append(address(next))
        later = next
      }
      guard !chain.isEmpty else { return [] }
      text = "perhaps then \(chain.joined(separator: ", "))"
    }
    return TextLayout.wrap(text, indent: 2, hanging: 2).map { style.dim($0) }
  }

  /// What is said below of what may be one device.
  private func guess(_ order: [Int], _ census: borrowing AdvertiserCensus) -> String {
    let isTold = order.contains { census.profiles[$0].perhapsNext != nil }
    return isTold
      ? " \"perhaps\": when one ended another began that sends the same, about as strongly, and only one did; give "
        + "both to follow them as one device: NAME=ADDRESS,ADDRESS. That is likely, and no proof."
      : ""
  }

  private func row(
    _ advertiser: AdvertiserCensus.Advertiser, _ profile: AdvertiserProfile,
    within known: Timestamp
  ) -> [String] {
    let kind = Self.kind(advertiser)
    let name = BeaconTable.address(advertiser.address) + "  " + kind
    let signal = profile.signals.range.map { ["\($0.min)", "\($0.median)", "\($0.max)"] }
    let figures = TextColumns.row(
      TextColumns.left(name, Self.nameWidth),
      [TextColumns.grouped(profile.reports), TextColumns.grouped(profile.minutes)]
        + (signal ?? ["not given"]),
      [8, 9] + (signal == nil ? [19] : [7, 6, 6]))
    let span = TextColumns.span(profile.first, profile.last, within: known)
    let said = Self.said(advertiser, profile)
    let details = ([span] + (said.isEmpty ? [] : [said.joined(separator: " · ")])).joined(
      separator: "  ")
    // A name may be as long as an extended advertisement, without a blank.
    return [figures]
      + TextFit.wrap(details, indent: 2, hanging: 2, width: AnalysisText.width)
      .map { style.dim($0) }
  }

  private static func kind(_ advertiser: AdvertiserCensus.Advertiser) -> String {
    switch (advertiser.address.kind, advertiser.address.lifetime) {
    case (.publicDevice, _), (.publicIdentity, _): "public"
    case (.randomIdentity, _), (.random, .long): "static"
    case (.random, .resolvable), (.random, .nonresolvable): "private"
    default: "\(advertiser.address.kindName)".replacing("_", with: " ")
    }
  }

  /// What it says it is: its name, beacons, payloads that claim to be one, labels, and where it has none of these whose
  /// data it sends.
  static func said(
    _ advertiser: AdvertiserCensus.Advertiser, _ profile: AdvertiserProfile
  ) -> [String] {
    let names = profile.names.map { name in
      "\"\(TextColumns.printable(String(decoding: name, as: UTF8.self)))\""
    }
    let beacons = profile.beacons.map { beacon in
      let title = BeaconTable.kind(beacon.kind)
      guard !beacon.identity.isEmpty else { return title }
      let id = BeaconFormats.format(beacon.kind).identityText(beacon.identity)
      return "\(title) \(TextColumns.printable(TextColumns.shortened(id)))"
    }
    let refused = profile.refused.map { "no \($0.claim) (\($0.name))" }
    let labels = advertiser.labels.all.map { $0.replacing("_", with: " ") }
    let data =
      beacons.isEmpty && refused.isEmpty && labels.isEmpty
      ? profile.companies.map { "company 0x\(hex($0))" }
        + profile.services.map { "service 0x\(hex($0))" } : []
    return names + beacons + refused + labels + data
  }

  static func hex(_ number: UInt16) -> String {
    HexText.string([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
  }
}
