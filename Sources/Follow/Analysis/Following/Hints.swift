import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What is worth knowing about the regions of a run, each once.
struct Hints {
  private(set) var all: [(code: String, text: String)] = []
  private let timeline: Timeline
  private var figures: [Figures]

  /// What its transmitters come to, for each region.
  private struct Figures {
    var identities = 0
    /// Identities that several addresses send, and the most that send one.
    var shared = 0
    var mostAddresses = 1
    /// Of its transmitters with enough sightings.
    var seldom = SeldomHeard()
    /// Of all that its condition takes, whatever its gate; dBm.
    var sightings = 0
    var strongest: Int?
    /// Of these; where there are gates.
    var withoutSignal = 0
  }

  /// A phone monitors no more (SEMANTICS 2, Profiles).
  private static let phoneLimit = 20
  /// Sightings that make a gap usual.
  private static let enough = 10
  /// Examples that a sentence names.
  private static let mostNamed = 3
  /// Regions of which the same is told, each in a sentence; of the others it is told how many they are.
  private static let mostOfOneKind = 100

  init(
    _ timeline: Timeline, _ statistics: BeaconStatistics, _ monitor: borrowing RegionMonitor,
    _ powers: [UnusablePower], isDisplayKnown: Bool, placed: [Timeline.Span?]
  ) {
    self.timeline = timeline
    figures = Self.figures(statistics, monitor, timeline.regions)
    tooMany()
    for (number, region) in timeline.regions.enumerated() {
      wildcard(number, region)
      severalTransmitters(number, region)
      shortPeriod(number, region)
      if region.notifiesEntryOnDisplay, !isDisplayKnown { unseenDisplay(region) }
    }
    same()
    neverMatched(statistics)
    gatedOut()
    if let found = timeline.foundRegions,
      let text = WithoutRegion(statistics.identities, found).text
    {
      add("of_no_region", text)
    }
    unusable(powers, statistics.identities)
    withoutSignal(statistics)
    withoutSignalAtGates()
    flapping(statistics)
    all += CircleHints(timeline, placed: placed).all
  }

  private static func figures(
    _ statistics: BeaconStatistics, _ monitor: borrowing RegionMonitor, _ regions: [Region]
  ) -> [Figures] {
    var figures = [Figures](repeating: Figures(), count: regions.count)
    let hasGates = regions.contains { !$0.gate.isOpen }
    let transmitters = statistics.transmitters
    let byIdentity = FiledNumbers(count: transmitters.count, owners: statistics.identities.count) {
      Int(transmitters[UInt32($0)].identity)
    }
    var gaps = Distribution()
    for identity in 0..<statistics.identities.count {
      let members = byIdentity[identity]
      var addresses: [Int: Set<UInt64>] = [:]
      for member in members {
        var own: [Int] = []
        monitor.forEachRegion(of: Int(member)) { own.append(Int($0)) }
        guard !own.isEmpty else { continue }
        gaps.clear()
        statistics.addGaps(of: Int(member), to: &gaps)
        // What only gates are told with.
        let strongest = hasGates ? statistics.strongestSignal(of: Int(member)) : nil
        let withoutSignal = hasGates ? statistics.withoutSignal(of: Int(member)) : 0
        let usual = gaps.total >= enough ? GapScale.median(gaps) : nil
        let (first, last) = (statistics.rests[Int(member)].first, statistics.last(of: Int(member)))
        for region in own {
          figures[region].sightings += statistics.sightings(of: Int(member))
          figures[region].withoutSignal += withoutSignal
          if let strongest {
            figures[region].strongest = max(figures[region].strongest ?? strongest, strongest)
          }
          if let usual, first.isKnown {
            figures[region].seldom.add(
              observer: Int(transmitters[member].observer), from: first.nanoseconds,
              to: last.nanoseconds, gap: usual)
          }
          // Nearly every identity has one transmitter.
          if members.count == 1 {
            figures[region].identities += 1
          } else {
            addresses[region, default: []].insert(
              statistics.identities.sender(transmitters[member].address))
          }
        }
      }
      for (region, addresses) in addresses {
        figures[region].identities += 1
        guard addresses.count > 1 else { continue }
        figures[region].shared += 1
        figures[region].mostAddresses = max(figures[region].mostAddresses, addresses.count)
      }
    }
    return figures
  }

  private mutating func add(_ code: String, _ text: String) { all.append((code, text)) }

  private mutating func tooMany() {
    let count = timeline.regions.count
    guard count > Self.phoneLimit, !timeline.isDefaultRegions else { return }
    add(
      "more_regions_than_a_phone_monitors",
      "\(count) regions: a phone would monitor \(Self.phoneLimit) of them (profile core-location).")
  }

  private mutating func wildcard(_ number: Int, _ region: Region) {
    guard !timeline.isDefaultRegions, case .identity(let prefix) = region.condition,
      prefix.kind == .iBeacon, prefix.bytes.count == 16, figures[number].identities > 1
    else { return }
    add(
      "region_by_uuid_alone",
      "Region \(region.identifier) names a UUID alone: any of its \(figures[number].identities) "
        + "beacons enters it, and it is left only when none of them is heard any more.")
  }

  private mutating func severalTransmitters(_ number: Int, _ region: Region) {
    let found = figures[number]
    // What was not named is remarked on beacon by beacon; so is who else sends what is named, and whether
    // at the same time.
    guard found.shared > 0, !timeline.isDefaultRegions else { return }
    let what =
      found.shared == 1
      ? "one identity is sent from \(found.mostAddresses) addresses"
      : "\(found.shared) identities are sent from several addresses, one of them from "
        + "\(found.mostAddresses)"
    add(
      "several_transmitters",
      "Region \(region.identifier): \(what): it is left only when none of them is heard any more.")
  }

  /// An exit period below three gaps between sightings of anybody in the region is passed by chance.
  private mutating func shortPeriod(_ number: Int, _ region: Region) {
    guard let main = timeline.outcomes.first, !region.isCircle else { return }
    let profile = (try? main.profile.with(region.overrides)) ?? main.profile
    let heard = figures[number].seldom
    guard let observer = heard.bestObserver,
      let seldom = heard.times(
        of: observer, exitAfter: profile.exitAfter,
        unrecorded: timeline.observers[observer].unrecorded)
    else { return }
    let who =
      timeline.observers.count { !$0.isHost } > 1
      ? " by \(timeline.observers[observer].name), which heard them most" : ""
    add(
      "exit_period_too_short",
      "Region \(region.identifier) is left after \(SpanText.seconds(Double(profile.exitAfter))) without a "
        + "sighting, but for \(SpanText.long(seldom.length)) its beacons, all together, were heard only every "
        + "\(SpanText.seconds(seldom.gap)) or so\(who): lost packets will look like exits.")
  }

  /// Heard, and never so strong or so near as the region asks for.
  private mutating func gatedOut() {
    guard let main = timeline.outcomes.first, timeline.forgotten.stays == 0 else { return }
    let entered = Set(main.stays.map { Int($0.visit.region) })
    var told = 0
    for (number, region) in timeline.regions.enumerated()
    where !region.gate.isOpen && figures[number].sightings > 0 && !entered.contains(number) {
      told += 1
      guard told <= Self.mostOfOneKind else { continue }
      add(
        "gate_never_passed",
        GateWords.neverPassed(region, figures[number].sightings, figures[number].strongest))
    }
    let more = told - Self.mostOfOneKind
    if more > 0 {
      add(
        "gate_never_passed",
        "\(more) more \(more == 1 ? "region was" : "regions were") not entered like that.")
    }
  }

  /// Some rules do as if they had not been there: all may be outside for them.
  private mutating func withoutSignal(_ statistics: BeaconStatistics) {
    let names = timeline.outcomes.map(\.profile).filter(\.ignoresUnknownRSSI).map(\.name)
    guard !names.isEmpty else { return }
    var (sightings, without) = (0, 0)
    for transmitter in 0..<statistics.transmitters.count {
      sightings += statistics.sightings(of: transmitter)
      without += statistics.withoutSignal(of: transmitter)
    }
    guard without > 0 else { return }
    add(
      "sightings_without_rssi",
      "\(without) of \(sightings) sightings have no RSSI: \(names.joined(separator: ", ")) "
        + "\(names.count == 1 ? "passes" : "pass") over these, as ignore_unknown_rssi says.")
  }

  /// Heard, and nobody knows how near: a gate lets none of it pass.
  private mutating func withoutSignalAtGates() {
    let regions = timeline.regions.indices.filter {
      !timeline.regions[$0].gate.isOpen && figures[$0].withoutSignal > 0
    }
    for region in regions.prefix(Self.mostOfOneKind) {
      add(
        "sightings_without_rssi",
        "\(figures[region].withoutSignal) of \(figures[region].sightings) sightings of region "
          + "\(timeline.regions[region].identifier) have no RSSI: its gate lets none of them pass, however near."
      )
    }
    let more = regions.count - Self.mostOfOneKind
    if more > 0 {
      add(
        "sightings_without_rssi",
        "\(more) more \(more == 1 ? "region has" : "regions have") a gate, and sightings without RSSI."
      )
    }
  }

  /// Left, and entered again at once, again and again, by who was there before: the silence was chance.
  private mutating func flapping(_ statistics: BeaconStatistics) {
    guard let main = timeline.outcomes.first else { return }
    let returns = Returns(main, timeline.regions) { statistics.transmitters[$0].identity }
    for region in returns.regions.prefix(Self.mostOfOneKind) {
      let found = returns[region]
      let enough = found.enough / 1_000_000_000 + (found.enough % 1_000_000_000 == 0 ? 0 : 1)
      add(
        "left_and_entered_again",
        "Region \(timeline.regions[region].identifier) was left, and entered again by the same beacon "
          + "within its exit period, \(found.count) times\(whereReturned(found)): that is more likely chance "
          + "than coming and going. exit_after=\(enough) makes one visit with each of these returns; "
          + "'beacontrace advise' weighs other periods, and longer silences.")
    }
    let more = returns.regions.count - Self.mostOfOneKind
    if more > 0 {
      add(
        "left_and_entered_again",
        "\(more) more \(more == 1 ? "region was" : "regions were") left and entered again like that."
      )
    }
  }

  /// ` at gate, and at 2 others`; of the only observer nothing.
  private func whereReturned(_ found: Returns.Found) -> String {
    guard timeline.observers.count > 1 else { return "" }
    let others =
      found.others == 0 ? "" : ", and at \(found.others) other\(found.others == 1 ? "" : "s")"
    return " at \(timeline.observers[found.observer].name)\(others)"
  }

  /// Its entries wait for a moment that nobody told.
  private mutating func unseenDisplay(_ region: Region) {
    add(
      "display_never_on",
      "Region \(region.identifier) tells entries when the display is switched on "
        + "(notify_entry_state_on_display), and no marker says that it was (--markers): no entry is told."
    )
  }

  /// One for each identity. Where regions come of what is heard, the decoder's remark says it of powers
  /// that nothing sends (`implausible_power`).
  private mutating func unusable(_ powers: [UnusablePower], _ identities: IdentityTable) {
    let powers = powers.filter { !timeline.isDefaultRegions || $0.power < 0 }
    for power in powers.prefix(Self.mostNamed) {
      let identity = identities[power.identity]
      let name = BeaconFormats.format(identity.kind).identityText(identities.bytes(of: identity))
      add(
        "power_unusable",
        "\(name) claims \(power.power) dBm at 1 m: no distance is computed from that.")
    }
    let others = powers.dropFirst(Self.mostNamed)
    guard let first = others.first else { return }
    add(
      "power_unusable",
      others.count == 1
        ? "One more beacon claims a power from which no distance is computed (\(first.power) dBm at 1 m)."
        : "\(others.count) more beacons claim powers from which no distance is computed "
          + "(\(first.power) dBm at 1 m, …).")
  }

  /// Declared twice under two names.
  private mutating func same() {
    guard !timeline.isDefaultRegions else { return }
    let groups = SameRegions(timeline.regions).groups
    for names in groups.prefix(Self.mostOfOneKind) {
      let named = names.prefix(Self.mostNamed).joined(separator: ", ")
      let others = names.count - Self.mostNamed
      add(
        "regions_same",
        "Regions \(named)\(others > 0 ? " and \(others) more" : "") are of the same beacons, by the same "
          + "settings: one of them may be mistyped.")
    }
    let others = groups.count - Self.mostOfOneKind
    if others > 0 { add("regions_same", "\(others) more of such groups of regions.") }
  }

  /// Declared, and nobody heard is of it: what was heard in its place.
  private mutating func neverMatched(_ statistics: BeaconStatistics) {
    guard !timeline.isDefaultRegions else { return }
    let regions = zip(timeline.regions, figures).filter { $1.identities == 0 }.map(\.0)
    let found = NeverMatched(
      regions, of: timeline.regions, statistics, most: Self.mostOfOneKind)
    for text in found.texts { add("region_never_matched", text) }
    if found.more > 0 {
      add(
        "region_never_matched",
        "\(found.more) more \(found.more == 1 ? "region was" : "regions were") never matched.")
    }
  }
}
