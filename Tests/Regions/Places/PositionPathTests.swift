import CaptureReader
import Foundation
import TestSupport
import Testing
import TrackReader

@testable import Regions

@Suite struct PositionPathTests {
  private func path(_ a: (Double, Double), _ b: (Double, Double), seconds: Double) -> PositionPath {
    PositionPath([
      Fix(
        time: Walk.time(0), latitude: a.0, longitude: a.1, altitude: 10, place: .line(7)),
      Fix(
        time: Walk.time(seconds), latitude: b.0, longitude: b.1, altitude: 20, place: .line(8)),
    ])
  }

  @Test(
    arguments: [
      ((0.0, 0.0), (0.0, 1.0), (0.0, 0.5)), ((0, 179.5), (0, -179.5), (0, -180)),
      ((0, -179.5), (0, 179.5), (0, -180)), ((89, 0), (89, 180), (90, 0)),
      // Veness: midpoint 54°21′44″ N, 4°31′50″ W.
      ((50.066389, -5.714722), (58.643889, -3.07), (54.36222, -4.53056)),
    ] as [((Double, Double), (Double, Double), (Double, Double))])
  func halfwayIsTheMiddleOfTheGreatCircle(
    _ a: (Double, Double), _ b: (Double, Double), _ middle: (Double, Double)
  ) throws {
    let position = try #require(path(a, b, seconds: 30).position(at: Walk.time(15)))
    let miss = Sphere.distance(
      position.latitude, position.longitude, middle.0, middle.1)
    #expect(miss < 20)
    #expect(position.altitude == 15)
    #expect(position.longitude >= -180 && position.longitude < 180)
    #expect(position.before == .line(7) && position.after == .line(8))
  }

  @Test(arguments: [(29.0, true), (30, true), (30.000000001, false), (3000, false)])
  func betweenFixesMoreThan30SecondsApartItIsUnknown(_ gap: Double, _ known: Bool) {
    let path = path((0, 0), (0, 1), seconds: gap)
    #expect((path.position(at: Walk.time(10)) != nil) == known)
    #expect(path.position(at: Walk.time(0)) != nil)
    #expect(path.position(at: Walk.time(gap)) != nil)
    #expect(path.position(at: Walk.time(-0.000000001)) == nil)
    #expect(path.position(at: Walk.time(gap + 0.000000001)) == nil)
    #expect(path.position(at: .none) == nil)
  }

  @Test func aPositionLiesBetweenItsFixesAndGoesForward() throws {
    var random = Seeded(3)
    for round in 0..<1000 {
      let a = (
        Double.random(in: -90...90, using: &random), Double.random(in: -180..<180, using: &random)
      )
      let b = (
        Double.random(in: -90...90, using: &random), Double.random(in: -180..<180, using: &random)
      )
      let path = path(a, b, seconds: 20)
      let whole = Sphere.distance(a.0, a.1, b.0, b.1)
      for second in [0.0, 0.5, 7, 19.999, 20] {
        let p = try #require(path.position(at: Walk.time(second)))
        let fromStart = Sphere.distance(a.0, a.1, p.latitude, p.longitude)
        let toEnd = Sphere.distance(p.latitude, p.longitude, b.0, b.1)
        #expect(abs(fromStart + toEnd - whole) < 0.01, "round \(round)")
        #expect(abs(fromStart - whole * second / 20) < 0.01, "round \(round)")
      }
    }
  }

  @Test func fixesOutOfOrderAreRefusedAndCounted() {
    let path = PositionPath(Walk.fixes([(0, 0), (10, 1), (10, 2), (5, 3), (20, 4)]))
    #expect(path.fixes.map(\.place.number) == [1, 2, 5])
    #expect(path.refused == 2)
  }
}
