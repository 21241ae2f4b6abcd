import Analysis
import CaptureReader
import Regions
import TestSupport
import Testing

/// A run that goes on with what an earlier one knew (SEMANTICS 2, 8).
@Suite("A run after a restart")
struct RestartTests {
  typealias Heard = Restarting.Heard

  /// Two minutes: lobby from 1 to 100 s, hall never.
  private static func first(_ part: Restarting) throws -> RunState {
    let lobby = (1...100).map { Heard(at: Double($0) + 0.5, minor: 1) }
    let outcome = try part.run(Restarting.mixed(Restarting.others(0...100), lobby))
    #expect(outcome.events == ["state(inside) lobby 1.5", "state(outside) hall 30.0"])
    return try #require(outcome.state)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var later: [Heard]
    var events: [String]
    init(_ description: String, _ later: [[Heard]], _ events: [String]) {
      testDescription = description
      self.later = later.flatMap { $0 }.sorted { ($0.at, $0.minor) < ($1.at, $1.minor) }
      self.events = events
    }
  }

  @Test(
    "tells what is new, and nothing twice",
    arguments: [
      Case("still there", [Restarting.others(130...200), beacon(1, 130.25, 150, 170, 190)], []),
      Case(
        "left while nothing ran: at t0 + P, seen last when it truly was",
        [Restarting.others(130...200)], ["exit lobby 160.0 last 100.5 uncited"]),
      Case(
        "left later", [Restarting.others(130...200), beacon(1, 135)],
        ["exit lobby 165.0 last 135.0"]),
      Case(
        "came while nothing ran: an entry, without the time to decide",
        [Restarting.others(130...159), beacon(1, 140), beacon(2, 131)], ["enter hall 131.0"]),
      Case("too short to tell", [Restarting.others(130...159)], []),
    ])
  func goesOn(_ expected: Case) throws {
    let part = try Restarting()
    let later = try part.run(expected.later, after: try Self.first(part))
    #expect(later.events == expected.events)
    #expect(later.timeline.warnings == [])
    #expect(
      later.told
        == ["hci0: goes on with the saved state (profile site): inside 1 of 2 regions"])
  }

  @Test("knows who was outside from its first record on") func outsideFromStart() throws {
    let part = try Restarting()
    let later = try part.run(Restarting.others(130...150), after: try Self.first(part))
    let known = later.timeline.outcomes[0].outsideFromStart
    #expect(known.map(\.region) == [1])
    #expect(known.map(\.time) == [later.timeline.observers[0].start])
    #expect(try part.run(Restarting.others(0...10)).timeline.outcomes[0].outsideFromStart.isEmpty)
  }

  private static func beacon(_ minor: UInt16, _ times: Double...) -> [Heard] {
    times.map { Heard(at: $0, minor: minor) }
  }

  @Test("judges an exit by what was heard since it began, and shows the stay as a whole")
  func grade() throws {
    let part = try Restarting()
    let state = try Self.first(part)
    // The clock goes on without an advertiser that could be heard: only the last tells of it.
    let deaf = try part.run([Heard(at: 130, minor: 9), Heard(at: 161, minor: 9)], after: state)
    #expect(deaf.events == ["exit lobby 160.0 last 100.5 uncited"])
    #expect(deaf.timeline.events.first?.silence?.grade == .deaf)
    let heard = try part.run(Restarting.others(130...170), after: state)
    // Nobody of it was heard since: how regular it is the earlier run knew.
    let silence = try #require(heard.timeline.events.first?.silence)
    #expect(silence.grade == .gone)
    #expect(silence.interval == 1_000_000_000 && silence.loss == 0 && silence.transmitters == 1)
    // An older version's file does not say.
    var older = state
    for place in older.profiles[0].observers[0].regions.indices {
      older.profiles[0].observers[0].regions[place].regularity = nil
    }
    let thin = try part.run(Restarting.others(130...170), after: older)
    #expect(thin.timeline.events.first?.silence?.grade == .thin)
    let stay = try #require(heard.timeline.outcomes[0].stays.first?.visit)
    #expect(Restarting.seconds(stay.since) == 1.5)
    #expect(Restarting.seconds(stay.lastSeen) == 100.5)
    #expect(stay.sightings == 100)
    #expect(stay.first.isNone && stay.last.isNone)
    let open = try part.run(
      Restarting.mixed(Restarting.others(130...140), Self.beacon(1, 131)), after: state)
    let visit = try #require(open.timeline.outcomes[0].stays.first?.visit)
    #expect(visit.sightings == 101 && visit.first.isNone && !visit.last.isNone)
    #expect(Restarting.seconds(visit.lastSeen) == 131)
  }

  @Test("says that the regions of a state are others now, and how far a clock was set back")
  func words() throws {
    let part = try Restarting()
    let state = try Self.first(part)
    var other = try Restarting("yard=url:https://a/")
    other.goodFor = RunState.usualAge
    let later = try other.run(Restarting.others(130...131), after: state)
    #expect(
      later.told == [
        "hci0: goes on with the saved state (profile site): 0 of its 2 regions are defined as they "
          + "were"
      ])
    let back = try part.run([Heard(at: -11_999.5, minor: 9)], after: state)
    #expect(
      back.told == [
        "hci0: the clock was set back: the saved state is 3 h 22 min later than the first record. "
          + "Nobody is taken for inside by what is more than 15 min off; what plugins saved is restored"
      ])
  }

  @Test("begins anew with a state that is too old, or too far behind the clock, and says so")
  func stale() throws {
    let part = try Restarting()
    let state = try Self.first(part)
    for (offset, isGood) in [(900.0, true), (900.1, false), (-1000.0, false), (-200.0, true)] {
      let start = 100.5 + offset
      let later = try part.run(
        [Heard(at: start, minor: 9), Heard(at: start + 1, minor: 1)], after: state)
      #expect(
        later.events
          == (isGood ? [] : ["state(inside) lobby \(((start + 1) * 1000).rounded() / 1000)"]),
        "\(offset)")
      #expect(later.timeline.warnings.isEmpty == (offset == 900), "\(offset)")
    }
    var short = part
    short.goodFor = 10_000_000_000
    let later = try short.run([Heard(at: 120, minor: 1)], after: state)
    #expect(
      later.timeline.warnings == [
        "hci0: the saved state is 19.5 s older than the first record: nobody is taken for inside by "
          + "what is more than 10 s old, and regions begin anew; what plugins saved is restored"
      ])
    #expect(later.told == later.timeline.warnings)
  }

  @Test("begins a region anew whose definition is another, and one that is new")
  func otherDefinitions() throws {
    let state = try Self.first(try Restarting())
    let part = try Restarting(
      Restarting.lobby + ",exit_after=20", Restarting.hall,
      "all=ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F")
    let later = try part.run([Heard(at: 110, minor: 1), Heard(at: 111, minor: 2)], after: state)
    #expect(
      later.events == ["state(inside) lobby 110.0", "state(inside) all 110.0", "enter hall 111.0"])
    #expect(
      later.timeline.warnings == [
        "region 'lobby': its definition is another than that of the saved state: it begins anew"
      ])
  }

  @Test("begins anew under a profile with other numbers, and at an observer of another name")
  func others() throws {
    let state = try Self.first(try Restarting())
    var part = try Restarting()
    part.settings.profiles[0].exitAfter = 31_000_000_000
    let numbers = try part.run([Heard(at: 110, minor: 1)], after: state)
    #expect(numbers.events == ["state(inside) lobby 110.0"])
    #expect(
      numbers.timeline.warnings == [
        "profile site: its numbers are others than those of the saved state: its regions begin anew"
      ])
    part = try Restarting()
    part.observer = "hci1"
    let renamed = try part.run([Heard(at: 110, minor: 1)], after: state)
    #expect(renamed.events == ["state(inside) lobby 110.0"])
    // The other one may still come: what it knew is kept for it, as of its own clock.
    let kept = try #require(renamed.state?.profiles[0].observers)
    #expect(kept.map(\.name) == ["hci1", "hci0"])
    #expect(kept[1] == state.profiles[0].observers[0])
    let muchLater = try part.run([Heard(at: 1100, minor: 1)], after: state)
    #expect(muchLater.state?.profiles[0].observers.map(\.name) == ["hci1"])
  }

  @Test("lets a region go that no run has seen for long, however often it is started")
  func againAndAgain() throws {
    let part = try Restarting()
    var state = try Self.first(part)
    var events: [String] = []
    for start in stride(from: 110, through: 1100, by: 20) {
      let outcome = try part.run(Restarting.others(start...(start + 10)), after: state)
      state = try #require(outcome.state)
      events += outcome.events
    }
    // 100.5 s + 900 s + 30 s.
    #expect(events == ["exit lobby 1050.0 last 100.5 uncited"])
  }

  @Test("ranges what was inside from the start")
  func ranging() throws {
    let part = try Restarting()
    let state = try Self.first(part)
    let later = try part.run(Self.beacon(1, 130, 130.5, 131, 132, 133), after: state)
    #expect(later.timeline.outcomes[0].stays.first?.nearest != nil)
  }

  @Test("has the regions again that came to be of what was seen")
  func seenRegions() throws {
    var part = try Restarting()
    part.settings.regions = RegionList()
    part.settings.profiles.append(Profiles.coreLocation)
    let state = try #require(try part.run([Heard(at: 0, minor: 1)]).state)
    let later = try part.run(
      [Heard(at: 10, minor: 1)] + (11...50).map { Heard(at: Double($0), minor: 1) }, after: state)
    #expect(later.events == [])
    #expect(later.timeline.regions.count == 1)
    #expect(later.timeline.outcomes.map(\.stays.count) == [1, 1])
  }

  @Test("numbers regions alike in a profile that begins anew")
  func seenRegionsOfOthers() throws {
    var part = try Restarting()
    part.settings.regions = RegionList()
    part.settings.profiles.append(Profiles.coreLocation)
    let state = try #require(try part.run([Heard(at: 0, minor: 0)]).state)
    part.settings.profiles[1].exitAfter += 1
    let later = try part.run([Heard(at: 10, minor: 1), Heard(at: 11, minor: 0)], after: state)
    #expect(
      later.events == [
        "state(inside) 00010203-0405-0607-0809-0a0b0c0d0e0f 10.0",
        "state(inside) 00010203-0405-0607-0809-0a0b0c0d0e0f 10.0",
        "state(inside) 0102030405060708090a 11.0",
      ])
    #expect(later.timeline.events.map(\.profile).sorted() == [0, 1, 1])
  }
}
