import Glibc
import Regions

/// A circle on the earth as polygons of 64 corners, cut at the antimeridian.
enum CircleArea {
  static let corners = 64

  /// One ring, or one on each side of the antimeridian; closed, counterclockwise. Nil where the circle
  /// holds both poles.
  /// - Parameter radius: metres, above 0.
  static func polygons(around centre: Place, radius: Double) -> [[Place]]? {
    let angle = radius / Sphere.radius
    let holdsNorth = radians(90 - centre.latitude) < angle
    let holdsSouth = radians(90 + centre.latitude) < angle
    guard !(holdsNorth && holdsSouth) else { return nil }
    if holdsNorth || holdsSouth {
      return [around(pole: holdsNorth ? 90 : -90, centre, angle)].compactMap { closed($0) }
    }
    let ring = unwound(centre, angle)
    return [-360.0, 0, 360].compactMap { shift in
      let moved = ring.map { Place(longitude: $0.longitude + shift, latitude: $0.latitude) }
      return closed(clipped(clipped(moved, at: -180, keepsAbove: true), at: 180, keepsAbove: false))
    }
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  /// Corners around the centre; longitudes go on beyond ±180 rather than jump.
  private static func unwound(_ centre: Place, _ angle: Double) -> [Place] {
    var places: [Place] = []
    for var place in corners(centre, angle) {
      if let last = places.last {
        while place.longitude - last.longitude > 180 { place.longitude -= 360 }
        while place.longitude - last.longitude < -180 { place.longitude += 360 }
      }
      places.append(place)
    }
    return places
  }

  /// A circle that holds a pole goes once around the earth: from side to side, and back along the pole.
  private static func around(pole: Double, _ centre: Place, _ angle: Double) -> [Place] {
    let places = corners(centre, angle).map { place in
      Place(
        longitude: place.longitude - 360 * ((place.longitude + 180) / 360).rounded(.down),
        latitude: place.latitude)
    }.sorted { $0.longitude < $1.longitude }
    let (first, last) = (places[0], places[places.count - 1])
    let gap = first.longitude + 360 - last.longitude
    let share = gap > 0 ? (180 - last.longitude) / gap : 0
    let latitude = last.latitude + share * (first.latitude - last.latitude)
    return [Place(longitude: -180, latitude: latitude)] + places + [
      Place(longitude: 180, latitude: latitude), Place(longitude: 180, latitude: pole),
      Place(longitude: -180, latitude: pole),
    ]
  }

  private static func corners(_ centre: Place, _ angle: Double) -> [Place] {
    (0..<corners).map {
      corner(centre, angle, course: -2 * .pi * Double($0) / Double(corners))
    }
  }

  /// - Parameter course: radians from true north, clockwise.
  private static func corner(_ centre: Place, _ angle: Double, course: Double) -> Place {
    let phi = radians(centre.latitude)
    let sine = sin(phi) * cos(angle) + cos(phi) * sin(angle) * cos(course)
    let turn = atan2(
      sin(course) * sin(angle) * cos(phi), cos(angle) - sin(phi) * sine)
    return Place(
      longitude: centre.longitude + turn * 180 / .pi,
      latitude: asin(min(max(sine, -1), 1)) * 180 / .pi)
  }

  /// What of a ring lies on one side of a meridian.
  private static func clipped(_ ring: [Place], at side: Double, keepsAbove: Bool) -> [Place] {
    func isKept(_ place: Place) -> Bool {
      keepsAbove ? place.longitude >= side : place.longitude <= side
    }
    var kept: [Place] = []
    for (number, place) in ring.enumerated() {
      let before = ring[number == 0 ? ring.count - 1 : number - 1]
      if isKept(before) != isKept(place) {
        let share = (side - before.longitude) / (place.longitude - before.longitude)
        kept.append(
          Place(
            longitude: side,
            latitude: before.latitude + share * (place.latitude - before.latitude)))
      }
      if isKept(place) { kept.append(place) }
    }
    return kept
  }

  /// Nil where nothing is left but a line.
  private static func closed(_ corners: [Place]) -> [Place]? {
    var ring: [Place] = []
    for corner in corners where corner != ring.last { ring.append(corner) }
    if ring.count > 1 && ring.first == ring.last { ring.removeLast() }
    guard ring.count >= 3 else { return nil }
    let area = ring.indices.reduce(0.0) { sum, place in
      let next = ring[(place + 1) % ring.count]
      return sum + ring[place].longitude * next.latitude - next.longitude * ring[place].latitude
    }
    guard area != 0 else { return nil }
    if area < 0 { ring.reverse() }
    return ring + [ring[0]]
  }
}
