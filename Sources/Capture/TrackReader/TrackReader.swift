/// Reads a track: GPX, or NMEA 0183, told apart by its content.
package enum TrackReader {
  /// - Returns: a track with at least one fix.
  /// - Throws: one sentence that says what is wrong with the file, where, and what is needed.
  package static func read(_ path: String) throws(TextProblem) -> Track {
    try read(TextFile.read(path), name: path)
  }

  /// The same of bytes in memory.
  package static func read(_ bytes: [UInt8], name: String) throws(TextProblem) -> Track {
    switch Form.recognise(bytes) {
    case .xml:
      let walk = try walk(bytes, name)
      let track = track(of: walk, name)
      guard track.fixes.isEmpty else { return track }
      if let damage = track.damage { throw damage }
      throw unusable(walk.gpx, track)
    case .lines:
      let nmea = sentences(bytes)
      let track = Track(name: name, fixes: nmea.fixes, log: nmea.log)
      guard track.fixes.isEmpty else { return track }
      throw unusable(nmea, track)
    case .packed:
      throw TextProblem(.notTrack, file: name, "is packed; unpack it first (gunzip, unzip)")
    case .empty:
      throw TextProblem(.notTrack, file: name, "is empty")
    }
  }

  /// What a GPX file says, be it usable or not.
  /// - Throws: `not_xml`, `not_gpx`.
  package static func gpx(_ bytes: [UInt8], name: String) throws(TextProblem) -> Track {
    track(of: try walk(bytes, name), name)
  }

  /// What NMEA sentences say, be they usable or not.
  package static func nmea(_ bytes: [UInt8], name: String) -> Track {
    let nmea = sentences(bytes)
    return Track(name: name, fixes: nmea.fixes, log: nmea.log)
  }

  private static func walk(_ bytes: [UInt8], _ name: String) throws(TextProblem) -> XMLWalk {
    let walk = XMLWalk(name: name)
    walk.walk(bytes)
    if let problem = walk.problem, problem.code != .damaged { throw problem }
    return walk
  }

  private static func track(of walk: XMLWalk, _ name: String) -> Track {
    Track(name: name, fixes: walk.gpx.fixes, log: walk.gpx.log, damage: walk.problem)
  }

  private static func sentences(_ bytes: [UInt8]) -> NMEA {
    var nmea = NMEA()
    TextFile.eachLine(bytes) { line, number in nmea.read(line, number: number) }
    nmea.finish()
    return nmea
  }

  private static func unusable(_ gpx: GPX, _ track: Track) -> TextProblem {
    if gpx.points == 0 {
      let others =
        gpx.otherPoints == 0
        ? "" : "; its \(gpx.otherPoints) waypoints and route points are no track"
      return TextProblem(
        .noPoints, file: track.name, "has no track points (trk/trkseg/trkpt)\(others)")
    }
    if gpx.pointsWithoutTime == gpx.points {
      return TextProblem(
        .noTimes, file: track.name, line: track.log.notes.first?.lines.first, field: "trkpt",
        "none of the \(gpx.points) track points has a time; without times they cannot be put "
          + "beside a capture")
    }
    return TextProblem(
      .noPoints, file: track.name,
      "none of its \(gpx.points) track points can be used: \(words(track.log))")
  }

  private static func unusable(_ nmea: NMEA, _ track: Track) -> TextProblem {
    if nmea.sentences == 0 {
      return TextProblem(
        .notTrack, file: track.name,
        "is no track: neither GPX (XML) nor NMEA 0183 (lines that begin with $)")
    }
    let why = track.log.notes.isEmpty ? "" : ": \(words(track.log))"
    return TextProblem(
      .noPoints, file: track.name,
      "has \(nmea.sentences) NMEA sentences, \(nmea.positions) of them RMC or GGA, and no position "
        + "with a time\(why)")
  }

  private static func words(_ log: TrackLog) -> String { log.clauses.joined(separator: "; ") }
}

/// What a file looks like at its beginning.
private enum Form {
  case xml, lines, packed, empty

  static func recognise(_ bytes: [UInt8]) -> Form {
    // UTF-16 with a byte order mark: GPX of old Windows programs.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return .xml }
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B]) { return .packed }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { !DigitCursor.isBlank($0) }) else {
      return .empty
    }
    return first == UInt8(ascii: "<") ? .xml : .lines
  }
}
