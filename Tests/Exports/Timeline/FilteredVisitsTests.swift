import Analysis
import Regions
import Testing

@testable import Exports

@Suite("Visits that a filter of duplicates ends") struct FilteredVisitsTests {
  private static let filtered = TimelineScene.silence(.thin, filtered: 30_000_000_000)

  /// `hall` filters; the door hears the lobby alone.
  private func scene(_ silences: [Silence]) throws -> TimelineScene {
    var scene = try TimelineScene(
      observers: [("door", 0, 6000), ("hall", 0, 6000)],
      regions: [
        "lobby=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
        "yard=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:8",
      ])
    scene.stay(0, at: 0, from: 0, until: nil)
    for (place, silence) in silences.enumerated() {
      let from = Double(100 * place)
      scene.stay(0, at: 1, from: from, until: from + 60, silence: silence)
      scene.stay(1, at: 1, from: from, until: from + 60, silence: silence)
    }
    return scene
  }

  @Test("are counted where another receiver knows more, and listed where nobody does")
  func counted() throws {
    let scene = try scene([Silence](repeating: Self.filtered, count: 5))
    let visits = FilteredVisits(scene.timeline.outcomes[0].stays)
    #expect(visits.untold.map(\.observer) == [1] && visits.untold.map(\.visits) == [5])
    #expect(visits.listed.map { Int($0.visit.region) } == [0, 1, 1, 1, 1, 1])
  }

  @Test("are listed where they are few, and what ended otherwise always") func few() throws {
    let gone = [Silence](repeating: TimelineScene.gone, count: 5)
    for silences in [[Silence](repeating: Self.filtered, count: 3), gone] {
      let stays = try scene(silences).timeline.outcomes[0].stays
      let visits = FilteredVisits(stays)
      #expect(visits.listed.count == stays.count && visits.untold.isEmpty)
    }
  }
}
