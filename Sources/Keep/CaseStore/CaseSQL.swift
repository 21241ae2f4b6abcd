/// Expressions for questions to a case.
package enum CaseSQL {
  /// Nanoseconds of a time that is written in UTC with nine decimals, as events have it in their `json`; NULL
  /// of NULL.
  package static func nanoseconds(_ text: String) -> String {
    "(unixepoch(substr(\(text), 1, 19)) * 1000000000 + substr(\(text), 21, 9))"
  }

  /// When what an event tells was crossed, where that was earlier than it was told; else NULL.
  package static let crossed = nanoseconds("json ->> 'crossed_at'")
}
