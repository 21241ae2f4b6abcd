import Glibc

/// The earth as a sphere: distances along great circles (SEMANTICS 4).
package enum Sphere {
  /// Metres: the mean radius R₁ of the WGS-84 ellipsoid (IUGG).
  package static let radius = 6_371_008.8
  /// Metres: half a great circle, the farthest that two places can be apart.
  package static let farthest = radius * .pi

  /// Great-circle distance in metres between two places in degrees.
  package static func distance(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double {
    let a = Direction(latitude: latitude1, longitude: longitude1)
    let b = Direction(latitude: latitude2, longitude: longitude2)
    return a.angle(to: b) * radius
  }

  /// Course at the first place towards the second: degrees from true north, clockwise,
  /// 0 ≤ course < 360; nil where the places are the same or opposite each other. At a pole, where
  /// each way is north or south, that of the meridian given as longitude.
  package static func course(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double? {
    let (phi1, phi2) = (latitude1 * .pi / 180, latitude2 * .pi / 180)
    let turn = (longitude2 - longitude1) * .pi / 180
    let east = sin(turn) * cos(phi2)
    // cos φ₁ sin φ₂ − sin φ₁ cos φ₂ cos λ, without the difference of near numbers.
    let half = sin(turn / 2)
    let north = sin(phi2 - phi1) + 2 * sin(phi1) * cos(phi2) * half * half
    guard hypot(east, north) > 1e-12 else { return nil }
    let degrees = atan2(east, north) * 180 / .pi
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive >= 360 ? 0 : positive
  }
}

/// A direction from the centre of the earth: a vector of length 1, or the difference of two.
struct Direction: BitwiseCopyable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(latitude: Double, longitude: Double) {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    self.init(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi))
  }

  var latitude: Double { atan2(z, hypot(x, y)) * 180 / .pi }
  /// −180 ≤ longitude < 180; 0 at the poles.
  var longitude: Double {
    let degrees = atan2(y, x) * 180 / .pi
    return degrees >= 180 ? -180 : degrees
  }

  static func + (a: Direction, b: Direction) -> Direction {
    Direction(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
  static func - (a: Direction, b: Direction) -> Direction {
    Direction(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }
  static func * (factor: Double, a: Direction) -> Direction {
    Direction(x: factor * a.x, y: factor * a.y, z: factor * a.z)
  }

  func dot(_ other: Direction) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Direction) -> Direction {
    Direction(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var lengthSquared: Double { dot(self) }

  /// Radians, 0…π, exact for near and for opposite directions.
  func angle(to other: Direction) -> Double {
    // a × b = a × (b − a): of near ones the difference is exact, their product is not.
    let sine = cross(other - self).lengthSquared.squareRoot()
    return atan2(sine, dot(other))
  }
}
