import Checks
import Beacons
import CaptureReader
import FrameDecoder
import Testing

/// Advertising data → structures, beacons, labels.
@Suite struct GoldenPayloadTests {
  @Test(arguments: Golden.cases("ad"))
  func payload(_ testCase: GoldenCase) {
    let bytes = testCase.bytes
    var decoder = BeaconDecoder()
    let report = AdvertisingReport(
      time: .none, frame: 1, address: DeviceAddress(0xC0FF_EE00_0001, .random), observer: 0,
      source: .legacy)
    bytes.withRawSpan { decoder.decode(report, $0) }

    let found = JSON.object([
      "structures": .list(structures(bytes)),
      "beacons": .list(decoder.sightings.array.map { shape($0, decoder.identities) }),
    ])
    var wrong = testCase.expect.differences(from: found, without: Self.elsewhere)
    wrong += differencesOfWarnings(testCase, found: warnings(decoder))
    let labels = testCase.expect["labels"]?.words ?? Self.labelsOfOurs[testCase.id] ?? []
    if labels != names(decoder) {
      wrong.append("labels: expected \(labels.sorted()), found \(names(decoder).sorted())")
    }
    let reason = decoder.reason.map { "\(BeaconReason.names[Int($0.rawValue)])" }
    if reason != testCase.reason {
      wrong.append("reason: expected \(testCase.reason ?? "none"), found \(reason ?? "none")")
    }
    #expect(wrong.isEmpty)
  }

  /// Compared below (`labels`, `reason`, `warnings`), or not ours: `decoded` is the content of
  /// other vendors' payloads, the power at 1 m follows from that at 0 m.
  private static let elsewhere: Set<String> = [
    "ok", "labels", "reason", "warnings", "decoded", "tx_power_1m_dbm",
  ]

  /// Known difference: the case lists no labels, yet PROTOCOLS.md 10 labels company 0118, and data
  /// without AltBeacon's code are no AltBeacon.
  private static let labelsOfOurs = ["altbeacon-code-swapped": Set(["radius_networks"])]

  private func structures(_ bytes: [UInt8]) -> [JSON] {
    bytes.withRawSpan { span in
      var walker = ADWalker()
      var found: [JSON] = []
      while walker.next(span) {
        let data = span.extracting(walker.start..<(walker.start + walker.count)).array()
        found.append(.object(["type": .int(Int(walker.type)), "data": .text(Hex.text(data))]))
      }
      return found
    }
  }

  private func warnings(_ decoder: borrowing BeaconDecoder) -> Set<String> {
    let own = decoder.tally.warnings.indices.filter { decoder.tally.warnings[$0].count > 0 }
      .map { "\(BeaconWarnings.names[$0])" }
    let frame = decoder.tally.frameWarnings.indices
      .filter { decoder.tally.frameWarnings[$0].count > 0 }.map { "\(FrameWarnings.names[$0])" }
    return Set(own + frame)
  }

  private func names(_ decoder: borrowing BeaconDecoder) -> Set<String> {
    let bits = AdvertiserLabels.names.indices
      .filter { decoder.labels.rawValue & (1 << UInt64($0)) != 0 }
    return Set(
      bits.map { bit in
        let name = "\(AdvertiserLabels.names[bit])"
        guard name == "ibeacon_layout_other_company" else { return name }
        let company = decoder.layoutCompany
        return "ibeacon_layout_company_"
          + Hex.text([UInt8(company >> 8), UInt8(truncatingIfNeeded: company)])
      })
  }

  /// A sighting in the words of the golden cases.
  private func shape(_ sighting: Sighting, _ table: IdentityTable) -> JSON {
    let format = BeaconFormats.format(sighting.kind)
    let identity = table[sighting.identity]
    var members: [String: JSON] = [
      "kind": .text("\(format.name)".split(separator: "-").joined(separator: "_")),
      "beacon_id": .text(Hex.text(table.bytes(of: identity))),
    ]
    for field in format.fields(of: sighting, id: identity, table) {
      members[Self.goldenName("\(field.name)", sighting.kind)] = Self.value(field.value)
    }
    return .object(members)
  }

  private static func goldenName(_ name: String, _ kind: BeaconKind) -> String {
    switch name {
    case "measured_power":
      kind == .altBeacon ? "ref_rssi_1m_dbm" : "measured_power_1m_dbm"
    case "tx_power": "tx_power_0m_dbm"
    case "battery_mv": "vbatt_mv"
    case "temperature_c": "temp_c"
    case "adv_count": "adv_cnt"
    case "mic": "tag"
    case "reserved": "mfg_reserved"
    default: name
    }
  }

  private static func value(_ value: BeaconField.Value) -> JSON {
    switch value {
    case .int(let number): .int(number)
    case .text(let text): .text(text)
    case .decimal(let numerator, let denominator): .double(Double(numerator) / Double(denominator))
    case .none: .null
    }
  }
}
