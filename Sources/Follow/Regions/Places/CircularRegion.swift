import Glibc

/// A circular region as it was defined: centre in degrees (WGS-84), radius in metres.
package struct CircularRegion: Sendable, Equatable {
  /// Unique among all regions.
  package let identifier: String
  package let latitude: Double
  package let longitude: Double
  package let radius: Double
  /// Metres; nil for that of the settings.
  package let cushion: Double?

  /// - Throws: what is wrong with the numbers, and what is allowed.
  package init(
    identifier: String, latitude: Double, longitude: Double, radius: Double, cushion: Double? = nil
  ) throws(CircleProblem) {
    guard latitude >= -90, latitude <= 90 else {
      throw CircleProblem("circle \"\(identifier)\": latitude \(latitude) is not in -90…90 degrees")
    }
    guard longitude >= -180, longitude <= 180 else {
      throw CircleProblem(
        "circle \"\(identifier)\": longitude \(longitude) is not in -180…180 degrees")
    }
    guard radius > 0, radius.isFinite else {
      throw CircleProblem("circle \"\(identifier)\": radius \(radius) is not above 0 metres")
    }
    if let cushion, !(cushion >= 0 && cushion.isFinite) {
      throw CircleProblem("circle \"\(identifier)\": cushion \(cushion) is not 0 metres or more")
    }
    self.identifier = identifier
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    self.cushion = cushion
  }
}

package struct CircleProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence.
  package let description: String
  init(_ text: String) { description = text + "." }
}

/// How crossings are judged; a profile gives the numbers (SEMANTICS 4).
package struct CircleSettings: Sendable, Equatable {
  /// Metres; larger radii are reduced to it, with a warning [Apple]. Nil for no limit.
  package var maximumRadius: Double?
  /// Metres that have to be passed beyond the boundary; on entry at most half the radius.
  package var cushion: Double
  /// Nanoseconds that the position has to stay beyond boundary and cushion [Apple].
  package var dwell: Int64

  package init(
    maximumRadius: Double? = nil, cushion: Double = 10, dwell: Int64 = 20_000_000_000
  ) {
    self.maximumRadius = maximumRadius
    self.cushion = cushion
    self.dwell = dwell
  }
}

/// A circle as it is watched: what of it lies on which side of the three thresholds.
struct WatchedCircle: Sendable {
  let centre: Direction
  /// Metres, after the profile's limit.
  let radius: Double
  /// Squares of chords: of the boundary less the cushion, the boundary, the boundary and the cushion.
  let entry: Double
  let boundary: Double
  let exit: Double

  init(_ circle: CircularRegion, _ settings: CircleSettings) {
    centre = Direction(latitude: circle.latitude, longitude: circle.longitude)
    radius = min(circle.radius, settings.maximumRadius ?? .infinity, Sphere.farthest)
    let cushion = circle.cushion ?? settings.cushion
    entry = Self.chordSquared(radius - min(cushion, radius / 2))
    boundary = Self.chordSquared(radius)
    exit = Self.chordSquared(radius + cushion)
  }

  private static func chordSquared(_ metres: Double) -> Double {
    let half = sin(min(metres / Sphere.radius, .pi) / 2)
    return 4 * half * half
  }

  /// Where a way changes its zone, in radians from its start, and its end; in order, those beyond
  /// `first` only.
  func cut(_ arc: Arc, from first: Double, into angles: inout [Double]) {
    angles.removeAll(keepingCapacity: true)
    let distance = (arc.start - centre).lengthSquared.squareRoot()
    // No way is shorter than its chord: one that ends far off, or deep inside, crosses nothing.
    if distance - arc.angle <= exit.squareRoot() && distance + arc.angle >= entry.squareRoot() {
      for threshold in [entry, boundary, exit] {
        let met = arc.crossings(centre: centre, chordSquared: threshold)
        if let angle = met.0, angle > first, angle < arc.angle { angles.append(angle) }
        if let angle = met.1, angle > first, angle < arc.angle { angles.append(angle) }
      }
      angles.sort()
    }
    angles.append(arc.angle)
  }

  /// Metres from the boundary, negative inside, of a place that far from the centre.
  func distance(chordSquared: Double) -> Double {
    2 * asin(min(chordSquared.squareRoot() / 2, 1)) * Sphere.radius - radius
  }

  func zone(_ point: Direction) -> CircleZone {
    let distance = (point - centre).lengthSquared
    if distance > exit { return .beyond }
    if distance > boundary { return .outerCushion }
    return distance > entry ? .innerCushion : .within
  }
}

/// Where a position lies, from the middle outwards.
enum CircleZone: UInt8, BitwiseCopyable, Sendable {
  case within, innerCushion, outerCushion, beyond
  var isInside: Bool { self == .within || self == .innerCushion }
}
