import Foundation
import TestSupport
import Testing

@testable import Regions

@Suite struct ArcTests {
  /// Places anywhere, ways from centimetres to across the earth, circles of all sizes around places
  /// near the way.
  private struct Draw {
    let arc: Arc
    let centre: Direction
    let radius: Double

    init(_ random: inout Seeded) {
      let a = Draw.anywhere(&random)
      let length = pow(10, Double.random(in: -9...0.4, using: &random))
      arc = Arc(from: a, to: Draw.near(a, length, &random))
      radius = length * Double.random(in: 0.01...3, using: &random)
      centre = Draw.near(a, length * 2, &random)
    }

    static func anywhere(_ random: inout Seeded) -> Direction {
      // The poles and the antimeridian as often as the rest.
      let latitudes: [Double] = [90, -90, 0, 52]
      let longitudes: [Double] = [0, 180, -180, 13]
      let latitude = latitudes[Int.random(in: 0..<4, using: &random)]
      let longitude = longitudes[Int.random(in: 0..<4, using: &random)]
      return near(
        Direction(latitude: latitude, longitude: longitude),
        Double.random(in: 0...0.5, using: &random), &random)
    }

    static func near(_ a: Direction, _ size: Double, _ random: inout Seeded) -> Direction {
      var b = a
      b.x += Double.random(in: -size...size, using: &random)
      b.y += Double.random(in: -size...size, using: &random)
      b.z += Double.random(in: -size...size, using: &random)
      let length = b.lengthSquared.squareRoot()
      return length > 0 ? (1 / length) * b : a
    }
  }

  @Test func crossingsLieOnTheCircleAndNoneIsMissed() {
    for seed in 1...4000 {
      var random = Seeded(UInt64(seed))
      let draw = Draw(&random)
      guard draw.radius < 3 else { continue }
      let half = sin(draw.radius / 2)
      let met = draw.arc.crossings(centre: draw.centre, chordSquared: 4 * half * half)
      let found = [met.0, met.1].compactMap { $0 }
      for angle in found {
        let miss = draw.centre.angle(to: draw.arc.point(angle)) - draw.radius
        #expect(abs(miss) < 1e-7 * (draw.radius + draw.arc.angle) + 1e-15, "seed \(seed)")
      }
      let sampled = sides(draw)
      // A touch, or two crossings between two samples, are seen by the solution alone.
      #expect(found.count == sampled || found.count == sampled + 2, "seed \(seed)")
    }
  }

  /// How often the side changes along the way, in many small steps.
  private func sides(_ draw: Draw) -> Int {
    var changes = 0
    var last: Bool?
    for step in 0...2000 {
      let point = draw.arc.point(draw.arc.angle * Double(step) / 2000)
      let inside = draw.centre.angle(to: point) <= draw.radius
      if let last, last != inside { changes += 1 }
      last = inside
    }
    return changes
  }

  @Test func aWayToTheOppositePlaceIsHalfAGreatCircle() {
    for a in [Direction(latitude: 0, longitude: 0), Direction(latitude: 90, longitude: 0)] {
      let arc = Arc(from: a, to: -1 * a)
      #expect(abs(arc.angle - .pi) < 1e-15)
      #expect(abs(arc.point(.pi / 2).angle(to: a) - .pi / 2) < 1e-12)
    }
  }

  @Test func whoStandsStillCrossesNothing() {
    let a = Direction(latitude: 52, longitude: 13)
    let arc = Arc(from: a, to: a)
    #expect(arc.crossings(centre: a, chordSquared: 1e-10) == (nil, nil))
    #expect(arc.point(0).angle(to: a) == 0)
  }
}
