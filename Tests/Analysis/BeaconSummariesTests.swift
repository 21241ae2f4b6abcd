import Analysis
import Beacons
import FrameDecoder
import FrameEncoder
import Testing

/// The order of the summaries, and what addresses share, against a slow, obvious count.
@Suite struct BeaconSummariesTests {
  private static func address(_ number: Int) -> Address {
    Address(UInt64(0xC000_0000_0000 + number))
  }

  private static func minors(_ beacons: BeaconSummaries) -> [Int] {
    beacons.map { Int($0.identity.byte(18)) << 8 | Int($0.identity.byte(19)) }
  }

  @Test func byKindThenSightingsThenNumbers() throws {
    var hall = Recording("hall")
    hall.hear(Recording.eddystone, from: Self.address(1), at: 0)
    hall.hear(Recording.eddystone, from: Self.address(1), at: 1)
    hall.hear(Recording.eddystone, from: Self.address(1), at: 2)
    for minor: UInt16 in [300, 10, 2, 256, 7] {
      hall.hear(Recording.iBeacon(minor), from: Self.address(2), at: Int64(minor))
    }
    hall.hear(Recording.iBeacon(256), from: Self.address(2), at: 400)
    let beacons = try Analysis.result(hall).statistics.summaries()
    #expect(beacons.map(\.kind) == Array(repeating: .iBeacon, count: 5) + [.eddystoneUID])
    #expect(Self.minors(beacons).prefix(5) == [256, 2, 7, 10, 300])
    #expect(beacons.kinds.map(\.places) == [0..<5, 5..<6])
    #expect(beacons.indices.map { beacons.sightings(at: $0) } == [2, 1, 1, 1, 1, 3])
  }

  /// One address sends more identities than a summary's reach, seen in no order.
  @Test func summariesAreTheSameHoweverTheyAreAskedFor() throws {
    var hall = Recording("hall")
    for step in 0..<500 {
      let minor = UInt16(step * 7919 % 251)
      hall.hear(Recording.iBeacon(minor), from: Self.address(step % 3), at: Int64(step))
    }
    let beacons = try Analysis.result(hall).statistics.summaries()
    var scratch = SummaryScratch()
    for place in beacons.indices {
      let again = beacons.summary(at: place, &scratch)
      #expect(again.identity == beacons[place].identity)
      #expect(again.sightings == beacons[place].sightings)
      #expect(again.companions == beacons[place].companions)
      #expect(again.identity == beacons.identity(at: place))
    }
  }

  private struct Scene {
    /// Sightings by minor, then by address.
    var seen: [Int: [Int: Int]] = [:]
    var recording = Recording("hall")

    mutating func hear(_ minor: Int, _ address: Int) {
      seen[minor, default: [:]][address, default: 0] += 1
      recording.hear(
        Recording.iBeacon(UInt16(minor)), from: BeaconSummariesTests.address(address), at: 1)
    }

    /// Other identities that the addresses of this one send.
    func companions(_ minor: Int) -> Int {
      let addresses = Set(seen[minor, default: [:]].keys)
      return seen.count { other, senders in
        other != minor && !addresses.isDisjoint(with: senders.keys)
      }
    }

    func identities(of address: Int) -> Set<Int> {
      Set(seen.filter { $0.value[address] != nil }.keys)
    }
  }

  /// Addresses with one identity, with many, and several with the same ones.
  private static func scene(_ turn: Int) -> Scene {
    var scene = Scene()
    // Linear congruence, from Numerical Recipes.
    var state = UInt32(turn)
    func random(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    for address in 0..<30 {
      let like = address % 3 == 0 && address > 0 ? random(address) : address
      let minors = scene.identities(of: like)
      if minors.isEmpty || like == address {
        for _ in 0..<(1 + random(4) * random(4)) { scene.hear(random(40), address) }
      } else {
        for minor in minors.sorted() { scene.hear(minor, address) }
      }
    }
    return scene
  }

  @Test(arguments: 1...20)
  func companionsAndSourcesAreThoseOfTheScene(_ turn: Int) throws {
    let scene = Self.scene(turn)
    let beacons = try Analysis.result(scene.recording).statistics.summaries()
    #expect(Set(Self.minors(beacons)) == Set(scene.seen.keys))
    for (beacon, minor) in zip(beacons, Self.minors(beacons)) {
      #expect(beacon.companions == scene.companions(minor), "\(minor)")
      let sources = beacon.sources.map { (Int($0.address.address & 0xFFFF), $0.sightings) }
      #expect(Dictionary(uniqueKeysWithValues: sources) == scene.seen[minor])
      #expect(sources.map(\.1) == sources.map(\.1).sorted(by: >))
    }
  }

  @Test(arguments: 1...20)
  func addressesThatShareAreThoseOfTheScene(_ turn: Int) throws {
    let scene = Self.scene(turn)
    let beacons = try Analysis.result(scene.recording).statistics.summaries()
    let minors = Self.minors(beacons)
    var expected: [Set<Int>: [Int]] = [:]
    for address in 0..<30 {
      let identities = scene.identities(of: address)
      if identities.count > 1 { expected[identities, default: []].append(address) }
    }
    let shared = beacons.shared(first: 4)
    #expect(shared.count == expected.count)
    for one in shared {
      let addresses = one.addresses.map { Int($0.address & 0xFFFF) }
      let identities = scene.identities(of: addresses[0])
      #expect(expected[identities] == addresses)
      #expect(one.count == identities.count)
      let places = minors.indices.filter { identities.contains(minors[$0]) }
      #expect(one.first == Array(places.prefix(4)))
    }
    #expect(shared.map { $0.first[0] } == shared.map { $0.first[0] }.sorted())
  }
}
