package import Analysis
package import CaptureReader
import Glibc
import Synchronization

/// How people are shown times: in UTC, or as a clock on the wall shows them where the program runs.
/// What programs read is always in UTC.
package enum ClockZone: Sendable {
  case utc
  /// That of TZ or, without it, of the machine, by the system's tables.
  case local

  private static let chosen = Mutex(ClockZone.utc)

  /// The one that text for people is in now. Not an argument of everything that writes a time: what is
  /// kept for later (cases, pages, alerts) is in UTC because nobody has to think of it.
  package static var shown: ClockZone { chosen.withLock { $0 } }

  /// Has what `body` writes for people in this zone. One at a time in a process.
  package func whileShown<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = Self.shown
    Self.chosen.withLock { $0 = self }
    defer { Self.chosen.withLock { $0 = before } }
    return try body()
  }

  /// What is wrong with TZ: the system's functions take a zone that they do not know for UTC without a
  /// word. Nil where there is nothing.
  /// - Parameter folder: where the tables are.
  package static func complaint(about zone: String?, below folder: String) -> String? {
    guard let zone, !zone.isEmpty, zone != "UTC", zone != "GMT" else { return nil }
    let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
    if isTable(name.hasPrefix("/") ? name : "\(folder)/\(name)") { return nil }
    // POSIX: a name of three letters or more, or one in angle brackets, and hours: CET-1CEST.
    let rule = /(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?(\d{1,2})(?::\d\d){0,2}(?:[A-Za-z<].*)?/
    if let match = zone.wholeMatch(of: rule), let hours = Int(match.1), hours <= 24 { return nil }
    return
      "TZ is \"\(TextColumns.printable(zone))\", and there is no such time zone below \(folder): "
      + "give one of those (Debian: package tzdata), or the difference itself, as TZ=CET-1"
  }

  /// Whether a file is a table of a time zone (RFC 8536: it begins with TZif).
  private static func isTable(_ path: String) -> Bool {
    guard let file = unsafe fopen(path, "rb") else { return false }
    defer { unsafe _ = fclose(file) }
    var head = [UInt8](repeating: 0, count: 4)
    return unsafe fread(&head, 1, 4, file) == 4 && head == Array("TZif".utf8)
  }

  /// A moment in calendar fields of this zone, and by how many nanoseconds its clock is before UTC.
  func moment(_ time: Timestamp) -> (fields: CivilTime, shift: Int64) {
    let shift = shift(time)
    let (shifted, isOutside) = time.nanoseconds.addingReportingOverflow(shift)
    return (CivilTime(isOutside ? time : Timestamp(nanoseconds: shifted)), shift)
  }

  /// The moments at which a clock of this zone shows what one in UTC shows at `wall`: one; none in an
  /// hour that is left out, and two in one that is there twice.
  package func times(_ wall: Timestamp) -> [Timestamp] {
    let day: Int64 = 86_400_000_000_000
    // Before and after a change: clocks change once in two days at most.
    let shifts = [-day, day].map { shift(Timestamp(nanoseconds: wall.nanoseconds &+ $0)) }
    return Set(shifts).sorted(by: >).compactMap { shift in
      let time = Timestamp(nanoseconds: wall.nanoseconds &- shift)
      return self.shift(time) == shift ? time : nil
    }
  }

  /// This zone's clock, for who counts by hours and days.
  package var wallClock: WallClock { WallClock { shift($0) } }

  /// Nothing where `time` is in the zone that stands above or before it, else that of `time`.
  package func label(_ time: Timestamp, besides other: Timestamp) -> String {
    guard self == .local, time.isKnown, other.isKnown else { return "" }
    let own = label(time)
    return own == label(other) ? "" : " \(own)"
  }

  /// Nanoseconds that clocks there are before UTC.
  func shift(_ time: Timestamp) -> Int64 {
    guard self == .local, time.isKnown else { return 0 }
    return Int64(unsafe Self.system(time).tm_gmtoff) * 1_000_000_000
  }

  /// `UTC` or `CEST (UTC+2)`.
  package func label(_ time: Timestamp) -> String {
    guard self == .local, time.isKnown else { return "UTC" }
    let fields = unsafe Self.system(time)
    let name = unsafe fields.tm_zone.map { unsafe String(cString: $0) } ?? ""
    let seconds = unsafe fields.tm_gmtoff
    guard seconds != 0 || name != "UTC" else { return "UTC" }
    let minutes = abs(seconds) / 60
    let part = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    let difference = seconds == 0 ? "UTC" : "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)\(part)"
    // Zones without a name of their own have the difference as one: +0530.
    let isNamed = name.contains { $0.isLetter }
    return isNamed ? "\(TextColumns.printable(name)) (\(difference))" : difference
  }

  private static func system(_ time: Timestamp) -> tm {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    if time.nanoseconds < 0, time.nanoseconds % 1_000_000_000 != 0 { seconds -= 1 }
    var fields = unsafe tm()
    unsafe _ = localtime_r(&seconds, &fields)
    return unsafe fields
  }
}
