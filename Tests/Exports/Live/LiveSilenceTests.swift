import Testing

@testable import Exports

@Suite("Silence in a live run") struct LiveSilenceTests {
  /// What is told, with the second at which it is: some advertisements in each second.
  private static func told(
    until end: Int, canHear: (Int) -> Bool = { _ in true }, _ perSecond: (Int) -> Int
  ) -> [String] {
    var silence = LiveSilence()
    var reports = 0
    return (0..<end).compactMap { second in
      reports += perSecond(second)
      return silence.next(reports: reports, canHear: canHear(second), now: Double(second))
        .map { "\(second) \($0.isBad ? "bad" : "well"): \($0.text)" }
    }
  }

  @Test("is told once when everybody falls silent, and when somebody is heard again")
  func fallsSilent() {
    let told = Self.told(until: 400) { $0 < 15 || $0 >= 90 ? 20 : 0 }
    #expect(
      told == [
        "45 bad: nobody was heard for 31 s; before that 21 advertisements came a second. Does it still scan?",
        "90 well: somebody is heard again, after 1 min 16 s.",
      ])
  }

  @Test("is told where nobody was ever heard")
  func never() {
    #expect(
      Self.told(until: 300) { _ in 0 } == [
        "61 bad: no advertisement of anybody was heard in 1 min 01 s. Does it scan, and is anybody there?"
      ])
  }

  @Test("is not told where beacons are rare, or come and go as before")
  func rare() {
    #expect(Self.told(until: 2000) { $0 % 20 == 0 ? 1 : 0 }.isEmpty)
    // Each ten minutes somebody passes by: told once, not each time.
    let told = Self.told(until: 6000) { $0 % 600 < 10 ? 5 : 0 }
    #expect(told.count == 2, "\(told)")
  }

  @Test("is not told of an interface that is away: that is told elsewhere")
  func away() {
    let told = Self.told(until: 201, canHear: { !(20..<170).contains($0) }) { $0 < 15 ? 20 : 0 }
    #expect(told.count == 1 && told[0].hasPrefix("200 bad: nobody was heard for 31 s"), "\(told)")
  }
}
