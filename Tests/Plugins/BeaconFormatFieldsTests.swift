import Beacons
import Testing

@testable import Plugins

/// What plugins know of beacon formats follows from what these say of themselves.
@Suite struct BeaconFormatFieldsTests {
  @Test("describes every format, with every field that it has")
  func allAreDescribed() throws {
    #expect(SightingKinds.described.map(\.name).sorted() == Self.names.sorted())
    // Those that came first are written by hand; what comes behind them follows.
    let first = SightingKinds.described.filter { Self.first.contains($0.name) }
    #expect(first.count == Self.first.count)
    let written = Set(first.flatMap(\.fields).map(\.name))
    #expect(written.isDisjoint(with: SightingKinds.otherParts.map(\.name)))
    #expect(written.isDisjoint(with: SightingKinds.otherFields.map(\.name)))
    for format in BeaconFormats.all where format.kind != .custom {
      let kind = try #require(SightingKinds.all.first { $0.name == "\(format.name)" })
      let plain = SightingKinds.plain(format)
      #expect(Set(kind.fields.map(\.name)) == Set(plain.fields.map(\.name)), "\(format.name)")
      for field in plain.fields where field.type != .any {
        let described = kind.fields.first { $0.name == field.name }
        #expect(described?.type == field.type, "\(format.name) \(field.name)")
      }
    }
  }

  @Test("a part of an identity that no table has follows, as its kind describes it")
  func otherPartsFollow() {
    let others = SightingKinds.parts(beside: SightingField.identity.filter { $0 != "major" })
    #expect(others.map(\.name) == ["major"])
    #expect(others.first?.type == .integer)
    #expect(others.first?.text == "0 to 65535.")
  }

  private static let first: Set = [
    "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-tlm", "eddystone-etlm",
    "eddystone-eid", "eddystone-eid-resolved", "eddystone-etlm-opened", "device", "custom",
  ]
  private static let names = BeaconFormats.all.map { "\($0.name)" }

  @Test("lets handles and filters have every part of an identity")
  func partsHaveNames() {
    for format in BeaconFormats.all {
      for field in format.blankFields { #expect(SightingField.names.contains("\(field.name)")) }
      for part in format.parts { #expect(HandlerFilter.sightingKeys.contains("\(part.name)")) }
    }
    #expect(Set(SightingField.names).count == SightingField.names.count)
    #expect(Set(HandlerFilter.sightingKeys).count == HandlerFilter.sightingKeys.count)
  }

  @Test(
    "knows how regions are called that come to be of what is heard",
    arguments: [
      ("f7826da6-4fa2-4e98-8024-bc5b71e0893e", true, true),
      ("F7826DA6-4FA2-4E98-8024-BC5B71E0893E", false, true),
      ("f7826da64fa24e988024bc5b71e0893e", false, true),
      ("edd1ebeac04e5defa017", true, true), ("EDD1ebeac04e5defa017", false, true),
      ("edd1ebeac04e5defa01", false, false), ("lobby", false, false), ("", false, false),
      ("f7826da6-4fa2-4e98-8024-bc5b71e0893e:1", false, false),
      ("a1b2c3d4e5f60718", false, false),
    ])
  func heardRegions(_ name: String, _ isOne: Bool, _ isLikeOne: Bool) {
    #expect(HeardRegionNames.has(name) == isOne)
    #expect(HeardRegionNames.hasAlike(name) == isLikeOne)
  }
}
