import Glibc

/// The way between two fixes: a piece of a great circle, walked at an even pace.
struct Arc: BitwiseCopyable, Sendable {
  let start: Direction
  /// At right angles to `start`, towards the end; zero where the ends are the same.
  let tangent: Direction
  /// Radians, 0…π.
  let angle: Double

  init(from a: Direction, to b: Direction) {
    start = a
    angle = a.angle(to: b)
    let normal = a.cross(b - a)
    let length = normal.lengthSquared.squareRoot()
    if length > 0 {
      tangent = ((1 / length) * normal).cross(a)
    } else if a.dot(b) < 0 {
      // Opposite places: all ways are equally short; by way of a pole, or the equator from there.
      let pole = abs(a.z) < 0.9 ? Direction(x: 0, y: 0, z: 1) : Direction(x: 1, y: 0, z: 0)
      let across = pole - a.dot(pole) * a
      tangent = (1 / across.lengthSquared.squareRoot()) * across
    } else {
      tangent = Direction(x: 0, y: 0, z: 0)
    }
  }

  /// Where one is after so many radians.
  func point(_ turned: Double) -> Direction { cos(turned) * start + sin(turned) * tangent }

  /// Radians from the start, 0…`angle`, where the way meets a circle: none, one or two, in order.
  /// - Parameters:
  ///   - centre: of the circle.
  ///   - chordSquared: of its radius ρ (as an angle): 4 sin²(ρ/2).
  func crossings(centre: Direction, chordSquared: Double) -> (Double?, Double?) {
    // With A = centre·start, B = centre·tangent and C = cos ρ the circle is met where
    // A cos θ + B sin θ = C. With s = tan(θ/2) that is (A + C) s² − 2 B s + (C − A) = 0; C − A is
    // made of the squares of short chords, so that small circles do not drown in rounding.
    let offset = start - centre
    let b = -offset.dot(tangent)
    let difference = (offset.lengthSquared - chordSquared) / 2
    let sum = 2 - (offset.lengthSquared + chordSquared) / 2
    let discriminant = b * b - sum * difference
    guard discriminant >= 0, angle > 0 else { return (nil, nil) }
    let root = discriminant.squareRoot()
    let q = b >= 0 ? b + root : b - root
    let first = reached(2 * atan2(q, sum))
    let second = reached(2 * atan2(difference, q))
    guard let one = first, let two = second else { return (first ?? second, nil) }
    return one <= two ? (one, two) : (two, one)
  }

  /// The angle of one turn, where the way gets that far.
  private func reached(_ turned: Double) -> Double? {
    let positive = turned < 0 ? turned + 2 * .pi : turned
    return positive <= angle ? positive : nil
  }
}
