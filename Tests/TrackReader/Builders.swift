import TrackReader

/// Track files for tests.
enum TrackText {
  /// One point a second from 2023-11-14T22:13:20Z on, each in a line of its own; the first stands in
  /// line 2.
  static func gpx(_ places: [(Double, Double)], inside: String = "") -> String {
    let points = places.enumerated().map { index, place in
      "<trkpt lat=\"\(place.0)\" lon=\"\(place.1)\"><time>2023-11-14T22:13:\(20 + index)Z</time>"
        + "\(inside)</trkpt>"
    }
    return gpx(points: points)
  }

  static func gpx(points: [String]) -> String {
    "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
      + points.map { $0 + "\n" }.joined() + "</trkseg></trk></gpx>\n"
  }

  /// A sentence with `$`, checksum and line end.
  static func sentence(_ text: String) -> String {
    let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(text)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
  }

  static func rmc(_ time: String, _ date: String, _ place: String = "4807.038,N,01131.000,E")
    -> String
  {
    sentence("GPRMC,\(time),A,\(place),022.4,084.4,\(date),,")
  }

  static func gga(_ time: String, _ place: String = "4807.038,N,01131.000,E") -> String {
    sentence("GPGGA,\(time),\(place),1,08,0.9,545.4,M,46.9,M,,")
  }

  static func read(_ text: String, name: String = "walk.gpx") throws -> Track {
    try TrackReader.read(Array(text.utf8), name: name)
  }

  static func problem(_ text: String, name: String = "walk.gpx") -> String {
    do {
      _ = try TrackReader.read(Array(text.utf8), name: name)
      return "none"
    } catch {
      return error.description
    }
  }
}
