import CaptureReader
import FrameDecoder
import Regions

/// What captures of one radio that are of the same time count more than once.
struct RepeatedListening {
  /// Nanoseconds.
  struct Times {
    var scanned: Int64 = 0
    var listened: Int64 = 0
  }

  /// By the radio's name.
  private(set) var times: [String: Times] = [:]

  init(_ result: AnalysisResult) {
    self.init(result.captures.flatMap(\.observers), within: result.limits)
  }

  fileprivate init(_ observers: [ObserverFacts], within limits: TimeLimits?) {
    var captures: [String: [ObserverFacts]] = [:]
    for facts in observers where facts.hasListened {
      captures[facts.name, default: []].append(facts)
    }
    for (name, all) in captures where all.count > 1 {
      let stretches = all.map { $0.stretches(within: limits) }
      times[name] = Self.repeated(stretches)
    }
  }

  /// What of them lies behind the beginning of an earlier one and before its end.
  private static func repeated(_ captures: [[Stretch]]) -> Times {
    let all = captures.enumerated().flatMap { place, stretches in
      stretches.map { (capture: place, stretch: $0) }
    }
    .sorted { one, other in
      (one.stretch.from, one.capture, one.stretch.to)
        < (other.stretch.from, other.capture, other.stretch.to)
    }
    var repeated = Times()
    var end = Int64.min
    for (_, stretch) in all {
      let common = min(end, stretch.to).since(stretch.from)
      if common > 0 {
        repeated.scanned = repeated.scanned.later(by: stretch.part(stretch.scanned, of: common))
        repeated.listened = repeated.listened.later(by: stretch.part(stretch.listened, of: common))
      }
      end = max(end, stretch.to)
    }
    return repeated
  }
}

extension AnalysisResult {
  /// For how long the controllers of each observer scanned, by its name, nanoseconds: a time of which it has several
  /// captures counts once. Air sniffers do not tell that.
  package var scanned: [String: Int64] {
    let told = captures.flatMap(\.observers).filter(\.carriesHCI)
    let repeated = RepeatedListening(told, within: nil).times
    var sums: [String: Int64] = [:]
    for facts in told { sums[facts.name] = (sums[facts.name] ?? 0).later(by: facts.scan.listening) }
    for (name, times) in repeated {
      sums[name] = sums[name].map { max(0, $0.later(by: -times.scanned)) }
    }
    return sums
  }
}

/// A time that a radio scanned, in one capture.
private struct Stretch {
  /// Nanoseconds; `to` is behind `from`.
  let from: Int64
  let to: Int64
  /// Which part of it, 0…1.
  let scanned: Double
  let listened: Double

  /// Nanoseconds: exact where the part is all.
  func part(_ part: Double, of length: Int64) -> Int64 {
    part < 1 ? Int64((Double(length) * part).rounded(.down)) : length
  }
}

extension ObserverFacts {
  fileprivate func stretches(within limits: TimeLimits?) -> [Stretch] {
    let (first, last) = (limits?.from ?? .min, limits?.to ?? .max)
    var stretches: [Stretch] = []
    func add(_ from: Int64, _ to: Int64, scanned: Double, listened: Double) {
      let (from, to) = (max(from, first), min(to, last))
      guard to > from else { return }
      stretches.append(Stretch(from: from, to: to, scanned: scanned, listened: listened))
    }
    if carriesHCI, scan.windowsNotListed == 0 {
      for window in scan.windows where window.start.isKnown && window.end.isKnown {
        let (from, to) = (window.start.nanoseconds, window.end.nanoseconds)
        let share = window.share ?? 1
        let whole = to.since(from)
        guard whole > 0 else { continue }
        guard window.filtersDuplicates != true else {
          // A pause shows nothing then: it counts as listened, but for what was not captured.
          let scanned = Double(window.listening) / Double(whole)
          add(from, to, scanned: scanned, listened: scanned * share)
          continue
        }
        for span in scan.gaps.rest(from: from, to: to) {
          add(span.from, span.to, scanned: 1, listened: share)
        }
      }
    } else if firstReport.isKnown, lastReport.isKnown {
      // Of a sniffer, or of more scans than are listed: as much of it as its reports last.
      let spans = scan.gaps.rest(from: firstReport.nanoseconds, to: lastReport.nanoseconds)
      let whole = spans.reduce(Int64(0)) { $0.later(by: $1.to.since($1.from)) }
      guard whole > 0 else { return [] }
      for span in spans {
        add(
          span.from, span.to, scanned: min(1, Double(scanned) / Double(whole)),
          listened: min(1, Double(listened) / Double(whole)))
      }
    }
    return stretches
  }
}
