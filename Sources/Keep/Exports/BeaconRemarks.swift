import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What is to be minded of single beacons.
extension Remarks {
  private static let mostNames = 4

  /// - Parameter steps: by how much clocks stepped back.
  static func forEach(
    _ beacons: BeaconSummaries, _ names: BeaconNames, _ chains: IdentifierChains,
    steps: ClockSteps, clocksAgree: Bool,
    _ body: (Remark) throws -> Void
  ) rethrows {
    let shared = beacons.shared(first: mostNames)
    var next = 0
    var scratch = SummaryScratch()
    for chain in chains.chains where chain.addresses.count > 1 {
      try body(about(chain, beacons, names, &scratch, steps))
    }
    for place in beacons.indices {
      if beacons.mayNeedRemark(at: place) {
        let beacon = beacons.summary(at: place, &scratch)
        let id = beacons.text(beacon.identity)
        let isOfChain = chains.number(of: place) != nil
        let name = names.name(place, id: id)
        for remark in about(beacon, name, id: id, isOfChain: isOfChain, steps: steps, clocksAgree) {
          try body(remark)
        }
      }
      while next < shared.count && shared[next].first[0] == place {
        if !isOneRead(shared[next], beacons) { try body(about(shared[next], beacons, names)) }
        next += 1
      }
    }
  }

  /// Identifiers in turn from several addresses: whoever sends the last one once more, later, is taken for it.
  private static func about(
    _ chain: IdentifierChains.Chain, _ beacons: BeaconSummaries, _ names: BeaconNames,
    _ scratch: inout SummaryScratch, _ steps: ClockSteps
  ) -> Remark {
    let sum = beacons.summary(ofAll: chain.places, &scratch)
    let first = beacons.identity(at: chain.places[0])
    let id = beacons.text(first)
    let count = TextColumns.grouped(chain.places.count)
    return Remark(
      "several_transmitters", beacon: (first.kind, id),
      "\(names.name(chain.places[0], id: id)) and what came in turn, \(count) identifiers, come from "
        + "\(AddressWords.several(sum, steps)).")
  }

  /// Whether all but one of a device's identities are what decoders of plugins made of it: another reading of
  /// what it sends, and nothing that it is besides.
  private static func isOneRead(_ shared: BeaconSummaries.Shared, _ beacons: BeaconSummaries)
    -> Bool
  {
    guard shared.count == shared.first.count else { return false }
    return shared.first.count { beacons.identity(at: $0).kind != .custom } == 1
  }

  /// What one device sends, said once and not per identity.
  private static func about(
    _ shared: BeaconSummaries.Shared, _ beacons: BeaconSummaries, _ called: BeaconNames
  ) -> Remark {
    let more = shared.addresses.count - 1
    let isInTurn = inTurn(shared, beacons)
    let senders =
      BeaconTable.address(shared.addresses[0])
      + (more == 0 ? "" : " and \(TextColumns.counted(more, "other"))")
      + (isInTurn != nil ? " sent " : more == 0 ? " sends " : " send ")
    let first = beacons.identity(at: shared.first[0])
    let names = shared.first.map { called.name($0, id: beacons.text(beacons.identity(at: $0))) }
    let rest = shared.count - names.count
    if let spans = isInTurn {
      let parts = spans.enumerated().map { place, span in
        let name = called.name(span.place, id: beacons.text(beacons.identity(at: span.place)))
        return place < spans.count - 1
          ? "\(name) until \(moment(span.last))" : "\(name) from \(moment(span.first)) on"
      }
      return Remark(
        "several_identities", beacon: (first.kind, beacons.text(first)),
        senders + TextColumns.counted(shared.count, "identity", "identities")
          + ", one after the other: \(parts.joined(separator: ", ")).")
    }
    return Remark(
      "several_identities", beacon: (first.kind, beacons.text(first)),
      senders + TextColumns.counted(shared.count, "identity", "identities") + ": "
        + names.joined(separator: ", ")
        + (rest == 0 ? "." : " and \(TextColumns.counted(rest, "more", "more")).")
    )
  }

  /// When a device sent each of its identities, where it went from one to the next: it was set up anew. Nil where it
  /// sends several at a time, or more than are named.
  private static func inTurn(
    _ shared: BeaconSummaries.Shared, _ beacons: BeaconSummaries
  ) -> [(place: Int, first: Timestamp, last: Timestamp)]? {
    guard shared.count == shared.first.count,
      shared.first.allSatisfy({ beacons.sightings(at: $0) >= enoughInTurn })
    else { return nil }
    let spans = shared.first.compactMap { place in
      beacons.span(of: place, from: shared.addresses).map {
        (place: place, first: $0.first, last: $0.last)
      }
    }
    .sorted { ($0.first.nanoseconds, $0.place) < ($1.first.nanoseconds, $1.place) }
    guard spans.count == shared.count,
      zip(spans, spans.dropFirst()).allSatisfy({ $0.last.nanoseconds < $1.first.nanoseconds })
    else { return nil }
    return spans
  }

  /// Of fewer sightings their order is chance.
  private static let enoughInTurn = 10

  private static func moment(_ time: Timestamp) -> String { TextColumns.moment(time) }

  private static func powers(
    _ power: (min: Int, max: Int), of beacon: BeaconSummary, _ name: String,
    _ about: (BeaconKind, String)
  ) -> [Remark] {
    let isImplausible = beacon.warnings.contains(.implausiblePower)
    if power.min != power.max {
      let range = "from \(signed(power.min)) to \(signed(power.max)) dBm"
      return [
        Remark(
          "power_differs", beacon: about,
          "\(name) is sent with powers \(range)"
            + (isImplausible ? "; those that are implausible give no distance." : "."))
      ]
    }
    guard isImplausible else { return [] }
    return [
      Remark(
        "implausible_power", beacon: about,
        "\(name) says \(signed(power.max)) dBm at 1 m: implausible, and gives no distance.")
    ]
  }

  private static func about(
    _ beacon: BeaconSummary, _ name: String, id: String, isOfChain: Bool, steps: ClockSteps,
    _ clocksAgree: Bool
  ) -> [Remark] {
    var remarks: [Remark] = []
    let about = (beacon.kind, id)
    if let power = beacon.power { remarks += powers(power, of: beacon, name, about) }
    // Who changes his identifier changes his address, too: one after the other is nothing to mind.
    let isExpected =
      isOfChain
      || beacon.kind == .eddystoneResolved && beacon.addressesAtOnce(steps) == 1
    if beacon.senders > 1, !isExpected {
      let atOnce = beacon.addressesAtOnce(steps)
      remarks.append(
        Remark(
          "several_transmitters", beacon: about,
          "\(name) comes from \(AddressWords.several(beacon, atOnce: atOnce))"
            + (!clocksAgree && mayBeClocks(beacon, steps)
              ? ", or clocks that disagree ('beacontrace clocks')" : "")
            + AddressWords.recorded(beacon)
            + "\(AddressWords.second(beacon, atOnce: atOnce))."))
    }
    return remarks
  }

  /// Who was heard by several receivers at once by their clocks, and perhaps not in truth.
  private static func mayBeClocks(_ beacon: BeaconSummary, _ steps: ClockSteps) -> Bool {
    // Of one receiver nearly always: addresses are sorted for the others alone.
    let first = beacon.sources[0].heard[0].observer
    guard
      beacon.sources.contains(where: {
        $0.heard.count > 1 || $0.heard[0].observer != first
      }),
      let most = beacon.addressesAtOnce(steps)
    else { return false }
    return most > 1
  }

  static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : "\(value)" }
}
