import CaptureReader
import Foundation
import FrameDecoder
import Testing

@testable import Beacons

/// What formats say of themselves, and that each is found by its kind.
@Suite struct BeaconFormatsTests {
  @Test func eachKindHasOneFormat() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let folder = here.appending(path: "../../Sources/Decode/Beacons").standardized
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var kinds: [UInt8] = []
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /static let \w+ = BeaconKind\(rawValue: (\d+)\)/) {
        kinds.append(try #require(UInt8(match.1)))
      }
    }
    #expect(kinds.sorted() == BeaconFormats.all.map { $0.kind.rawValue }.sorted())
    for format in BeaconFormats.all {
      #expect(ObjectIdentifier(BeaconFormats.format(format.kind)) == ObjectIdentifier(format))
    }
    for names in [BeaconFormats.all.map { "\($0.name)" }, BeaconFormats.all.map { $0.title }] {
      #expect(Set(names).count == names.count)
    }
  }

  @Test func formatsThatDoNotAgreeAreTold() {
    #expect(BeaconFormats.problem(BeaconFormats.all) == nil)
    #expect(BeaconFormats.problem([IBeacon.self, Gapless.self]) == nil)
    #expect(
      BeaconFormats.problem([Gapless.self, IBeacon.self, CutLevel.self])
        == "made-up and made-up are both of beacon kind 255")
    #expect(
      BeaconFormats.problem([Gap.self])
        == "level b of made-up does not lie behind the one before")
    #expect(
      BeaconFormats.problem([CutLevel.self]) == "the shared bytes of made-up are not whole levels")
    #expect(
      BeaconFormats.problem([Changing.self])
        == "made-up has 5 changing bytes, not 0, 12 or 16")
    #expect(
      BeaconFormats.problem([ChangingCompany.self])
        == "made-up has changing bytes, which only service data may have")
  }

  /// Numbers of codes from 0 on, wherever they are declared.
  @Test func numbersOfCodesHaveNoGap() {
    #expect(CodeNames.inOrder([(1, "b"), (0, "a")], "reason").map { "\($0)" } == ["a", "b"])
  }

  static let uuid: [UInt8] = Array(0..<16)
  static let hex = "000102030405060708090a0b0c0d0e0f"

  @Test(arguments: [
    (BeaconKind.iBeacon, uuid + [0, 1, 1, 2], HexText.uuid(uuid), ["1", "258"]),
    (.altBeacon, uuid + [0, 1, 1, 2], hex, ["00010102"]),
    (.eddystoneUID, uuid, "00010203040506070809", ["0a0b0c0d0e0f"]),
    (.eddystoneEID, Array(uuid.prefix(8)), "", ["0001020304050607"]),
    (.eddystoneURL, [2] + Array("a".utf8), "", ["http://a"]),
    (.eddystoneTLM, Array(uuid.prefix(6)), "", ["00:01:02:03:04:05"]),
    (.custom, Array("a:b c".utf8), "", ["a:b%20c"]),
  ])
  func textsAreCutWhereTheSharedBytesEnd(
    _ kind: BeaconKind, _ bytes: [UInt8], _ shared: String, _ own: [String]
  ) {
    let format = BeaconFormats.format(kind)
    #expect(format.sharedText(bytes) == shared)
    #expect(format.ownTexts(bytes) == own)
  }

  @Test(arguments: [
    (BeaconKind.iBeacon, [16, 18, 20], ["UUID", "major", "minor"]),
    (.altBeacon, [16, 18, 20], ["id1", "id2", "id3"]),
    (.eddystoneUID, [10, 16], ["namespace", "instance"]), (.eddystoneEID, [8], ["eid"]),
    (.eddystoneURL, [], []), (.eddystoneTLM, [], []), (.custom, [], []),
  ])
  func identitiesHaveLevels(_ kind: BeaconKind, _ ends: [Int], _ words: [String]) {
    let levels = BeaconFormats.format(kind).levels
    #expect(levels.map(\.bytes.upperBound) == ends)
    #expect(levels.map(\.word) == words)
  }

  /// The same text as of the whole identity, of its beginning.
  @Test func beginningsAreWrittenLevelByLevel() {
    #expect(IBeacon.text(beginning: Self.uuid) == HexText.uuid(Self.uuid))
    #expect(IBeacon.text(beginning: Self.uuid + [0, 7]) == HexText.uuid(Self.uuid) + ":7")
    #expect(EddystoneTLM.text(beginning: [1, 2]) == "0102")
  }

  @Test func aChainAsksInItsOrderAndListsAll() {
    typealias Chain = Asked<Refusing, Asked<Eddystone, NobodyElse>>
    #expect(Chain.formats.count == 1 + Eddystone.formats.count)
    var table = IdentityTable()
    let report = AdvertisingReport(
      time: .none, frame: 1, address: DeviceAddress(1, .random), observer: 0, source: .extended)
    let outcomes = [[0xAA, 0xFE], [0x01, 0x02], [0x03, 0x04]].map { (bytes: [UInt8]) in
      bytes.withRawSpan { Chain.decode($0, report, &table) }
    }
    guard case .rejected(.eddystoneNoFrame) = outcomes[0],
      case .rejected(.eidBadLength) = outcomes[1],
      case .notMine = outcomes[2]
    else {
      Issue.record("\(outcomes)")
      return
    }
  }
}

private protocol MadeUp: BeaconFormat {}

extension MadeUp {
  static var kind: BeaconKind { BeaconKind(rawValue: 255) }
  static var name: StaticString { "made-up" }
  static var title: String { "Made up" }
  static var textForm: String { "digits" }
  static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  { [] }
}

private enum Gapless: MadeUp {
  static let parts = [IdentityPart("a", .hex, 0..<2), IdentityPart("b", .hex, 2..<4)]
}

private enum Gap: MadeUp {
  static let parts = [IdentityPart("a", .hex, 0..<2), IdentityPart("b", .hex, 3..<4)]
}

private enum CutLevel: MadeUp {
  static let parts = Gapless.parts
  static let sharedBytes = 1
}

private enum Changing: MadeUp {
  static let changingBytes = 5
}

private enum ChangingCompany: MadeUp {
  static let changingBytes = 12
  static let company = BeaconCompany.any
}

/// Takes what begins with 01 02, and refuses it.
private enum Refusing: MadeUp, BeaconPayload {
  static func claims(_ data: RawSpan) -> Bool { data.be16(0) == 0x0102 }
  static func decode(
    _ data: RawSpan, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> BeaconOutcome { .rejected(.eidBadLength) }
}
