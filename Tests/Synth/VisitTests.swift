import Analysis
import CaptureReader
import Regions
import Synth
import Testing

/// The visits of the timeline are those of the truth, within the exit period.
///
/// The rule: there are as many stays in a room as visits (`Followed.presences`: the room's beacons in
/// range, scan pauses left out, and what lies no more than the exit period apart as one). A stay begins
/// and is last seen no more than the exit period from where the visit begins and ends: lost packets
/// make it shorter, noise at the edge longer. It ends an exit period after it was last seen, and is open
/// only where the recording ends before.
@Suite(.timeLimit(.minutes(60)))
struct VisitTests {
  struct Walk: Sendable, CustomTestStringConvertible {
    let scenario: String
    let seed: UInt64
    /// Seconds.
    let exitAfter: Int64
    var container = "btsnoop"
    var link = "1002"
    var testDescription: String { "\(scenario) \(link) seed \(seed), \(exitAfter) s" }

    /// The museum without noise: at walls of 4 dB noise is heard for minutes beside the plan.
    func site() throws -> Site {
      let scenario: Scenario =
        scenario == "museum"
        ? try .bundled("museum", "\"noise_db\": 3.2", by: "\"noise_db\": 0")
        : try .bundled(scenario)
      return try Site(
        scenario, try RecordingForm(container: container, link: link), seed: seed)
    }
  }

  static let walks: [Walk] =
    (UInt64(1)...3).flatMap { seed in
      [
        Walk(scenario: "corridor", seed: seed, exitAfter: 30),
        Walk(scenario: "corridor", seed: seed, exitAfter: 10),
        Walk(scenario: "museum", seed: seed, exitAfter: 30),
        Walk(scenario: "museum", seed: seed, exitAfter: 10),
      ]
    } + [
      Walk(scenario: "corridor", seed: 4, exitAfter: 20, container: "pcapng", link: "272"),
      Walk(scenario: "museum", seed: 4, exitAfter: 20, container: "pcap", link: "254"),
    ]

  @Test(arguments: walks)
  func visitsAreThoseOfTheTruth(_ walk: Walk) throws {
    let site = try walk.site()
    let rooms = Followed.rooms(of: site)
    #expect(rooms.count == 5)
    let followed = try Followed(site, regions: rooms.map(\.region), exitAfter: walk.exitAfter)
    let period = walk.exitAfter * 1_000_000_000
    let end = followed.timeline.observers[0].end.nanoseconds
    for room in rooms {
      let stays = followed.stays(in: room.name)
      let visits = try followed.presences(in: room.name, exitAfter: walk.exitAfter)
      #expect(stays.count == visits.count, "\(room.name)")
      for (stay, visit) in zip(stays, visits) {
        #expect(abs(stay.since.nanoseconds - visit.from) <= period, "\(room.name)")
        #expect(abs(stay.lastSeen.nanoseconds - visit.to) <= period, "\(room.name)")
        if stay.isOpen {
          #expect(stay.lastSeen.nanoseconds + period >= end, "\(room.name)")
        } else {
          #expect(stay.until.nanoseconds == stay.lastSeen.nanoseconds + period, "\(room.name)")
        }
      }
    }
  }

  /// A pause of the scan ends stays that nobody left: they are deaf, and no other is.
  @Test(arguments: UInt64(1)...3)
  func exitsInAPauseAreDeafAndNoOthers(_ seed: UInt64) throws {
    let site = try Walk(scenario: "museum", seed: seed, exitAfter: 30).site()
    let rooms = Followed.rooms(of: site)
    let followed = try Followed(site, regions: rooms.map(\.region))
    let pause = try #require(try followed.pauses().first)
    let left = rooms.flatMap { followed.stays(in: $0.name) }.filter { !$0.isOpen }
    #expect(left.count > 5)
    for stay in left {
      let isInPause =
        stay.lastSeen.nanoseconds < pause.to && stay.until.nanoseconds > pause.from
      #expect((stay.silence?.grade == .deaf) == isInPause, "seed \(seed)")
    }
    #expect(left.contains { $0.silence?.grade == .deaf })
  }
}
