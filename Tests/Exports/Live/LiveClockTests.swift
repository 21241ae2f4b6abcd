import CaptureReader
import Testing

@testable import Exports

@Suite("A live run whose machine's clock is set") struct LiveClockTests {
  private static let second: Int64 = 1_000_000_000
  /// 2026-05-19T10:00:00Z.
  private static let start: Int64 = 1_779_184_800 * second

  /// A machine: its clock, one that runs evenly, and a run that comes along with the first.
  private struct Machine {
    var clock: LiveClock
    var wall = start
    var even: Int64 = 0
    var reached = Timestamp.none

    init(stateIsGoodFor: Int64? = nil) { clock = LiveClock(stateIsGoodFor: stateIsGoodFor) }

    /// - Parameter reaches: whether the run comes along.
    mutating func pass(_ seconds: Int64, reaches: Bool = true) -> LiveClock.Remark? {
      even += seconds * second
      wall += seconds * second
      if reaches { reached = Timestamp(nanoseconds: max(reached.nanoseconds, wall)) }
      return clock.next(wall: wall, even: even, reached: reached)
    }

    mutating func set(by seconds: Int64) { wall += seconds * second }
  }

  @Test("says by how much it was set back, until when what waits, and that it has caught up")
  func back() {
    var machine = Machine()
    #expect(machine.pass(1) == nil)
    machine.set(by: -10_800)
    let remark = machine.pass(1)
    #expect(
      remark?.text
        == "the machine's clock was set back by 3 h 00 min: until it is 2026-05-19 10:00:01 again exits and "
        + "timers wait, all that is told has that time, and what once_per and at_most hold back stays so.\n"
        + "A restart need not wait: it begins anew, by the clock as it is now.")
    #expect(remark?.weight == .grave)
    #expect(machine.clock.setBack?.by == 10_800 * Self.second)
    #expect(machine.clock.setBack?.since == Self.start + (2 - 10_800) * Self.second)
    #expect(machine.clock.setBack?.until == Self.start + Self.second)
    for _ in 0..<10 { #expect(machine.pass(1000) == nil) }
    #expect(machine.clock.setBack != nil)
    let well = machine.pass(900)
    #expect(well?.text == "the machine's clock has caught up: exits and timers go on.")
    #expect(well?.weight == .well && machine.clock.setBack == nil)
  }

  @Test("says what a restart does with the state that is kept")
  func restart() {
    func remedy(_ seconds: Int64) -> String? {
      var machine = Machine(stateIsGoodFor: 900 * Self.second)
      _ = machine.pass(1)
      machine.set(by: -seconds)
      return machine.pass(1)?.text.split(separator: "\n").dropFirst().first.map(String.init)
    }
    #expect(remedy(20) == nil)
    #expect(remedy(300) == "A restart need not wait: --state keeps who is inside.")
    #expect(
      remedy(3600)
        == "A restart need not wait, but takes nobody for inside by a state that is more than 15 min off "
        + "(--state-max-age); what plugins saved is restored.")
  }

  @Test("names a step forward, which is no work left undone")
  func forward() {
    var machine = Machine()
    var lag = LiveLag(hasRules: true)
    _ = machine.pass(1)
    machine.set(by: 7199)
    let remark = machine.pass(1, reaches: false)
    #expect(
      remark?.text
        == "the machine's clock was set forward by 2 h 00 min: exits and timers of that time come at once."
    )
    #expect(remark?.weight == .odd)
    #expect(machine.clock.setBack == nil)
    func behind() -> String? {
      lag.next(
        at: machine.reached, now: machine.clock.wall(machine.wall, for: machine.reached))
    }
    #expect(behind() == nil)
    // Exits and timers of the time between.
    let between = Timestamp(nanoseconds: machine.wall - 3600 * Self.second)
    #expect(
      lag.next(at: between, now: machine.clock.wall(machine.wall, for: between)) == nil)
    // Rules that are behind are so by the clock that stamped what they have come to.
    _ = machine.pass(20, reaches: false)
    #expect(behind()?.contains("was heard 21 s ago") == true)
    _ = machine.pass(1)
    #expect(behind() == "the rules are up to date again.")
  }

  @Test("takes no time that stood still for work left undone")
  func still() {
    var machine = Machine()
    var lag = LiveLag(hasRules: true)
    _ = machine.pass(1)
    machine.set(by: -3600)
    _ = machine.pass(300)
    machine.set(by: 3600)
    let remark = machine.pass(1, reaches: false)
    #expect(
      remark?.text
        == "the machine's clock was set forward by 1 h 00 min: exits and timers go on; those of 5 min 01 s come "
        + "at once.")
    #expect(
      lag.next(at: machine.reached, now: machine.clock.wall(machine.wall, for: machine.reached))
        == nil)
    _ = machine.pass(1)
    machine.wall += 60 * Self.second
    #expect(
      lag.next(at: machine.reached, now: machine.clock.wall(machine.wall, for: machine.reached))
        != nil)
  }

  @Test("tells a clock that is set all the time now and then, and what lasts all the same")
  func often() {
    var machine = Machine()
    _ = machine.pass(1)
    machine.set(by: -10)
    #expect(machine.pass(1)?.text.contains("set back by 10 s") == true)
    machine.set(by: 10)
    #expect(
      machine.pass(1)?.text
        == "the machine's clock was set forward by 10 s: exits and timers go on; those of 2 s come "
        + "at once.")
    machine.set(by: -100)
    #expect(machine.pass(1) == nil)
    #expect(machine.clock.setBack?.by == 100 * Self.second)
    #expect(machine.pass(30) == nil)
    #expect(machine.pass(30)?.text.contains("set back by 1 min 40 s") == true)
    machine.set(by: -100)
    #expect(machine.pass(61)?.text.contains("set back by 3 min 20 s") == true)
  }

  @Test("waits for nothing before the run has a time, and says nothing of a second")
  func small() {
    var machine = Machine()
    #expect(machine.pass(1, reaches: false) == nil)
    machine.set(by: -3600)
    #expect(machine.pass(1, reaches: false) == nil)
    #expect(machine.pass(1) == nil)
    machine.set(by: -1)
    #expect(machine.pass(1) == nil)
    machine.set(by: 1)
    #expect(machine.pass(1) == nil)
    #expect(machine.clock.setBack == nil)
  }
}
