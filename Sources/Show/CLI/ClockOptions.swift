import ArgumentParser
import Exports
import FoundationEssentials
import Glibc

/// In which zone people are shown times.
struct ClockOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Times as clocks here show them, by TZ or the machine's setting, and not in UTC; only in text that is "
        + "for people: pages, and what rules say, stay in UTC."))
  var local = false

  /// - Parameter isText: whether what is written is for people; what programs read is in UTC.
  func zone(isText: Bool = true) throws -> ClockZone {
    guard local else { return .utc }
    guard isText else {
      throw ValidationError(
        "--local is for what people read; other formats have all times in UTC: leave it out.")
    }
    let environment = ProcessInfo.processInfo.environment
    if let complaint = ClockZone.complaint(
      about: environment["TZ"], below: environment["TZDIR"] ?? "/usr/share/zoneinfo")
    {
      throw ValidationError("--local: \(complaint).")
    }
    // Read now: a live run cannot later, when it has given its rights away.
    tzset()
    return .local
  }
}
