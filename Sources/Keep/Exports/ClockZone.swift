package import CaptureReader
import FoundationEssentials
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
    Self.chosen.withLock { $0 = self }
    defer { Self.chosen.withLock { $0 = .utc } }
    return try body()
  }

  /// What is wrong with TZ: the system's functions take a zone that they do not know for UTC without a
  /// word. Nil where there is nothing.
  package static func complaint(about zone: String?, below folder: String? = nil) -> String? {
    guard let zone, !zone.isEmpty, zone != "UTC", zone != "GMT" else { return nil }
    let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
    let tables = folder ?? "/usr/share/zoneinfo"
    if FileManager.default.fileExists(atPath: name.hasPrefix("/") ? name : "\(tables)/\(name)") {
      return nil
    }
    // POSIX: a name of three letters or more, or one in angle brackets, and hours: CET-1CEST.
    let letters = zone.prefix { $0.isASCII && $0.isLetter }.count
    let rest = zone.hasPrefix("<") ? zone.drop { $0 != ">" }.dropFirst() : zone.dropFirst(letters)
    let hours = rest.drop { $0 == "+" || $0 == "-" }.first
    if zone.hasPrefix("<") || letters >= 3, let hours, hours.isASCII, hours.isNumber { return nil }
    return
      "TZ is \"\(TextColumns.printable(zone))\", and there is no such time zone below \(tables): "
      + "give one of those (Debian: package tzdata), or the difference itself, as TZ=CET-1"
  }

  /// A moment in calendar fields of this zone, and by how many nanoseconds its clock is before UTC.
  func moment(_ time: Timestamp) -> (fields: CivilTime, shift: Int64) {
    let shift = shift(time)
    let (shifted, isOutside) = time.nanoseconds.addingReportingOverflow(shift)
    return (CivilTime(isOutside ? time : Timestamp(nanoseconds: shifted)), shift)
  }

  /// The moment at which a clock of this zone shows what one in UTC shows at `wall`; one of two
  /// where the hour is there twice.
  package func time(_ wall: Timestamp) -> Timestamp {
    let near = Timestamp(nanoseconds: wall.nanoseconds &- shift(wall))
    return Timestamp(nanoseconds: wall.nanoseconds &- shift(near))
  }

  /// `UTC`, `CEST (UTC+2)` or, where it changes in between, `CEST (UTC+2) to CET (UTC+1)`.
  package func label(_ from: Timestamp, _ to: Timestamp? = nil) -> String {
    let first = label(at: from)
    guard let to, to.isKnown, case let second = label(at: to), second != first else { return first }
    return "\(first) to \(second)"
  }

  /// Nanoseconds that clocks there are before UTC.
  func shift(_ time: Timestamp) -> Int64 {
    guard self == .local, time.isKnown else { return 0 }
    return Int64(unsafe Self.system(time).tm_gmtoff) * 1_000_000_000
  }

  private func label(at time: Timestamp) -> String {
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
