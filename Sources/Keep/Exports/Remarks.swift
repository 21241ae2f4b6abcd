package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Something about a run that changes what a reader may conclude from it.
package struct Remark: Sendable {
  package let code: String
  package let capture: String?
  package let kind: String?
  package let id: String?
  /// One sentence.
  package let text: String

  init(_ code: String, capture: String? = nil, beacon: BeaconSummary? = nil, _ text: String) {
    self.code = code
    self.capture = capture
    kind = beacon.map { "\(BeaconFormats.format($0.kind).name)" }
    id = beacon?.id
    self.text = text
  }
}

/// The warnings that matter, worst first: damage, clock, listening, then beacons.
package enum Remarks {
  package static func about(_ result: AnalysisResult, _ beacons: [BeaconSummary]) -> [Remark] {
    result.captures.flatMap { damage($0) + clock($0) + listening($0) }
      + about(beacons)
  }

  private static func damage(_ facts: CaptureFacts) -> [Remark] {
    var remarks: [Remark] = []
    for gap in facts.damage.prefix(5) {
      let after =
        gap.resumedAtFrame.map { "went on with record \(TextColumns.grouped($0))" }
        ?? "nothing readable followed"
      remarks.append(
        Remark(
          "damage_skipped", capture: facts.name,
          "damaged at byte \(TextColumns.grouped(Int(gap.offset))) (\(gap.detail)): "
            + "\(TextColumns.counted(Int(gap.bytes), "byte")) skipped, \(after)."))
    }
    if facts.damage.count > 5 {
      remarks.append(
        Remark(
          "damage_skipped", capture: facts.name,
          TextColumns.counted(facts.damage.count - 5, "more damaged place")
            + "; info lists them all."))
    }
    for entry in ProblemText.unlistedDamage(facts) {
      remarks.append(
        Remark(
          entry.code.rawValue, capture: facts.name,
          "\(entry.detail) (after frame \(TextColumns.grouped(entry.firstFrame)))."))
    }
    if facts.dropped > 0 {
      let lost = TextColumns.counted(Int(clamping: facts.dropped), "packet")
      remarks.append(
        Remark("records_dropped", capture: facts.name, "the recorder lost \(lost) itself."))
    }
    return remarks
  }

  private static func clock(_ facts: CaptureFacts) -> [Remark] {
    facts.accounting.warnings.compactMap { entry in
      let first = "first at frame \(TextColumns.grouped(entry.firstFrame))"
      let times = entry.count == 1 ? "once" : "\(TextColumns.grouped(entry.count)) times"
      let text: String? =
        switch entry.code {
        case .timeGoesBackwards:
          "the clock steps back \(times), by up to "
            + "\(TextColumns.duration(facts.span.largestStepBack)) (\(first))."
        case .timeJumpsForward:
          "the clock jumps, or the recording pauses, \(times), by up to "
            + "\(TextColumns.duration(facts.span.largestStepForward)) (\(first))."
        case .timestampImplausible, .clockNotSet:
          "the clock was not set: "
            + TextColumns.counted(entry.count, "time lies", "times lie")
            + " before 2000 (\(first)); differences between them still hold."
        case .noTimestamp, .timestampOutOfRange:
          TextColumns.counted(entry.count, "record has", "records have") + " no time (\(first))."
        default: nil
        }
      return text.map { Remark(entry.code.rawValue, capture: facts.name, $0) }
    }
  }

  private static func listening(_ facts: CaptureFacts) -> [Remark] {
    facts.observers.compactMap { observer in
      guard observer.scan.filteredWindows > 0 else { return nil }
      return Remark(
        "duplicate_filter_on", capture: facts.name,
        "\(observer.name) filtered duplicates: counts, intervals and RSSI below are not "
          + "representative.")
    }
  }

  private static func about(_ beacons: [BeaconSummary]) -> [Remark] {
    let shared = SharedAddresses.among(beacons)
    return beacons.enumerated().flatMap { place, beacon in
      about(beacon) + (shared[place] ?? []).map { about($0, beacons) }
    }
  }

  /// What one device sends, said once and not per identity.
  private static func about(_ shared: SharedAddresses, _ beacons: [BeaconSummary]) -> Remark {
    let addresses = shared.addresses
    let more = addresses.count - 1
    let senders =
      addresses.prefix(1).map { BeaconTable.address($0) }.joined()
      + (more == 0 ? " sends " : " and \(TextColumns.counted(more, "other")) send ")
    let names = shared.identities.prefix(4).map { TextColumns.shortened(beacons[$0].id) }
    let rest = shared.identities.count - names.count
    return Remark(
      "several_identities", beacon: shared.identities.first.map { beacons[$0] },
      senders + TextColumns.counted(shared.identities.count, "identity", "identities") + ": "
        + names.joined(separator: ", ")
        + (rest == 0 ? "." : " and \(TextColumns.counted(rest, "more", "more")).")
    )
  }

  private static func about(_ beacon: BeaconSummary) -> [Remark] {
    var remarks: [Remark] = []
    let name = TextColumns.shortened(beacon.id)
    if beacon.warnings.contains(.implausiblePower), let power = beacon.power {
      remarks.append(
        Remark(
          "implausible_power", beacon: beacon,
          "\(name) says \(signed(power.max)) dBm at 1 m: implausible, no distance can be told."))
    }
    if let power = beacon.power, power.min != power.max {
      remarks.append(
        Remark(
          "power_differs", beacon: beacon,
          "\(name) is sent with powers from \(signed(power.min)) to \(signed(power.max)) dBm."))
    }
    let addresses = beacon.sources.filter { $0.address.isPresent }
    if addresses.count > 1 {
      let rotating = addresses.allSatisfy { "\($0.address.kindName)" == "random_resolvable" }
      remarks.append(
        Remark(
          "several_transmitters", beacon: beacon,
          "\(name) comes from \(addresses.count) addresses: "
            + (rotating
              ? "one device that changes them, or several." : "several devices, or a clone.")
        ))
    }
    return remarks
  }

  static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : "\(value)" }
}

/// Addresses that send the same identities, more than one.
private struct SharedAddresses {
  let addresses: [DeviceAddress]
  /// Places among the beacons.
  let identities: [Int]

  /// By the place of the first identity. Telemetry is no identity, and an address that sends
  /// nothing but ephemeral ones sends one that changes.
  static func among(_ beacons: [BeaconSummary]) -> [Int: [SharedAddresses]] {
    var sent: [DeviceAddress: [Int]] = [:]
    for (place, beacon) in beacons.enumerated()
    where !BeaconFormats.format(beacon.kind).isTelemetry {
      for source in beacon.sources where source.address.isPresent {
        sent[source.address, default: []].append(place)
      }
    }
    var groups: [[Int]: [DeviceAddress]] = [:]
    for (address, places) in sent
    where places.count > 1 && places.contains(where: { beacons[$0].kind != .eddystoneEID }) {
      groups[places, default: []].append(address)
    }
    var result: [Int: [SharedAddresses]] = [:]
    for (places, addresses) in groups {
      result[places[0], default: []].append(
        SharedAddresses(
          addresses: addresses.sorted { $0.rawValue < $1.rawValue }, identities: places))
    }
    return result.mapValues { groups in
      groups.sorted { $0.addresses[0].rawValue < $1.addresses[0].rawValue }
    }
  }
}
