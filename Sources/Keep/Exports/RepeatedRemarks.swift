import Analysis
import CaptureReader

/// Signals that stand in two captures, at other times.
extension Remarks {
  static func signalsRepeated(_ captures: [CaptureFacts]) -> [Remark] {
    captures.compactMap { facts in
      facts.repeating.map { repeated in
        Remark(
          "signals_repeated", capture: facts.name, of: .two,
          "\(facts.name) holds the signals of \(repeated.name) once more, \(words(repeated)) What both hold counts "
            + "twice.")
      }
    }
  }

  /// Less is what clocks of one computer, and containers that round, make of one time.
  private static let least: Int64 = 1_000_000

  /// Whatever comes behind the names of both.
  static func words(_ repeated: RepeatedSignals) -> String {
    let amount = TextColumns.exactDuration(Int64(clamping: repeated.later.magnitude))
    let way = repeated.later < 0 ? "earlier" : "later"
    let part = repeated.part > 0.95 ? "all" : "\(Int((repeated.part * 100).rounded())) %"
    let sample = "by a sample, \(part) of those of beacons in the one that has fewer"
    let never = "Two radios, or two days, never hear the same."
    if repeated.isExact, repeated.later == 0 {
      return
        "in the same order and at the same times (\(sample)): one is a copy or a part of the other."
    }
    if repeated.later.magnitude < least.magnitude {
      return
        "in the same order, and at times that differ by less than 1 ms (\(sample)): one radio was recorded twice at "
        + "once, or one of them is a copy whose times were rounded. \(never)"
    }
    guard repeated.isExact else {
      let about = TextColumns.exactDuration(
        Int64(clamping: repeated.later.magnitude + 500_000) / 1_000_000 * 1_000_000)
      return
        "in the same order, about \(about) \(way) (\(sample)): one radio was recorded twice at once, by two clocks, or "
        + "one of them is a copy whose times were changed. \(never)"
    }
    return
      "in the same order, each \(amount) \(way) (\(sample)): one of them is a copy whose times were changed"
      + (isZone(repeated.later) ? ", or was converted with another time zone. " : ". ") + never
  }

  /// Whole quarters of an hour, as zones differ by: from UTC−12 to UTC+14.
  private static func isZone(_ later: Int64) -> Bool {
    let quarter: UInt64 = 900_000_000_000
    return later.magnitude % quarter == 0 && later.magnitude <= 26 * 4 * quarter
  }

  /// Whether a clock differs from that of its group because one of them has the signals of the other at other times: no
  /// clock is wrong there.
  static func isRepeat(
    _ capture: ClockComparison.Capture, of group: ClockComparison.Group, _ clocks: [ComparedClock],
    _ result: AnalysisResult
  ) -> Bool {
    func facts(_ place: Int) -> [CaptureFacts] {
      let names = Set(clocks[place].captures.map { result.captureNames[$0] })
      return result.captures.filter { names.contains($0.name) }
    }
    let (own, others) = (facts(capture.place), facts(group.against))
    return own.contains { one in
      others.contains { other in
        repeats(one, other, ahead: capture.ahead) || repeats(other, one, ahead: -capture.ahead)
      }
    }
  }

  private static func repeats(_ one: CaptureFacts, _ other: CaptureFacts, ahead: Int64) -> Bool {
    guard let repeated = one.repeating, repeated.name == other.name else { return false }
    return abs(Double(repeated.later) - Double(ahead)) < 1e9
  }
}
