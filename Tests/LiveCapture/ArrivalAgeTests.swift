import Testing

@testable import LiveCapture

@Suite("How far the clock of packets has certainly come") struct ArrivalAgeTests {
  private static let second: Int64 = 1_000_000_000
  private static let start = 1_700_000_000 * second

  /// What is certain, in nanoseconds before the moment.
  private func behind(_ age: inout ArrivalAge, at now: Int64) -> Int64 {
    now - age.certain(at: now)
  }

  @Test("is the margin before now, while packets come at once")
  func usual() {
    var age = ArrivalAge()
    #expect(behind(&age, at: Self.start) == ArrivalAge.margin)
    age.note(stamp: Self.start, at: Self.start)
    #expect(behind(&age, at: Self.start + 5) == ArrivalAge.margin)
  }

  @Test("waits as long as packets were late, and for a second or two more")
  func late() {
    var age = ArrivalAge()
    let late = Self.second / 2
    age.note(stamp: Self.start - late, at: Self.start)
    age.note(stamp: Self.start, at: Self.start)
    #expect(behind(&age, at: Self.start + 1) == ArrivalAge.margin + late)
    #expect(behind(&age, at: Self.start + Self.second) == ArrivalAge.margin + late)
    #expect(behind(&age, at: Self.start + 2 * Self.second) == ArrivalAge.margin)
  }

  @Test("comes back to the margin after a long silence, and after the clock was set")
  func silence() {
    for next in [Self.start + 60 * Self.second, Self.start - 3600 * Self.second] {
      var age = ArrivalAge()
      age.note(stamp: Self.start - Self.second, at: Self.start)
      #expect(behind(&age, at: next) == ArrivalAge.margin)
    }
  }

  @Test("takes no stamp of the future for certain")
  func future() {
    var age = ArrivalAge()
    age.note(stamp: Self.start + Self.second, at: Self.start)
    #expect(behind(&age, at: Self.start) == ArrivalAge.margin)
  }
}
