import Foundation
import TestSupport
import Testing

@testable import Regions

@Suite struct SphereTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let source: String
    let a: (Double, Double)
    let b: (Double, Double)
    /// Kilometres, and those that the source's rounding leaves open.
    let distance: Double
    let tolerance: Double
    /// Degrees; nil where the source gives none.
    let course: Double?
    var testDescription: String { source }
  }

  static let pairs = [
    // C. Veness, «Calculate distance, bearing and more between Latitude/Longitude points».
    Pair(
      source: "Land's End to John o' Groats",
      a: (50 + 3.0 / 60 + 59.0 / 3600, -5 - 42.0 / 60 - 53.0 / 3600),
      b: (58 + 38.0 / 60 + 38.0 / 3600, -3 - 4.0 / 60 - 12.0 / 3600), distance: 968.9,
      tolerance: 0.05, course: 9 + 7.0 / 60 + 11.0 / 3600),
    // E. Williams, «Aviation Formulary»: 0.623585 radians, course 65.8922 degrees.
    Pair(
      source: "Los Angeles to New York", a: (33 + 57.0 / 60, -118 - 24.0 / 60),
      b: (40 + 38.0 / 60, -73 - 47.0 / 60), distance: 0.623585 * 6371.0088, tolerance: 0.01,
      course: 65.892),
    // Rosetta Code, «Haversine formula»: 2887.26 km with a radius of 6372.8 km.
    Pair(
      source: "Nashville to Los Angeles", a: (36.12, -86.67), b: (33.94, -118.4),
      distance: 2887.26 * 6371.0088 / 6372.8, tolerance: 0.01, course: nil),
  ]

  @Test(arguments: pairs) func distancesAndCoursesAreThoseOfTheSources(_ pair: Pair) throws {
    let distance = Sphere.distance(pair.a.0, pair.a.1, pair.b.0, pair.b.1) / 1000
    #expect(abs(distance - pair.distance) <= pair.tolerance)
    guard let expected = pair.course else { return }
    let course = try #require(Sphere.course(pair.a.0, pair.a.1, pair.b.0, pair.b.1))
    #expect(abs(course - expected) < 0.001)
  }

  @Test(
    arguments: [
      ((90.0, 0.0), (-90.0, 0.0), 1.0), ((0, 0), (0, -180), 1), ((0, 0), (0, 90), 0.5),
      ((90, 17), (90, -120), 0), ((10, 179), (10, -179), 0.010942), ((89, 0), (89, 180), 0.0111111),
    ] as [((Double, Double), (Double, Double), Double)])
  func distancesHoldAtPolesAndAtTheAntimeridian(
    _ a: (Double, Double), _ b: (Double, Double), _ half: Double
  ) {
    let distance = Sphere.distance(a.0, a.1, b.0, b.1)
    #expect(abs(distance / Sphere.farthest - half) < 1e-6)
  }

  /// Haversines, written apart, from millimetres to half the earth.
  @Test func distancesAgreeWithHaversines() {
    var random = Seeded(11)
    for round in 0..<2000 {
      let a = (
        Double.random(in: -89...89, using: &random), Double.random(in: -180..<180, using: &random)
      )
      let size = pow(10, Double.random(in: -8...2, using: &random))
      let b = (
        max(-90, min(90, a.0 + Double.random(in: -size...size, using: &random))),
        a.1 + Double.random(in: -size...size, using: &random)
      )
      let ours = Sphere.distance(a.0, a.1, b.0, b.1)
      #expect(abs(ours - Haversine.metres(a, b)) < 1e-6 + ours * 1e-6, "round \(round)")
    }
  }

  @Test(
    arguments: [
      ((0.0, 0.0), (1.0, 0.0), 0.0), ((0, 0), (0, 1), 90), ((0, 0), (-1, 0), 180),
      ((0, 0), (0, -1), 270),
      ((0, 179.5), (0, -179.5), 90), ((45, 10), (45, 10), nil),
    ] as [((Double, Double), (Double, Double), Double?)])
  func coursesRunClockwiseFromNorth(
    _ a: (Double, Double), _ b: (Double, Double), _ expected: Double?
  ) {
    let course = Sphere.course(a.0, a.1, b.0, b.1)
    #expect((course == nil) == (expected == nil))
    #expect(abs((course ?? 0) - (expected ?? 0)) < 1e-9)
  }
}

enum Haversine {
  /// Between two places in degrees.
  static func metres(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let radians = Double.pi / 180
    let north = sin((b.0 - a.0) * radians / 2)
    let east = sin((b.1 - a.1) * radians / 2)
    let square = north * north + cos(a.0 * radians) * cos(b.0 * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }
}
