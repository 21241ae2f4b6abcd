/// How the RSSI of a transmitter is smoothed (SEMANTICS 3). A new filter is a file under `Filters`
/// and a case here; the compiler then names the two places in `SmoothedSignal` that choose, which
/// are spelled out so that no sample goes through an existential.
package enum SmoothingFilter: String, CaseIterable, Sendable {
  case last
  case mean
  case trimmed
  case ablAverage = "abl-average"
  case armaABL = "arma-abl"
  case kalman

  /// In the order in which they are offered.
  package static var all: [SmoothingFilter] { allCases }

  /// As the command line and output name it.
  package var name: String { rawValue }

  package static func named(_ name: String) -> SmoothingFilter? { SmoothingFilter(rawValue: name) }

  /// Whether no value is above the strongest sample in the window.
  var isBounded: Bool { self == .trimmed || self == .ablAverage }

  /// Nanoseconds; SEMANTICS 3 gives those of `trimmed` and `abl-average`. The others have no window
  /// of their own: theirs only says over which samples the spread is taken.
  package var usualWindow: Int64 { self == .ablAverage ? 20_000_000_000 : 5_000_000_000 }
}
