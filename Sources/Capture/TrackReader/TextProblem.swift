/// What is wrong with a text file that the user gave: where, what, and what is allowed.
package struct TextProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// As a short stable word: `not_gpx`.
  package let code: TrackCode
  /// As the user named it.
  package let file: String
  /// 1-based.
  package let line: Int?
  package let column: Int?
  /// The name of the field or column that is wrong.
  package let field: String?
  /// One clause without a full stop: what was found, and what is allowed.
  package let detail: String

  package init(
    _ code: TrackCode, file: String, line: Int? = nil, column: Int? = nil, field: String? = nil,
    _ detail: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.field = field
    self.detail = detail
  }

  package var description: String {
    let place = [line.map { "line \($0)" }, column.map { "column \($0)" }, field]
      .compactMap { $0 }.joined(separator: ", ")
    return "\(file): \(place.isEmpty ? "" : place + ": ")\(detail)."
  }
}

/// What was odd about a track or another text file, as a short stable word.
package struct TrackCode: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static func < (a: TrackCode, b: TrackCode) -> Bool { a.rawValue < b.rawValue }

  // Reasons why a file cannot be used at all.
  package static let cannotOpen = TrackCode(rawValue: "cannot_open")
  package static let tooLarge = TrackCode(rawValue: "too_large")
  package static let notXML = TrackCode(rawValue: "not_xml")
  package static let notGPX = TrackCode(rawValue: "not_gpx")
  package static let notTrack = TrackCode(rawValue: "not_a_track")
  package static let noPoints = TrackCode(rawValue: "no_points")
  package static let noTimes = TrackCode(rawValue: "no_times")
  package static let noOverlap = TrackCode(rawValue: "no_overlap")
  /// A value of a settings file that is not allowed.
  package static let badSetting = TrackCode(rawValue: "bad_setting")

  // What is skipped, counted and told.
  package static let damaged = TrackCode(rawValue: "file_damaged")
  package static let badChecksum = TrackCode(rawValue: "bad_checksum")
  package static let missingChecksum = TrackCode(rawValue: "missing_checksum")
  /// GGA, which has no date, before anything has one.
  package static let noDate = TrackCode(rawValue: "no_date_for_gga")
  package static let outOfRange = TrackCode(rawValue: "value_out_of_range")
  package static let unreadable = TrackCode(rawValue: "value_unreadable")
  package static let withoutTime = TrackCode(rawValue: "point_without_time")
  package static let repeated = TrackCode(rawValue: "time_repeated")
  /// Exactly 0°, 0°.
  package static let zero = TrackCode(rawValue: "position_zero")
  /// Of an altitude, a speed or a course, which are left out alone.
  package static let detailUnreadable = TrackCode(rawValue: "detail_unreadable")

  // What is used all the same.
  package static let zoneMissing = TrackCode(rawValue: "time_zone_missing")
  package static let backwards = TrackCode(rawValue: "time_goes_backwards")
  package static let jump = TrackCode(rawValue: "position_jump")
}
