import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// Regions that were not entered because of what they ask for.
@Suite struct GateHintTests {
  private static func hints(_ region: String, rssi: Int8 = -60) throws -> [String] {
    var recording = Recording("hall")
    for second in Int64(0)..<20 {
      recording.hear(
        Recording.iBeacon(1), from: Address(1, isRandom: true), at: second * 1000, rssi: rssi)
    }
    let timeline = try recording.timeline(region)
    return timeline.hints.filter { $0.code == "gate_never_passed" }.map(\.text)
  }

  @Test func whatWasTooWeakIsTold() throws {
    #expect(
      try Self.hints(",min_rssi=-40") == [
        "Region x was never entered: what is of it was heard 20 times, at -60 dBm at best, and the region asks "
          + "for -40 dBm (min_rssi) by the smoothed signal."
      ])
  }

  @Test func whatWasTooFarIsTold() throws {
    #expect(try Self.hints(",within=0.5")[0].contains("a distance of 0.5 m at most (within)"))
    #expect(
      try Self.hints(",within=immediate")[0].contains("a distance that is immediate (within)"))
    #expect(try Self.hints(",min_rssi=-40", rssi: 127)[0].contains("with no known strength"))
  }

  @Test func thatSightingsHadNoSignalIsTold() throws {
    func hints(_ region: String) throws -> [String] {
      var recording = Recording("hall")
      for second in Int64(0)..<20 {
        recording.hear(
          Recording.iBeacon(1), from: Address(1, isRandom: true), at: second * 1000,
          rssi: second < 15 ? -60 : 127)
      }
      return try recording.timeline(region).hints.filter { $0.code == "sightings_without_rssi" }
        .map(\.text)
    }
    #expect(
      try hints(",min_rssi=-70") == [
        "5 of 20 sightings of region x have no RSSI: its gate lets none of them pass, however near."
      ])
    #expect(try hints("").isEmpty)
  }

  @Test func whatWasEnteredIsNot() throws {
    #expect(try Self.hints("").isEmpty)
    #expect(try Self.hints(",min_rssi=-70").isEmpty)
    #expect(try Self.hints(",within=2").isEmpty)
  }
}
