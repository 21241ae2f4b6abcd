import CaptureReader
import Regions
import TrackReader

/// Walks along the equator for tests: metres east of longitude 0, seconds from the start.
enum Walk {
  static let start: Int64 = 1_700_000_000_000_000_000
  static let degreesPerMetre = 180 / (Double.pi * Sphere.radius)

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start + Int64((seconds * 1e9).rounded()))
  }

  static func seconds(_ time: Timestamp) -> Double? {
    time.isKnown ? Double(time.nanoseconds - start) / 1e9 : nil
  }

  /// Fixes at (seconds, metres); the n-th stands in line n.
  static func fixes(_ points: [(Double, Double)]) -> [Fix] {
    points.enumerated().map { index, point in
      Fix(
        time: time(point.0), latitude: 0, longitude: point.1 * degreesPerMetre,
        place: .line(index + 1))
    }
  }

  /// A fix every ten seconds, from one place to another at a steady pace.
  static func steady(from: Double, to: Double, seconds: Int) -> [Fix] {
    fixes(
      stride(from: 0, through: seconds, by: 10).map { second in
        (Double(second), from + (to - from) * Double(second) / Double(seconds))
      })
  }

  static func circle(_ radius: Double, at metres: Double = 0, cushion: Double? = nil)
    -> CircularRegion
  {
    do {
      return try CircularRegion(
        identifier: "yard", latitude: 0, longitude: metres * degreesPerMetre, radius: radius,
        cushion: cushion)
    } catch {
      fatalError(error.description)
    }
  }
}
