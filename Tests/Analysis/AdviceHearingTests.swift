import FrameEncoder
import Synth
import TestSupport
import Testing

@testable import Analysis

/// Advice where the radio, or the profile, hears for a part of the time.
@Suite("Advice, of what could be heard,") struct AdviceHearingTests {
  private static let second: Int64 = 1_000_000_000
  private static let one = Address(0xC000_0000_0001)
  private static let two = Address(0xC000_0000_0002)

  /// On the air for the whole hour, heard now and then: who scans for 10 s of 300 s hears it again 290 s later.
  @Test("takes an entry in the next window of a profile for coming back") func windows() throws {
    var recording = Recording("hall")
    var lots = SplitMix64(seed: 2)
    for third in Int64(0)..<10_800 {
      recording.hear(Recording.eddystone, from: Self.two, at: third * 333)
      if lots.next() % 100 < 20 {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: third * 333 + 20)
      }
    }
    let place = try AdviceSoundnessTests.place(
      recording, [1, 2], ["exit_after=2", "scan_window=10", "scan_interval=300"])
    let row = place.rows[0]
    #expect(row.exits > 3 && row.looksFalse == row.exits - row.notKnown, "\(row)")
    #expect(row.toldAfter == 301 * Self.second)
    #expect(place.windows?.length == 10 * Self.second)
    #expect(place.windows?.interval == 300 * Self.second)
  }

  /// Nobody is heard from 20 to 45 s, but for one report just behind the beacon's last; other records go on.
  @Test("does not go by who was heard last", arguments: [Int64(-40), 40])
  func silence(_ offset: Int64) throws {
    var recording = Recording("hall")
    for tenth in Int64(0)..<900 {
      let now = tenth * 100
      guard now <= 20_000 || now >= 45_000 else {
        recording.other(at: now)
        continue
      }
      if offset < 0 { recording.hear(Recording.eddystone, from: Self.two, at: now + 60) }
      recording.hear(Recording.iBeacon(1), from: Self.one, at: now + 100)
      if offset > 0 { recording.hear(Recording.eddystone, from: Self.two, at: now + 140) }
    }
    let place = try AdviceSoundnessTests.place(recording, [5, 10, 20], ["exit_after=5"])
    #expect(place.rows.map(\.deaf) == [1, 1, 1] && place.rows.map(\.looksFalse) == [0, 0, 0])
  }
}
