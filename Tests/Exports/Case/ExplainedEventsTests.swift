import Analysis
import CaptureReader
import Regions
import Testing

@testable import Exports

@Suite("Events whose chains a case keeps") struct ExplainedEventsTests {
  /// Exits from one region, of these grades; alerts cite these of them.
  private func kept(_ grades: [Silence.Grade], cited: [Int], most: Int) throws -> ([Int], Int) {
    var scene = try TimelineScene()
    for (place, grade) in grades.enumerated() {
      var event = TimelineEvent(
        id: UInt64(place + 1), type: .exit, time: TimelineScene.time(Double(100 * place)),
        observer: 0, region: 0, profile: 0)
      event.silence = TimelineScene.silence(grade)
      scene.timeline.events.append(event)
    }
    var alert = Alert(
      time: TimelineScene.time(0), severity: .info, title: "t",
      rule: Alert.Rule(plugin: "p", version: "", sha256: ""))
    alert.events = cited.map { UInt64($0 + 1) }
    scene.timeline.alerts = [alert]
    let explained = try ExplainedEvents(scene.timeline, most: most)
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
    let scene = try TimelineScene()
    #expect(try ExplainedEvents(scene.timeline).remark == nil)
  }
}
