import CaptureReader
import Regions
import Testing

@testable import Analysis
@testable import Exports

/// Bars of captures that were made long after each other.
@Suite struct BarScaleTests {
  private static let day = 86_400.0

  /// A quarter of an hour each; the region is left in the first and entered in the last.
  private static func scene(_ days: [Double]) throws -> TimelineScene {
    let end = (days.last ?? 0) * day + 900
    let start = (days.first ?? 0) * day
    var scene = try TimelineScene(observers: [("phone", start, end)])
    scene.stay(from: start, until: start + 450, already: true)
    scene.stay(from: end - 450, until: nil)
    scene.outside(after: start + 480)
    scene.timeline.observers[0].recordings = days.map { day in
      Timeline.Recording(
        from: TimelineScene.time(day * Self.day), to: TimelineScene.time(day * Self.day + 900),
        continues: false)
    }
    scene.timeline.observers[0].deaf = scene.timeline.observers[0].unrecorded
    return scene
  }

  @Test func longPausesAreLeftOut() throws {
    let told = try Self.scene([0, 1, 118]).text().prefix(7).joined(separator: "\n")
    #expect(
      told == """

        REGIONS   profile site, exit after 30 s
                                      2026-05-19         ┆05-20         ┆09-14
                                      10:00       10:10  ┆10:00    10:10┆10:00     10:10
        lobby  2 visits, 15 min 00 s  █████████░░░░░░░░░░┆░░░░░░░░░░░░░░┆░░░░░░░███████▶
          █ inside  ░ outside  ▒ receiver deaf  · unknown  ▶ still inside at the end
          ┆ 2 pauses left out: nothing recorded for 117 d 23 h
        """)
  }

  @Test func aClockOfAnotherCenturyTakesNoRoom() throws {
    let told = try Self.scene([-9000, 0]).text()[2...4].joined(separator: "\n")
    #expect(told.contains(/\s2001 +┆2026\n +09-27 +┆05-19\n +10:00 .*┆10:00/), "\(told)")
  }

  /// Where there is no room the longest pauses are left out; what is drawn of the others is blank.
  @Test(arguments: [40, 80, 120])
  func thereIsRoomForEachDate(width: Int) throws {
    let days = (0..<30).map { Double($0 * $0) }
    let lines = try Self.scene(days).text(width: width)
    #expect(lines.allSatisfy { $0.count <= width })
    let text = lines.joined(separator: " ").replacing(/\s+/, with: " ")
    let cuts = try #require(text.firstMatch(of: /┆ (\d+) pauses left out/)).1
    let number = try #require(Int(cuts))
    #expect(number >= 3 && number < 29)
    #expect(text.contains("blank: not recorded"))
    let bars = lines.filter { $0.contains("█") && !$0.contains("inside") }
    #expect(bars.allSatisfy { $0.count { $0 == "┆" } == number })
  }

  @Test func whereNothingIsLeftOutNothingIsSaidOfIt() throws {
    let told = try Self.scene([0]).text().joined(separator: "\n")
    #expect(!told.contains("┆") && !told.contains("blank"))
  }

  @Test func aPauseThatIsDrawnIsNotDeafness() throws {
    var scene = try TimelineScene(observers: [("phone", 0, 3600)])
    scene.outside(after: 30)
    scene.timeline.observers[0].recordings = [(0.0, 900.0), (2700, 3600)].map {
      Timeline.Recording(
        from: TimelineScene.time($0.0), to: TimelineScene.time($0.1), continues: false)
    }
    scene.timeline.observers[0].deaf = scene.timeline.observers[0].unrecorded
    let told = scene.text().joined(separator: "\n")
    #expect(told.contains(/░ {10,}░/) && told.contains("blank: not recorded"), "\(told)")
    // In a capture it is deafness.
    scene.timeline.observers[0].recordings[1].continues = true
    let deaf = scene.text().joined(separator: "\n")
    #expect(deaf.contains(/░▒{10,}░/) && !deaf.contains("blank"), "\(deaf)")
  }

  /// Ten seconds of each minute fill all columns.
  @Test func columnsThatAreFilledByLessSaySo() throws {
    var scene = try TimelineScene(observers: [("phone", 0, 3600)])
    for minute in 0..<60 { scene.stay(from: Double(minute * 60), until: Double(minute * 60 + 10)) }
    let told = scene.text().joined(separator: " ").replacing(/\s+/, with: " ")
    #expect(told.contains(/█{30,}/), "\(told)")
    #expect(told.contains(/█ inside, if only for a part of 1 min \d\d s/), "\(told)")
    #expect(try !Self.scene([0]).text().joined().contains("if only"))
  }

  @Test func aPartOfTheTimeHasItsOwnStretches() throws {
    var scene = try Self.scene([0, 1, 118])
    scene.timeline.limits = TimeLimits(
      from: TimelineScene.time(Self.day / 2).nanoseconds,
      to: TimelineScene.time(Self.day + 300).nanoseconds)
    let told = scene.text()[2]
    #expect(told.hasSuffix("10:00      10:01      10:02       10:03      10:04"), "\(told)")
  }
}
