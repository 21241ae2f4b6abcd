import CaptureReader
import FrameDecoder

/// Scans of an observer whose windows are a part of their time.
struct ListeningParts {
  private struct Part {
    let from: Int64
    let to: Int64
    /// 0…1.
    let share: Double
  }
  /// Ascending, disjoint.
  private let parts: [Part]

  /// - Parameter observer: its name.
  init(_ result: AnalysisResult, _ observer: String) {
    let windows = result.captures.flatMap(\.observers)
      .filter { $0.name == observer && $0.carriesHCI }
      .flatMap(\.scan.windows)
      .filter { $0.start.isKnown && $0.end.isKnown && ($0.share ?? 1) < 1 }
      .sorted {
        ($0.start.nanoseconds, $0.end.nanoseconds) < ($1.start.nanoseconds, $1.end.nanoseconds)
      }
    var parts: [Part] = []
    for window in windows {
      let from = max(window.start.nanoseconds, parts.last?.to ?? .min)
      guard window.end.nanoseconds > from else { continue }
      parts.append(
        Part(from: from, to: window.end.nanoseconds, share: window.share ?? 1))
    }
    self.parts = parts
  }

  /// How much of a time that an observer could hear its radio listened, nanoseconds, as `ObserverFacts.listened`
  /// has it.
  func listened(_ deafness: Deafness, from: Timestamp, to: Timestamp) -> Int64 {
    var sum = deafness.listened(from: from, to: to)
    let first = parts.indices.bisected { parts[$0].to > from.nanoseconds }
    for part in parts[first...] {
      guard part.from < to.nanoseconds else { break }
      let whole = deafness.listened(
        from: Timestamp(nanoseconds: max(part.from, from.nanoseconds)),
        to: Timestamp(nanoseconds: min(part.to, to.nanoseconds)))
      sum -= Int64((Double(whole) * (1 - part.share)).rounded(.up))
    }
    return max(0, sum)
  }
}
