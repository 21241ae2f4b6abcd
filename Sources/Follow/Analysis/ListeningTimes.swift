import CaptureReader
import FrameDecoder
import Regions

/// When the observers of a run listened, out of all captures of each.
struct ListeningTimes {
  struct Observer {
    /// Its first and its last report.
    var start = Timestamp.none
    var end = Timestamp.none
    /// Nanoseconds: scans, or of air sniffers from the first report to the last of each capture; disjoint.
    fileprivate(set) var spans: [RecordGaps.Span] = []
    /// By how much its clock stepped back at most, nanoseconds.
    var stepBack: Int64 = 0
    /// When there was no record of it, in a capture or between two: a night, too.
    var gaps = RecordGaps()

    /// Nanoseconds from the first report to the last, without gaps in the recording.
    var length: Int64 {
      start.isKnown ? recorded(from: start.nanoseconds, to: end.nanoseconds) : 0
    }

    /// How long a time is without gaps in the recording, nanoseconds.
    func recorded(from: Int64, to: Int64) -> Int64 {
      guard to > from else { return 0 }
      return max(0, to.since(from) - gaps.length(from: from, to: to))
    }

    /// When it had recorded for so long, nanoseconds; nil where it did not.
    func moment(after length: Int64) -> Int64? {
      guard start.isKnown else { return nil }
      var left = length
      for span in gaps.rest(from: start.nanoseconds, to: end.nanoseconds) {
        let whole = span.to.since(span.from)
        if left <= whole { return span.from.later(by: left) }
        left -= whole
      }
      return nil
    }

    /// For how long it listened from a moment to its end, nanoseconds.
    func listening(since moment: Int64) -> Int64 {
      spans.reduce(0) { sum, span in
        let from = max(span.from, moment)
        let to = min(span.to, end.nanoseconds)
        return to > from ? sum.later(by: to.since(from)) : sum
      }
    }
  }

  /// By the run's observer numbers.
  private(set) var observers: [Observer]

  init(_ result: AnalysisResult) {
    observers = result.observers.map { _ in Observer() }
    var recorded: [[RecordGaps.Span]] = observers.map { _ in [] }
    var numbers: [String: Int] = [:]
    for (number, name) in result.observers.enumerated() { numbers[name] = number }
    for capture in result.captures {
      for facts in capture.observers {
        guard let number = numbers[facts.name], facts.firstReport.isKnown,
          facts.lastReport.isKnown
        else { continue }
        observers[number].add(facts, stepBack: capture.span.largestStepBack)
        let (first, last) = (facts.firstReport.nanoseconds, facts.lastReport.nanoseconds)
        recorded[number] += facts.scan.gaps.rest(from: first, to: last)
      }
    }
    for place in observers.indices {
      observers[place].gaps = RecordGaps(between: RecordGaps(joining: recorded[place]).spans)
      observers[place].joinSpans()
    }
    guard let limits = result.limits else { return }
    for place in observers.indices where observers[place].start.isKnown {
      let own = observers[place]
      observers[place].start = Timestamp(nanoseconds: max(own.start.nanoseconds, limits.from))
      observers[place].end = Timestamp(nanoseconds: min(own.end.nanoseconds, limits.to))
    }
  }
}

extension ListeningTimes.Observer {
  fileprivate mutating func add(_ facts: ObserverFacts, stepBack: Int64) {
    let (first, last) = (facts.firstReport.nanoseconds, facts.lastReport.nanoseconds)
    start = Timestamp(nanoseconds: start.isKnown ? min(start.nanoseconds, first) : first)
    end = Timestamp(nanoseconds: max(end.nanoseconds, last))
    self.stepBack = max(self.stepBack, stepBack)
    let scans = facts.scan.windows.filter { $0.start.isKnown && $0.end.isKnown }
    if facts.carriesHCI, !scans.isEmpty, facts.scan.windowsNotListed == 0 {
      for scan in scans {
        spans += facts.scan.gaps.rest(from: scan.start.nanoseconds, to: scan.end.nanoseconds)
      }
    } else {
      spans += facts.scan.gaps.rest(from: first, to: last)
    }
  }

  /// What several captures have of one time counts once.
  fileprivate mutating func joinSpans() { spans = RecordGaps(joining: spans).spans }
}
