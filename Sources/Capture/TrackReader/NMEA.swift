import CaptureReader

/// NMEA 0183: the sentences RMC (time, date, place, speed, course), GGA (time, place, altitude) and ZDA
/// (time, date) of any talker; other lines are passed over (PROTOCOLS.md 9.2).
struct NMEA {
  private(set) var fixes: [Fix] = []
  private(set) var log = TrackLog()
  /// Lines that begin with `$`.
  private(set) var sentences = 0
  /// Of these, RMC and GGA with the right checksum.
  private(set) var positions = 0
  /// The latest date, and the time of day it was last seen with.
  private var date: (day: Int, nanosecondOfDay: Int64)?
  /// GGA of one time of day that wait for its date: receivers write them before RMC or ZDA of the same
  /// moment, which may be of another day than what came before.
  private var undated: [GGA] = []

  private struct GGA {
    let nanosecondOfDay: Int64
    let latitude: Double
    let longitude: Double
    let altitude: Double?
    let line: Int
  }

  private static let halfDay: Int64 = 12 * 3600 * 1_000_000_000

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    guard line.first == UInt8(ascii: "$") else { return }
    sentences += 1
    let line = Array(DigitCursor.trimmed(Array(line)))
    let star = line.lastIndex(of: UInt8(ascii: "*"))
    let fields = line[1..<(star ?? line.count)].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let address = fields.first ?? []
    let kind = address.count == 5 ? String(decoding: address.suffix(3), as: UTF8.self) : ""
    let isPosition = kind == "RMC" || kind == "GGA"
    guard let star else {
      if isPosition || kind == "ZDA" { log.note(.missingChecksum, line: number) }
      return
    }
    guard Self.isRight(line, star: star) else { return log.note(.badChecksum, line: number) }
    if isPosition { positions += 1 }
    switch kind {
    case "RMC": minimum(fields, number)
    case "GGA": fixData(fields, number)
    case "ZDA": clock(fields, number)
    default: break
    }
  }

  /// Behind the last line.
  mutating func finish() { dateUndated() }

  /// Two hexadecimal digits behind the star: the exclusive or of all between `$` and `*`.
  private static func isRight(_ line: [UInt8], star: Int) -> Bool {
    guard star + 3 == line.count else { return false }
    let text = String(decoding: line[(star + 1)...], as: UTF8.self)
    guard text.allSatisfy(\.isHexDigit), let wanted = UInt8(text, radix: 16) else { return false }
    return line[1..<star].reduce(0, ^) == wanted
  }

  /// RMC: 1 time, 2 status, 3–6 place, 7 knots, 8 course, 9 date.
  private mutating func minimum(_ fields: [ArraySlice<UInt8>], _ number: Int) {
    guard fields.count >= 10 else { return log.note(.unreadable, line: number) }
    guard fields[2].elementsEqual("A".utf8) else { return }
    guard let ofDay = timeOfDay(fields[1], number), let day = day(fields[9], number),
      let place = place(fields[3...6], number)
    else { return }
    know(day, ofDay)
    let knots = DigitCursor.decimal(fields[7])
    append(
      Fix(
        time: UTCTime.moment(day: day, nanosecondOfDay: ofDay), latitude: place.latitude,
        longitude: place.longitude, speed: knots.flatMap { $0 >= 0 ? $0 * Self.knot : nil },
        course: DigitCursor.decimal(fields[8]).flatMap(Course.normal), place: .line(number)))
  }

  /// Metres per second: 1852 m an hour.
  private static let knot = 1852.0 / 3600

  /// GGA: 1 time, 2–5 place, 6 quality, 9 altitude, 10 its unit.
  private mutating func fixData(_ fields: [ArraySlice<UInt8>], _ number: Int) {
    guard fields.count >= 11 else { return log.note(.unreadable, line: number) }
    guard let quality = DigitCursor.decimal(fields[6]), quality > 0 else { return }
    guard let ofDay = timeOfDay(fields[1], number), let place = place(fields[2...5], number)
    else { return }
    if undated.first?.nanosecondOfDay != ofDay { dateUndated() }
    let hasMetres = fields[10].elementsEqual("M".utf8)
    undated.append(
      GGA(
        nanosecondOfDay: ofDay, latitude: place.latitude, longitude: place.longitude,
        altitude: hasMetres ? DigitCursor.decimal(fields[9]) : nil, line: number))
    if date?.nanosecondOfDay == ofDay { dateUndated() }
  }

  /// ZDA: 1 time, 2 day, 3 month, 4 year; empty before the receiver knows them.
  private mutating func clock(_ fields: [ArraySlice<UInt8>], _ number: Int) {
    guard fields.count >= 5 else { return log.note(.unreadable, line: number) }
    guard !fields[1...4].allSatisfy(\.isEmpty) else { return }
    guard let ofDay = timeOfDay(fields[1], number) else { return }
    guard let day = Self.digits(fields[2], 2), let month = Self.digits(fields[3], 2),
      let year = Self.digits(fields[4], 4)
    else { return log.note(.unreadable, line: number) }
    guard let known = UTCTime.day(year, month, day) else {
      return log.note(.outOfRange, line: number)
    }
    know(known, ofDay)
  }

  private static func digits(_ field: ArraySlice<UInt8>, _ count: Int) -> Int? {
    var cursor = DigitCursor(Array(field))
    guard let number = cursor.number(count), cursor.isAtEnd else { return nil }
    return number
  }

  /// A sentence with a date: what waits for it is of the same day where it is of the same time.
  private mutating func know(_ day: Int, _ ofDay: Int64) {
    if undated.first?.nanosecondOfDay == ofDay { date = (day, ofDay) }
    dateUndated()
    date = (day, ofDay)
  }

  private mutating func dateUndated() {
    for position in undated {
      guard let known = date else {
        log.note(.noDate, line: position.line)
        continue
      }
      // A time of day that falls by more than half a day is one of the next day.
      let ofDay = position.nanosecondOfDay
      let day = ofDay < known.nanosecondOfDay - Self.halfDay ? known.day + 1 : known.day
      date = (day, ofDay)
      append(
        Fix(
          time: UTCTime.moment(day: day, nanosecondOfDay: ofDay), latitude: position.latitude,
          longitude: position.longitude, altitude: position.altitude, place: .line(position.line)))
    }
    undated.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ fix: Fix) { if fix.time.isKnown { fixes.append(fix) } }

  /// hhmmss[.sss]
  private mutating func timeOfDay(_ field: ArraySlice<UInt8>, _ number: Int) -> Int64? {
    var cursor = DigitCursor(Array(field))
    guard let hour = cursor.number(2), let minute = cursor.number(2), let second = cursor.number(2),
      let fraction = cursor.fraction(), cursor.isAtEnd
    else {
      log.note(.unreadable, line: number)
      return nil
    }
    guard hour < 24, minute < 60, second <= 60 else {
      log.note(.outOfRange, line: number)
      return nil
    }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// ddmmyy; years 80…99 are of the 20th century (RULE of PROTOCOLS.md 9.2).
  private mutating func day(_ field: ArraySlice<UInt8>, _ number: Int) -> Int? {
    var cursor = DigitCursor(Array(field))
    guard let day = cursor.number(2), let month = cursor.number(2), let year = cursor.number(2),
      cursor.isAtEnd
    else {
      log.note(.unreadable, line: number)
      return nil
    }
    guard let result = UTCTime.day(year + (year >= 80 ? 1900 : 2000), month, day) else {
      log.note(.outOfRange, line: number)
      return nil
    }
    return result
  }

  /// ddmm.mmmm, N or S, dddmm.mmmm, E or W.
  private mutating func place(_ fields: ArraySlice<ArraySlice<UInt8>>, _ number: Int)
    -> (latitude: Double, longitude: Double)?
  {
    let fields = Array(fields)
    guard let latitude = degrees(fields[0], signs: fields[1], "N", "S"),
      let longitude = degrees(fields[2], signs: fields[3], "E", "W")
    else {
      log.note(.unreadable, line: number)
      return nil
    }
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      log.note(.outOfRange, line: number)
      return nil
    }
    guard latitude != 0 || longitude != 0 else {
      log.note(.zero, line: number)
      return nil
    }
    return (latitude, longitude == 180 ? -180 : longitude)
  }

  /// Infinite where the minutes are 60 or more, which is out of any range.
  private func degrees(
    _ field: ArraySlice<UInt8>, signs: ArraySlice<UInt8>, _ plus: String, _ minus: String
  ) -> Double? {
    let whole = field.prefix { DigitCursor.isDigit($0) }
    guard whole.count >= 3, whole.count <= 5,
      let minutes = DigitCursor.decimal(field.dropFirst(whole.count - 2)),
      let degrees = DigitCursor.decimal(whole.dropLast(2))
    else { return nil }
    let isMinus = signs.elementsEqual(minus.utf8)
    guard isMinus || signs.elementsEqual(plus.utf8) else { return nil }
    guard minutes < 60 else { return .infinity }
    return (degrees + minutes / 60) * (isMinus ? -1 : 1)
  }
}
