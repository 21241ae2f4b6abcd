import CaptureReader
import FrameDecoder
import Regions

/// By how much the clocks of a run's observers stepped back at most: by so much what one heard first may be told as
/// later.
package struct ClockSteps: Sendable {
  /// By place of the observer, nanoseconds; of those that are missing 0.
  private let back: [Int64]

  /// - Parameter back: by place of the observer, nanoseconds.
  package init(_ back: [Int64] = []) { self.back = back }

  package init(_ result: AnalysisResult) {
    guard result.captures.contains(where: { $0.span.largestStepBack > 0 }) else {
      self.init()
      return
    }
    var steps: [String: Int64] = [:]
    for capture in result.captures {
      for observer in capture.observers {
        steps[observer.name] = max(steps[observer.name] ?? 0, capture.span.largestStepBack)
      }
    }
    self.init(result.observers.map { steps[$0] ?? 0 })
  }

  fileprivate func of(_ observer: Int) -> Int64 {
    back.indices.contains(observer) ? back[observer] : 0
  }
}

extension BeaconSummary {
  /// What one observer's clock is off by in its own recording, and those of several among each other,
  /// nanoseconds.
  private static let ownSlack: Int64 = 1_000_000_000
  private static let commonSlack: Int64 = 60_000_000_000

  /// How many of its addresses alternate at most, those of a device whose key is there as one: one is in use
  /// from its first sighting to its last, for who changes its address leaves the old one for good. Clocks of
  /// several observers may differ by a minute, the one of each goes by itself. Nil where the times do not tell it:
  /// there are none, or two addresses were heard so shortly that their order may be chance.
  package func addressesAtOnce(_ steps: ClockSteps = ClockSteps()) -> Int? {
    let present = sources.filter { $0.address.isPresent }
    let known = devices.isEmpty ? present : bySender(present)
    guard !known.isEmpty else { return nil }
    var byObserver: [Int: [Heard]] = [:]
    for source in known {
      for heard in source.heard { byObserver[heard.observer, default: []].append(heard) }
    }
    let own = byObserver.compactMap { observer, spans in
      Self.most(spans, max(Self.ownSlack, steps.of(observer)))
    }.max()
    guard byObserver.count > 1 else { return own }
    let all = known.map { Heard(observer: 0, first: $0.first, last: $0.last) }
    let slack = byObserver.keys.map(steps.of).max() ?? 0
    guard let together = Self.most(all, max(Self.commonSlack, slack)) else {
      return own.flatMap { $0 > 1 ? $0 : nil }
    }
    return max(together, own ?? 1)
  }

  /// How many spans there are at a time at most.
  private static func most(_ spans: [Heard], _ slack: Int64) -> Int? {
    guard spans.allSatisfy({ $0.first.isKnown && $0.last.isKnown }), !areTooShort(spans, ownSlack)
    else { return nil }
    let begins = spans.map(\.first.nanoseconds).sorted()
    let ends = spans.map { span in
      let (end, isBefore) = span.last.nanoseconds.subtractingReportingOverflow(slack)
      return isBefore ? span.first.nanoseconds : max(span.first.nanoseconds, end)
    }.sorted()
    var (most, ended) = (0, 0)
    for (begun, begin) in begins.enumerated() {
      while ends[ended] < begin { ended += 1 }
      most = max(most, begun + 1 - ended)
    }
    return most
  }

  /// Whether two of them were heard within so short a time, all of it, that nothing follows from which
  /// was heard first.
  private static func areTooShort(_ spans: [Heard], _ slack: Int64) -> Bool {
    let inOrder = spans.sorted { $0.first.nanoseconds < $1.first.nanoseconds }
    return zip(inOrder, inOrder.dropFirst()).contains { earlier, later in
      max(earlier.last.nanoseconds, later.last.nanoseconds).since(earlier.first.nanoseconds) < slack
    }
  }

  /// Addresses of one device as one source, from its first sighting to its last.
  private func bySender(_ sources: [Source]) -> [Source] {
    var places: [String: Int] = [:]
    var result: [Source] = []
    for source in sources {
      let sender = sender(source.address)
      if let place = places[sender] {
        result[place].add(source)
      } else {
        places[sender] = result.count
        result.append(source)
      }
    }
    return result
  }
}

extension BeaconSummary.Source {
  /// Adds the same device as another observer saw it, or from another of its addresses.
  mutating func add(_ other: BeaconSummary.Source) {
    sightings += other.sightings
    for next in other.heard {
      if let place = heard.firstIndex(where: { $0.observer == next.observer }) {
        heard[place].note(next.first, next.last)
      } else {
        heard.append(next)
      }
    }
    guard other.first.isKnown else { return }
    if !first.isKnown
      || (other.first.nanoseconds, other.firstCapture) < (first.nanoseconds, firstCapture)
    {
      first = other.first
      (firstCapture, firstFrame) = (other.firstCapture, other.firstFrame)
    }
    if !last.isKnown || other.last.nanoseconds > last.nanoseconds { last = other.last }
  }
}

extension BeaconSummary.Heard {
  fileprivate mutating func note(_ first: Timestamp, _ last: Timestamp) {
    guard first.isKnown else { return }
    if !self.first.isKnown || first.nanoseconds < self.first.nanoseconds { self.first = first }
    if !self.last.isKnown || last.nanoseconds > self.last.nanoseconds { self.last = last }
  }
}
