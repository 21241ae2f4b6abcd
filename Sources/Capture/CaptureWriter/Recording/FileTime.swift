import FoundationEssentials

/// A moment in UTC, as names of files and comments have it.
struct FileTime {
  /// `20260101T120000Z`.
  let compact: String
  /// `2026-01-01T12:00:00Z`.
  let text: String

  /// - Parameter nanoseconds: since 1970; before it counts as 1970.
  init(_ nanoseconds: Int64) {
    let seconds = max(0, nanoseconds) / 1_000_000_000
    text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    compact = text.filter { $0 != "-" && $0 != ":" }
  }
}
