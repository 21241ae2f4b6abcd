import Beacons
import CaptureReader
import FrameDecoder
import Testing

@testable import Regions

private let s = second

/// SEMANTICS 2: which sightings match which regions.
@Suite struct MatchTests {
  private static let uuid8 = "00000000-0000-0000-0000-000000000008"

  @Test("uuid needed, major and minor optional; namespace, optional instance; id1 to id3; EID")
  func identities() throws {
    let telling = Telling(regions: [
      "any=ibeacon:\(lobbyUUID)", "major=ibeacon:\(lobbyUUID):5", "both=ibeacon:\(lobbyUUID):5:6",
      "else=ibeacon:\(Self.uuid8)", "ns=eddystone:00000000000000090000",
      "inst=eddystone:00000000000000090000:000000000001", "alt=altbeacon:\(lobbyUUID):5",
      "eid=eid:0102030405060708",
    ])
    let cases: [(Beacon, [String])] = [
      (.iBeacon(5, 6), ["any", "major", "both"]), (.iBeacon(5, 7), ["any", "major"]),
      (.iBeacon(6, 6), ["any"]), (.iBeacon(5, 6, uuid: 8), ["else"]),
      (.eddystone(namespace: 9, instance: 1), ["ns", "inst"]),
      (.eddystone(namespace: 9, instance: 2), ["ns"]),
      (.eddystone(namespace: 10, instance: 1), []),
      (
        Beacon(
          identity: BeaconIdentity(kind: .altBeacon, count: 20, 0, 7, 5 << 48), address: 1),
        ["alt"]
      ),
      (
        Beacon(
          identity: BeaconIdentity(kind: .eddystoneEID, count: 8, 0x0102_0304_0506_0708),
          address: 1), ["eid"]
      ),
    ]
    for (beacon, expected) in cases { #expect(try telling.matching(beacon) == expected) }
  }

  @Test("URL exact or by prefix, as it is read, however it is packed")
  func urls() throws {
    let telling = Telling(regions: [
      "exact=url:https://example.com/", "begins=url:https://example*", "other=url:http://example*",
    ])
    // https:// example .com/ packed, and spelled out.
    let packed: [UInt8] = [3] + Array("example".utf8) + [0]
    let spelled: [UInt8] = [3] + Array("example.com/".utf8)
    #expect(try telling.matching(.url(packed)) == ["exact", "begins"])
    #expect(try telling.matching(.url(spelled)) == ["exact", "begins"])
    #expect(try telling.matching(.url(packed + [65])) == ["begins"])
    #expect(try telling.matching(.url([3, 65])) == [])
  }

  @Test("optional advertiser address; and anything that one advertiser sends")
  func addresses() throws {
    let telling = Telling(regions: [
      "two=ibeacon:\(lobbyUUID),address=00:00:00:00:00:02", "any=ibeacon:\(lobbyUUID)",
      "tag=address:00:00:00:00:00:02", "never=address:00:00:00:00:00:02,address=00:00:00:00:00:03",
    ])
    #expect(try telling.matching(.iBeacon(address: 1)) == ["any"])
    #expect(try telling.matching(.iBeacon(address: 2)) == ["two", "any", "tag"])
    // Two identities with one address, and one identity with two.
    #expect(try telling.matching(.eddystone(namespace: 9, address: 2)) == ["tag"])
  }

  @Test("devices by the names of their keys, and what one device sends")
  func devices() throws {
    let regions = [
      "tag=address:tag", "phone=address:phone", "own=ibeacon:\(lobbyUUID),address=phone",
      "any=ibeacon:\(lobbyUUID)", "url=url:https://a.example/*,address=phone",
    ]
    let list = RegionList(try regions.map { try Region.parse($0) })
    var index = RegionIndex()
    for (number, region) in list.regions.enumerated() { index.add(region, UInt32(number)) }
    func matching(_ identity: BeaconIdentity, _ device: String?) -> [String] {
      index.regions(
        of: identity, address: DeviceAddress(1, .random), device: { device },
        bytes: { (0..<Int(identity.count)).map { identity.byte($0) } }
      ).map { list.regions[Int($0)].identifier }
    }
    let iBeacon = Beacon.iBeacon(1, 2).identity
    let device = IdentityPrefix(.device, ResolvedDevice.identity("phone")).identity
    #expect(matching(iBeacon, nil) == ["any"])
    #expect(matching(iBeacon, "tag") == ["any"])
    #expect(matching(iBeacon, "phone") == ["own", "any"])
    #expect(matching(device, "phone") == ["phone"])
    #expect(list.regions.map(\.devices) == [["tag"], ["phone"], ["phone"], [], ["phone"]])
  }

  @Test("resolved EID by its name")
  func resolvedEIDs() throws {
    let list = RegionList([try Region.parse("door=eid:front-door")])
    var monitor = try RegionMonitor(list, Profiles.site)
    var stage = Stage()
    // Another key's, one that begins alike, one that was not resolved, and the one.
    let names = ["back-door", "front-door-2", "front-door"].map {
      IdentityPrefix(.eddystoneResolved, EddystoneResolved.identity($0)).identity
    }
    let unresolved = BeaconIdentity(kind: .eddystoneEID, count: 8, names[2].words.0)
    for (place, identity) in ([names[0], names[1], unresolved, names[2]]).enumerated() {
      stage.play(.sees(Int64(place + 1) * s, Beacon(identity: identity, address: 1)))
    }
    stage.perform(for: &monitor)
    #expect(monitor.drain().map(\.time.nanoseconds) == [origin + 4 * s])
  }

  private struct OddFrames: RegionPredicate {
    func matches(_ candidate: RegionCandidate) -> Bool {
      candidate.frame % 2 == 1 && candidate.identity.kind == .iBeacon && candidate.power == -59
        && candidate.address.address == 1
    }
  }

  @Test("What identities of any kind say in text, exact or by its beginning")
  func texts() throws {
    let list = RegionList([
      Region(identifier: "begins", .text(.iBeacon, "\(lobbyUUID):5:", isPrefix: true)),
      Region(identifier: "whole", .text(.iBeacon, "\(lobbyUUID):5:6", isPrefix: false)),
      Region(identifier: "else", .text(.altBeacon, "\(lobbyUUID):5:", isPrefix: true)),
    ])
    #expect(list.regions.map(\.text)[0] == "begins=ibeacon:\(lobbyUUID):5:*")
    for (minor, expected) in [(6, ["begins", "whole"]), (7, ["begins"])] {
      var monitor = try RegionMonitor(list, Profiles.site)
      var stage = Stage()
      stage.play(.sees(0, .iBeacon(5, minor)))
      stage.perform(for: &monitor)
      let found = monitor.drain().filter { $0.state == .inside }
      #expect(found.map { list.regions[Int($0.region)].identifier } == expected)
    }
  }

  @Test("A custom predicate is called for every sighting; true is a match, and that the evidence")
  func predicates() throws {
    let region = Region(identifier: "odd", .custom(OddFrames()))
    var monitor = try RegionMonitor(RegionList([region]), Profiles.site)
    var stage = Stage()
    stage.play([
      .record(0), .sees(s, .iBeacon()), .sees(2 * s, .eddystone(namespace: 9)),
      .sees(3 * s, .iBeacon()), .sees(4 * s, .iBeacon()), .sees(5 * s, .iBeacon()), .record(40 * s),
    ])
    stage.perform(for: &monitor)
    let events = monitor.drain()
    #expect(events.map(\.type) == [.state, .exit])
    #expect(events.map { $0.evidence?.frame } == [5, 5])
  }

  /// Has no answer for a while.
  private struct Failing: RegionPredicate {
    let frames: ClosedRange<Int>

    func matches(_ candidate: RegionCandidate) throws(RegionRuleFailure) -> Bool {
      if frames.contains(candidate.frame) { throw RegionRuleFailure() }
      return candidate.identity.kind == .iBeacon
    }
  }

  @Test(
    "A silence in which a rule gave no answer is no proof; behind the next match that is forgotten")
  func failingRules() throws {
    let region = Region(identifier: "odd", .custom(Failing(frames: 12...13)))
    func exits(_ happenings: [Happening]) throws -> [Silence] {
      var monitor = try RegionMonitor(RegionList([region]), Profiles.site)
      var stage = Stage()
      stage.play(.record(0))
      stage.play((1...10).map { .sees(Int64($0) * s, .iBeacon()) })
      stage.play(happenings)
      // Somebody else is heard until the exit, of whom the rule says that it is not one.
      stage.play((16...60).map { .sees(Int64($0) * s, .eddystone(namespace: 9)) })
      stage.perform(for: &monitor)
      return monitor.drain().compactMap(\.silence)
    }
    let failed = try exits([.sees(11 * s, .iBeacon()), .sees(12 * s, .iBeacon())])
    #expect(failed.map(\.unanswered) == [2] && failed.map(\.grade) == [.thin])
    let recovered = try exits(
      [.sees(11 * s, .iBeacon()), .sees(12 * s, .iBeacon()), .sees(13 * s, .iBeacon())])
    #expect(recovered.map(\.unanswered) == [0] && recovered.map(\.grade) == [.gone])
  }

  @Test("A sighting whose RSSI is 127 matches an ungated region and never a gated one")
  func unknownRSSI() throws {
    let regions = [lobby, "near=ibeacon:\(lobbyUUID),min_rssi=-90"]
    let happenings: [Happening] = [.record(0), .sees(s, .iBeacon(), rssi: 127)]
    #expect(try Telling(regions: regions).lines(happenings) == ["1 lobby state inside"])
    // Unless the profile ignores it.
    let library = Telling(regions: regions, profile: "android-beacon-library")
    #expect(try library.lines(happenings) == [])
    let told = Telling(
      regions: regions, profile: "android-beacon-library", settings: ["ignore_unknown_rssi=no"])
    #expect(try told.lines(happenings) == ["1 lobby enter"])
  }

  @Test("Gates: while inside, the leave threshold decides; a failing sighting never renews L")
  func gates() throws {
    let telling = Telling(regions: [lobby + ",min_rssi=-70"], settings: ["smoothing=last"])
    let lines = try telling.lines([
      .record(0), .sees(s, .iBeacon(), rssi: -71), .sees(2 * s, .iBeacon(), rssi: -70),
      .sees(10 * s, .iBeacon(), rssi: -75), .sees(20 * s, .iBeacon(), rssi: -76),
      .sees(41 * s, .iBeacon(), rssi: -71),
    ])
    #expect(lines == ["2 lobby state inside", "40 lobby exit last 10"])
  }

  @Test(
    "Who left a gated region and is still heard is counted with its exit, from the latest match on")
  func gateRefusals() throws {
    let telling = Telling(regions: [lobby + ",min_rssi=-70"], settings: ["smoothing=last"])
    let near: [Happening] = [
      .record(0), .sees(s, .iBeacon(), rssi: -60), .sees(2 * s, .iBeacon(), rssi: -80),
      .sees(3 * s, .iBeacon(), rssi: -60),
    ]
    let far = (4...60).map { Happening.sees($0 * s, .iBeacon(), rssi: $0 == 33 ? -90 : -81) }
    let silence = try #require(try telling.silences(near + far).first)
    // From 4 s to 33 s: at 33 s the exit is not decided yet.
    #expect(silence.refused?.count == 30 && silence.refused?.rssi == -90)
    func at(_ second: Int64) -> Timestamp { Timestamp(nanoseconds: origin + second * s) }
    #expect(silence.refused?.at == at(33))
    #expect(silence.refused?.goesOn(from: at(3), to: at(33)) == true)
    // Who walks away is below the gate for a moment, and then silent.
    let others = (4...60).map { Happening.sees($0 * s, .eddystone(namespace: 9), rssi: -81) }
    let fading = try telling.silences(
      near + [.sees(4 * s, .iBeacon(), rssi: -85), .sees(5 * s, .iBeacon(), rssi: -88)]
        + others.dropFirst(2))
    #expect(fading.map { $0.refused?.count } == [2] && fading[0].refused?.at == at(5))
    #expect(fading[0].refused?.goesOn(from: at(3), to: at(33)) == false)
    // Nobody of it is heard any more, or another one that never was inside.
    #expect(try telling.silences(near + others).map { $0.refused == nil } == [true])
    let mixed = (1...60).flatMap { second -> [Happening] in
      (second <= 3 ? [near[second]] : [])
        + [.sees(Int64(second) * s + 1, .iBeacon(1, 9, address: 9), rssi: -85)]
    }
    #expect(try telling.silences([.record(0)] + mixed).map { $0.refused == nil } == [true])
  }

  @Test(
    "Who left a gated region and is heard without an RSSI may be near: the exit is thin, and counts these"
  )
  func gateUnmeasured() throws {
    let telling = Telling(regions: [lobby + ",min_rssi=-70"], settings: ["smoothing=last"])
    let near = (0...20).map { Happening.sees($0 * s, .iBeacon(), rssi: -60) }
    func others(_ seconds: ClosedRange<Int64>) -> [Happening] {
      seconds.map { .sees($0 * s + 1, .eddystone(namespace: 9), rssi: -81) }
    }
    func heard(_ seconds: ClosedRange<Int64>, _ rssi: Int8) -> [Happening] {
      seconds.flatMap { [.sees($0 * s, .iBeacon(), rssi: rssi), others($0...$0)[0]] }
    }
    let without = try #require(try telling.silences(near + heard(21...60, 127)).first)
    #expect(without.grade == .thin && !without.isLikely)
    #expect(without.refused?.count == 30 && without.refused?.rssi == nil)
    // One at the beginning says nothing of the end; one near the end, and one behind which nothing comes, do.
    let early = try #require(
      try telling.silences(near + heard(21...30, -90) + heard(31...60, 127)).first)
    #expect(early.grade == .thin && early.refused?.count == 30 && early.refused?.rssi == nil)
    let late = try #require(
      try telling.silences(near + heard(21...45, -90) + heard(46...60, 127)).first)
    #expect(late.grade == .gone && late.refused?.count == 30 && late.refused?.rssi == -90)
    let away = try #require(
      try telling.silences(near + heard(21...22, -90) + others(23...60)).first)
    #expect(away.grade == .gone && away.refused?.count == 2 && away.refused?.rssi == -90)
    // Without a gate it never left.
    let open = Telling(regions: [lobby], settings: ["smoothing=last"])
    #expect(try open.silences(near + heard(21...60, 127)).isEmpty)
    #expect(try telling.silences(near + others(21...60)).map { $0.refused == nil } == [true])
  }

  @Test("A gate knows no signal of long ago", arguments: ["arma-abl", "kalman", "mean", "trimmed"])
  func gatesForget(_ smoothing: String) throws {
    let telling = Telling(
      regions: [lobby + ",min_rssi=-70"], settings: ["smoothing=\(smoothing)"])
    let near = (0..<20).map { Happening.sees($0 * s, .iBeacon(), rssi: -50) }
    let far = (600..<640).map { Happening.sees($0 * s, .iBeacon(), rssi: -90) }
    #expect(
      try telling.lines(near + far) == ["0 lobby state inside", "49 lobby exit last 19"])
  }

  @Test("Gates take the profile's distance model")
  func gatesTakeTheModel() throws {
    // −66 with power −59: 2.2 m by path loss, 1.5 m by the library's curve.
    let happenings: [Happening] = [.record(0), .sees(s, .iBeacon(), rssi: -66)]
    for (model, lines) in [("path-loss", []), ("abl", ["1 lobby state inside"])] {
      let telling = Telling(
        regions: [lobby + ",within=2"], settings: ["smoothing=last", "distance_model=\(model)"])
      #expect(try telling.lines(happenings) == lines)
    }
  }

  @Test("An exit is decided over any span of time, with cycles, too")
  func centuries() throws {
    // The farthest that two times can be apart.
    let telling = Telling(regions: [lobby], settings: ["cycle=1.1"])
    let far = Int64.max - origin - s
    let lines = try telling.lines([.record(0), .sees(far, .iBeacon()), .record(far + s / 2)])
    #expect(lines == ["30.8 lobby state outside", "7444187235.854775807 lobby enter"])
  }

  @Test("within judges the distance: metres × 1.25 to leave, and the zones' metres")
  func distances() throws {
    // Path loss with n = 2 and power −59: 2 m at −65.02, 2.5 m at −66.96; 0.5 m at −52.98.
    let telling = Telling(
      regions: [
        lobby + ",within=2", "touch=ibeacon:\(lobbyUUID),within=immediate",
        "far=ibeacon:\(lobbyUUID),within=far",
      ], settings: ["smoothing=last"])
    let lines = try telling.lines([
      .record(0), .sees(s, .iBeacon(), rssi: -66), .sees(2 * s, .iBeacon(), rssi: -65),
      .sees(3 * s, .iBeacon(), rssi: -66), .sees(4 * s, .iBeacon(), rssi: -67),
      .sees(5 * s, .iBeacon(), rssi: -52), .sees(6 * s, .iBeacon(), rssi: -68), .record(50 * s),
    ])
    #expect(
      lines == [
        "1 far state inside", "2 lobby state inside", "5 touch state inside",
        "35 lobby exit last 5", "35 touch exit last 5", "36 far exit last 6",
      ])
    // Eddystone: 41 dB less at 1 m. A power that is not usable: the distance is unknown.
    let eddystone = Telling(regions: ["e=eddystone:00000000000000090000,within=2"])
    #expect(
      try eddystone.lines([.record(0), .sees(s, .eddystone(namespace: 9), rssi: -65)])
        == ["1 e state inside"])
    var odd = Beacon.iBeacon()
    odd.power = -3
    #expect(try telling.lines([.record(0), .sees(s, odd, rssi: -50)]) == [])
  }

  @Test(
    "Gates judge the smoothed RSSI",
    arguments: [
      // At −60 three times, then at −90: how many sightings pass the gate of −70, worked out by hand.
      ("last", 3), ("mean", 4), ("trimmed", 5), ("abl-average", 5), ("arma-abl", 7), ("kalman", 4),
    ])
  func smoothing(_ name: String, _ matches: Int) throws {
    let telling = Telling(
      regions: [lobby + ",min_rssi=-70,leave_rssi=-70"],
      settings: ["smoothing=\(name)", "ranging_period=20"])
    let levels: [Int8] = [-60, -60, -60, -90, -90, -90, -90, -90]
    let monitor = try telling.perform(
      levels.enumerated().map { .sees(Int64($0) * s / 10, .iBeacon(), rssi: $1) })
    #expect(monitor.openVisits.map(\.sightings) == [matches])
  }

  @Test("None given: one for every iBeacon UUID and Eddystone namespace seen, named after it")
  func regionsThatComeToBe() throws {
    let lines = try Telling(regions: []).lines([
      .record(0), .sees(5 * s, .iBeacon()), .sees(6 * s, .iBeacon(9, 9)),
      .sees(40 * s, .eddystone(namespace: 9)), .sees(41 * s, .url([3, 65])), .record(50 * s),
    ])
    #expect(
      lines == [
        "5 \(lobbyUUID) state inside", "30 00000000000000090000 state outside",
        "36 \(lobbyUUID) exit last 6", "40 00000000000000090000 enter",
      ])
  }

  @Test("None given, one for each beacon: of whole identities that last")
  func regionsOfBeacons() throws {
    let happenings: [Happening] = [
      .record(0), .sees(5 * s, .iBeacon()), .sees(6 * s, .iBeacon(9, 9)),
      .sees(40 * s, .eddystone(namespace: 9)), .sees(41 * s, .url([3, 65])), .record(50 * s),
    ]
    let telling = Telling(regions: [], found: .beacon)
    var monitor = try telling.perform(happenings)
    let names = (0..<monitor.regionCount).map { monitor.region(UInt32($0)).identifier }
    #expect(names.count == 3)
    #expect(names[1] == "\(lobbyUUID):9:9")
    #expect(names[2].hasPrefix("00000000000000090000:"))
    // Each goes its own way.
    let lines = try telling.lines(happenings)
    #expect(lines.contains("35 \(names[0]) exit last 5"))
    #expect(lines.contains("36 \(names[1]) exit last 6"))
    // Two that differ in their last bytes alone are two, by their events, too.
    let ids = monitor.drain().map(\.id)
    #expect(Set(ids).count == ids.count)
    // A saved state names them so, and they are found again.
    for place in 0..<monitor.regionCount {
      let region = monitor.region(UInt32(place))
      #expect(try monitor.meet(Region.parse(region.text)) == UInt32(place))
    }
  }

  @Test func oneRegionSeenByOneObserverIsThereForAll() throws {
    let lines = try Telling(regions: [], observers: 2).lines([
      .record(0), .record(40 * s, observer: 1), .sees(50 * s, .iBeacon()),
      .record(80 * s, observer: 1), .end(),
    ])
    #expect(
      lines.filter { $0.hasPrefix("0") } == [
        "0: 30 \(lobbyUUID) state outside", "0: 50 \(lobbyUUID) enter",
      ])
    #expect(lines.filter { $0.hasPrefix("1") } == ["1: 70 \(lobbyUUID) state outside"])
  }
}

extension Telling {
  /// Identifiers of the regions that a beacon is inside of.
  fileprivate func matching(_ beacon: Beacon) throws -> [String] {
    var monitor = try perform([.sees(0, beacon)])
    return monitor.drain().filter { $0.state == .inside }
      .map { monitor.region($0.region).identifier }
  }
}
