import FrameDecoder
import Regions

extension RecordGaps {
  /// The longest of those that are listed; of several the first.
  var longest: Span? { Self.longest(of: spans) }

  static func longest(of spans: [Span]) -> Span? {
    spans.max { ($0.to.since($0.from), $1.from) < ($1.to.since($1.from), $0.from) }
  }
}
