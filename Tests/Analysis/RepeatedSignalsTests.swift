import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@testable import Analysis

/// Captures that hold the signals of others at other times.
@Suite("Repeated signals") struct RepeatedSignalsTests {
  private struct Heard {
    var milliseconds: Int64
    let minor: UInt16
    var signal: Int8
  }

  /// Three beacons, heard about three times a second each, as loud as it happens.
  private static func heard(_ count: Int = 3000, seed: UInt64 = 1) -> [Heard] {
    var random = SplitMix(seed)
    var times: [Int64] = [0, 30, 60]
    return (0..<count).map { place in
      let beacon = place % 3
      times[beacon] += 300 + Int64(random.next() % 11)
      let signal = -60 - 5 * beacon - Int(random.next() % 7)
      return Heard(
        milliseconds: times[beacon], minor: UInt16(beacon + 1), signal: Int8(signal))
    }
  }

  private struct SplitMix {
    var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  private static func capture(
    _ name: String, _ heard: [Heard], later: Int64 = 0, jitter: (Int) -> Int64 = { _ in 0 }
  ) -> CaptureSource {
    let records = heard.enumerated().map { place, heard in
      let report = HCI.LegacyReport(
        Address(0xC000_0000_0000 + UInt64(heard.minor)), Recording.iBeacon(heard.minor),
        rssi: heard.signal)
      let packet = HCI.advertisingReport(report)
      let microseconds =
        (Recording.start + heard.milliseconds + later) * 1000 + jitter(place)
      return Record(microseconds * 1000, packet.h4, tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func facts(_ sources: CaptureSource...) throws -> [CaptureFacts] {
    var analysis = Analysis(sources)
    var none = NoSink()
    return try analysis.run(into: &none).captures
  }

  private static func told(_ facts: CaptureFacts) -> String? {
    facts.repeating.map { repeated in
      let seconds = (Double(repeated.later) / 1e9 * 10).rounded() / 10
      return "\(repeated.name) \(seconds) s \(repeated.isExact ? "exact" : "about") "
        + "\(Int((repeated.part * 100).rounded())) %"
    }
  }

  @Test("are found whatever the times say, and whichever capture is named first")
  func shifted() throws {
    let heard = Self.heard()
    for (later, words) in [(Int64(7_200_000), "7200.0"), (700, "0.7"), (-86_400_000, "86400.0")] {
      let (one, copy) = (Self.capture("one", heard), Self.capture("copy", heard, later: later))
      let both = try Self.facts(one, copy)
      let first = later > 0 ? "one" : "copy"
      #expect(both.compactMap(Self.told) == ["\(first) \(words) s exact 100 %"])
      #expect(try Self.facts(copy, one).compactMap(Self.told) == both.compactMap(Self.told))
      #expect(both.allSatisfy { $0.sharing == nil })
    }
  }

  @Test("are found in a part, in one without a beacon, and where times were rounded")
  func changed() throws {
    let heard = Self.heard(9000)
    let one = Self.capture("one", heard)
    let part = try Self.facts(
      one, Self.capture("part", Array(heard[4000..<6000]), later: 3_600_000))
    #expect(Self.told(part[1])?.hasPrefix("one 3600.0 s exact") == true)
    let fewer = Self.capture("fewer", heard.filter { $0.minor != 2 }, later: 3_600_000)
    #expect(Self.told(try Self.facts(one, fewer)[1])?.hasPrefix("one 3600.0 s exact") == true)
    let rounded = Self.capture("rounded", heard, later: 3_600_000) { Int64($0 % 7) * 100 }
    #expect(Self.told(try Self.facts(one, rounded)[1])?.hasPrefix("one 3600.0 s about") == true)
  }

  @Test("of another run are found, too") func otherRun() throws {
    let heard = Self.heard()
    func sample(_ source: CaptureSource) throws -> [SignalSample] {
      var options = Analysis.Options()
      options.comparesSignals = true
      var analysis = Analysis([source], options: options)
      var none = NoSink()
      return try analysis.run(into: &none).signals
    }
    let known = RepeatedSignals.Samples(try sample(Self.capture("one", heard)))
    let copy = try sample(Self.capture("copy", heard, later: 604_800_000))
    let found = try #require(known.most(of: copy[0]))
    #expect(found.place == 0 && found.repeated.later == 604_800_000_000_000)
    let other = try sample(Self.capture("other", Self.heard(seed: 2), later: 604_800_000))
    #expect(known.most(of: other[0]) == nil)
  }

  @Test("are not those of two radios that hear the same packets")
  func twoRadios() throws {
    let heard = Self.heard()
    let others = zip(heard, Self.heard(seed: 3)).map { one, other in
      Heard(milliseconds: one.milliseconds, minor: one.minor, signal: other.signal)
    }
    for later in [Int64(0), 700, 7_200_000] {
      let found = try Self.facts(
        Self.capture("one", heard), Self.capture("other", others, later: later))
      #expect(found.compactMap(Self.told).isEmpty)
    }
  }

  @Test(
    "are not those that say little: always the same, one of three by turns, hardly ever another, none"
  )
  func little() throws {
    let signals: [(Int) -> Int8] = [
      { _ in -60 }, { Int8(-60 - $0 / 3 % 3) }, { $0 % 50 < 3 ? -61 : -60 }, { _ in 127 },
    ]
    for signal in signals {
      let heard = Self.heard().enumerated().map { place, heard in
        Heard(milliseconds: heard.milliseconds, minor: heard.minor, signal: signal(place))
      }
      let found = try Self.facts(
        Self.capture("one", heard), Self.capture("next", heard, later: 86_400_000))
      #expect(found.compactMap(Self.told).isEmpty)
    }
  }

  @Test("at the same times are told as the same packets, not as these") func sameTimes() throws {
    let heard = Self.heard()
    let part = Self.capture("part", Array(heard.prefix(1500)))
    let found = try Self.facts(Self.capture("one", heard), part)
    #expect(found[1].sharing?.name == "one" && found[1].repeating == nil)
    #expect(found[0].shares(with: found[1]) && found[1].shares(with: found[0]))
  }
}
