import Analysis
import CaptureReader
import Testing

@testable import Cases
@testable import Regions

@Suite("Events whose chains a case keeps") struct ExplainedEventsTests {
  /// One region at one receiver, and nothing happened.
  private func watched() throws -> Timeline {
    var timeline = Timeline()
    timeline.observers = [Timeline.Observer(name: "hci0")]
    timeline.regions = [
      try Region.parse("lobby=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7")
    ]
    var outcome = Timeline.Outcome(profile: Profiles.site)
    outcome.states = [[.outside]]
    timeline.outcomes = [outcome]
    return timeline
  }

  /// Exits from one region, of these grades; alerts cite these of them.
  private func kept(_ grades: [Silence.Grade], cited: [Int], most: Int) throws -> ([Int], Int) {
    var timeline = try watched()
    for (place, grade) in grades.enumerated() {
      var event = TimelineEvent(
        id: UInt64(place + 1), type: .exit,
        time: Timestamp(nanoseconds: 100_000_000_000 * Int64(place)),
        observer: 0, region: 0, profile: 0)
      event.silence = Silence(
        grade: grade, othersHeard: .none, scanOff: 0, captureOff: 0, recordGap: 0, filtered: 0,
        listedOnly: 0, packetsLost: 0, interval: nil, loss: nil, probability: nil, listened: nil,
        transmitters: 0)
      timeline.events.append(event)
    }
    var alert = Alert(
      time: Timestamp(nanoseconds: 0), severity: .info, title: "t",
      rule: Alert.Rule(plugin: "p", version: "", sha256: ""))
    alert.events = cited.map { UInt64($0 + 1) }
    timeline.alerts = [alert]
    let explained = try ExplainedEvents(timeline, most: most)
    return (grades.indices.filter { explained.keeps($0) }, explained.left)
  }

  @Test("are those that have to be proved, what alerts cite, the last exit, and the first others")
  func order() throws {
    let grades: [Silence.Grade] = [
      .thin, .thin, .thin, .thin, .thin, .thin, .thin, .deaf, .gone, .deaf, .thin, .thin,
    ]
    let (kept, left) = try kept(grades, cited: [4], most: 2)
    // 9 is the third that has to be proved.
    #expect(kept == [0, 1, 4, 7, 8, 11])
    #expect(left == 6)
  }

  @Test("are all where there is room") func all() throws {
    let (kept, left) = try kept([.thin, .gone, .deaf], cited: [], most: 2)
    #expect(kept == [0, 1, 2] && left == 0)
  }

  @Test("how many have none is a remark") func remark() throws {
    #expect(try ExplainedEvents(nil).remark == nil)
    #expect(try ExplainedEvents(watched()).remark == nil)
  }
}
