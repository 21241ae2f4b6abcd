import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import TestSupport
import Testing

/// Which changing identifiers are taken for one beacon.
@Suite struct IdentifierChainTests {
  private static func address(_ number: Int) -> Address {
    Address(UInt64(0xC000_0000_0000 + number))
  }

  /// Sightings in seconds: an Eddystone-EID that an address sends.
  private typealias Heard = (second: Int, identifier: UInt8, address: Int)

  private static func chains(_ heard: [Heard]...) throws -> IdentifierChains {
    let sources = heard.enumerated().map { recording($0.element, "radio\($0.offset)") }
    return IdentifierChains(try result(sources).statistics.summaries())
  }

  private static func result(_ recordings: [Recording]) throws -> AnalysisResult {
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source))
    return try analysis.run(into: &sink)
  }

  /// For each chain: how many identifiers and addresses, and how often it was heard.
  private static func sizes(_ heard: [Heard]) throws -> [[Int]] {
    try chains(heard).chains.map { [$0.places.count, $0.addresses.count, $0.sightings] }
  }

  /// One identifier every hundred seconds.
  private static func turns(_ address: (Int) -> Int) -> [Heard] {
    (0..<60).map { (second: $0 * 10, identifier: UInt8($0 / 10), address: address($0)) }
  }

  @Test func whatAnAddressSendsInTurnIsOneBeacon() throws {
    #expect(try Self.sizes(Self.turns { _ in 1 }) == [[6, 1, 60]])
  }

  @Test func anIdentifierJoinsTheAddressesThatSendItInTurn() throws {
    // A new address in the middle of each identifier's time.
    #expect(try Self.sizes(Self.turns { 1 + ($0 + 5) / 10 }) == [[6, 7, 60]])
  }

  @Test func whatChangesWithItsAddressLeavesNothingToGoBy() throws {
    #expect(try Self.sizes(Self.turns { 1 + $0 / 10 }) == [])
  }

  @Test func identifiersOfOneTimeAreSeveralBeacons() throws {
    let heard: [Heard] = (0..<60).map { ($0, UInt8($0 % 2), 1) }
    #expect(try Self.sizes(heard) == [])
  }

  @Test func anIdentifierThatComesBackIsNoneInTurn() throws {
    let heard = Self.turns { _ in 1 } + [(second: 700, identifier: UInt8(0), address: 1)]
    #expect(try Self.sizes(heard) == [])
  }

  @Test func aCopyFromElsewhereIsNoneInTurn() throws {
    var heard = Self.turns { _ in 1 }
    for place in (15..<25).reversed() {
      let copied = heard[place]
      heard.insert((copied.second + 1, copied.identifier, 2), at: place + 1)
    }
    #expect(try Self.sizes(heard) == [])
  }

  @Test func identifiersAreInTheOrderInWhichTheyWereHeard() throws {
    let heard = Self.turns { _ in 1 }.map { heard in
      (second: heard.second, identifier: 200 - 10 * heard.identifier, address: heard.address)
    }
    let chains = try Self.chains(heard)
    let chain = try #require(chains.chains.first)
    let beacons = try Self.result([Self.recording(heard)]).statistics.summaries()
    #expect(
      chain.places.map { beacons.identity(at: $0).byte(0) } == [200, 190, 180, 170, 160, 150])
    #expect(chain.places.allSatisfy { chains.number(of: $0) == 0 })
  }

  private static func recording(_ heard: [Heard], _ name: String = "radio") -> Recording {
    var recording = Recording(name)
    for one in heard {
      recording.hear(
        Payload.eddystoneEID([UInt8](repeating: one.identifier, count: 8), power: -20),
        from: address(one.address), at: Int64(one.second) * 1000)
    }
    return recording
  }

  @Test func whatTwoReceiversHearAtATimeIsSeveralBeacons() throws {
    // For less time than by which their clocks may differ.
    let heard: [Heard] = (0..<40).map { ($0, UInt8($0 % 2), 1) }
    #expect(try Self.chains(heard, heard).chains.isEmpty)
    let copied: [Heard] = (0..<40).map { ($0, UInt8($0 / 20), 1 + $0 % 2) }
    #expect(try Self.chains(copied, copied).chains.isEmpty)
  }

  @Test(arguments: [(1, false), (4, false), (10, true)])
  func whatWasSeldomHeardMayBeInTurnByChance(_ times: Int, _ isChain: Bool) throws {
    let heard: [Heard] = (0..<2 * times).map { ($0 * 10, UInt8($0 / times), 1) }
    #expect(try Self.sizes(heard).count == (isChain ? 1 : 0))
  }

  @Test func nothingIsInTurnByAClockThatSteppedBack() throws {
    let beacons = try Self.result([Self.recording(Self.turns { _ in 1 })]).statistics.summaries()
    #expect(IdentifierChains(beacons, unsteady: [1]).chains.count == 1)
    #expect(IdentifierChains(beacons, unsteady: [0]).chains.isEmpty)
  }

  /// Their clocks need not agree to the second.
  @Test func severalReceiversHearTheSameTurns() throws {
    let late = Self.turns { _ in 1 }.map { ($0.second + 20, $0.identifier, $0.address) }
    let chains = try Self.chains(Self.turns { _ in 1 }, late).chains
    #expect(chains.map(\.places.count) == [6])
    #expect(chains.map(\.sightings) == [120])
  }

  @Test func theirSumIsOneBeacons() throws {
    let beacons = try Self.result([Self.recording(Self.turns { _ in 1 })]).statistics.summaries()
    let chain = try #require(IdentifierChains(beacons).chains.first)
    var scratch = SummaryScratch()
    let sum = beacons.summary(ofAll: chain.places, &scratch)
    #expect(sum.sightings == 60)
    #expect(sum.companions == 0)
    #expect(sum.sources.map(\.sightings) == [60])
    #expect(sum.last.nanoseconds - sum.first.nanoseconds == 590_000_000_000)
  }

  @Test func lastingIdentitiesAreNoChain() throws {
    var recording = Recording("radio")
    for turn in 0..<60 {
      recording.hear(
        Recording.iBeacon(UInt16(turn / 10)), from: Self.address(1), at: Int64(turn) * 10_000)
    }
    #expect(
      IdentifierChains(try Self.result([recording]).statistics.summaries()).chains.isEmpty)
  }
}
