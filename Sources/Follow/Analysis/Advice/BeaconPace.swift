package import CaptureReader
import Regions

/// How often a beacon advertises, and how much of that is lost.
package struct BeaconPace: Sendable {
  /// Where the loss comes from.
  package enum Source: String, Sendable {
    /// The beacon's own counter of frames (Eddystone-TLM, ADV_CNT): absolute.
    case counter = "adv_cnt"
    /// Gaps that are twice, three times … as long as the shortest: its own ones, or those of all that its address sends
    /// in turn.
    case gaps
  }

  /// Where the interval comes from.
  package enum IntervalSource: Sendable, Equatable {
    /// Its gaps at this receiver.
    case gaps
    /// Its gaps at another one, by the run's number.
    case receiver(Int)
    /// Its telemetry: frames sent, and the time that took.
    case telemetry
  }

  /// Why nothing is known.
  package enum Untold: Sendable, Equatable {
    /// It was heard too seldom.
    case seldom
    /// Its gaps do not tell: most is lost, or they are those of several devices.
    case lossy
    /// The controller left out what was repeated.
    case filtered
    /// The radio listened a part of its time: gaps are those of its windows, too.
    case partly
    /// It sends more often, or less often, than it did: from and to, nanoseconds.
    case changed(first: Double, last: Double)
    /// Several devices of its address count in its telemetry.
    case several
  }

  /// What is wrong with a counter of frames (Eddystone-TLM, ADV_CNT).
  package enum CountFault: String, Sendable {
    /// It counts more than the address is heard to send.
    case faster = "counts_more"
    /// Its clock does not go as the capture's.
    case clock = "other_clock"
    /// It goes forth and back: several devices have one address.
    case several = "several_devices"
  }

  /// Nanoseconds.
  package let interval: Double
  /// 0…1.
  package let loss: Double
  /// In how many of its intervals this identity was not heard, 0…1: what was lost and, where another one or
  /// telemetry is sent in its turn, that.
  package let missed: Double
  package let source: Source
  package let intervalSource: IntervalSource
  /// Gaps that it was learnt from.
  package let gaps: Int
  /// Where it sent at another interval before: all else is of the time since.
  package let change: Change?

  /// An interval that was changed at once.
  package struct Change: Sendable, Equatable {
    /// The first sighting of which it is known to hold.
    package let since: Timestamp
    /// Nanoseconds.
    package let before: Double
    /// Whether that one lasted until then: else there was a third one between the two, and `since` is later than the
    /// change.
    package var isAtOnce = true
  }

  package init(
    interval: Double, loss: Double, missed: Double, source: Source, gaps: Int,
    intervalSource: IntervalSource = .gaps, change: Change? = nil
  ) {
    self.interval = interval
    self.loss = loss
    self.missed = missed
    self.source = source
    self.intervalSource = intervalSource
    self.gaps = gaps
    self.change = change
  }

  /// An interval that is known from elsewhere.
  struct KnownInterval {
    let interval: Double
    let source: IntervalSource
  }

  /// By its own gaps; the loss by the counter where there is one that can be, else by the gaps of its address where
  /// that sends several frames in turn. What was counted before the interval changed is not of the time since.
  init?(_ gaps: GapParts, _ counter: FrameCounter) {
    guard counter.fault != .several, case .known(let own, let change) = gaps.learnt() else {
      return nil
    }
    let counted = change == nil ? counter.loss : nil
    let ofAddress =
      change == nil
      ? counter.lossByGaps ?? counter.lossInTurn(own.interval).map { min($0, own.loss) } : nil
    self.init(
      interval: own.interval, loss: counted ?? ofAddress ?? own.loss, missed: own.loss,
      source: counted == nil ? .gaps : .counter, gaps: own.gaps, change: change)
  }

  /// By an interval that is known from elsewhere, where its own gaps do not tell it.
  /// - Parameter longest: gaps that are longer were not counted, nanoseconds.
  init?(_ gaps: BeaconGaps, _ counter: FrameCounter, _ known: KnownInterval, longest: Int64) {
    guard let missed = gaps.missed(known.interval, longest: longest) else { return nil }
    let inTurn = counter.lossInTurn(known.interval).map { min($0, missed) }
    self.init(
      interval: known.interval, loss: counter.loss ?? inTurn ?? missed,
      missed: max(missed, counter.loss ?? 0), source: counter.loss == nil ? .gaps : .counter,
      gaps: gaps.heard, intervalSource: known.source)
  }

  /// Advertisements that have to be lost one after the other for a silence longer than that. The one behind
  /// them comes too late.
  package func lostInSilence(_ period: Int64) -> Double {
    (Double(period) / interval).rounded(.down)
  }

  /// That behind an advertisement that was heard nothing comes for longer than a period, if each is lost by
  /// itself, 0…1. What is sent in its turn comes regularly, and need not be lost.
  package func probability(ofSilence period: Int64) -> Double {
    let slots = lostInSilence(period)
    let others = loss < 1 ? slots * max(0, 1 - (1 - missed) / (1 - loss)) : 0
    let fewest = others.rounded(.down)
    let more = others - fewest
    return (1 - more) * Self.power(loss, slots - fewest)
      + (more > 0 ? more * Self.power(loss, slots - fewest - 1) : 0)
  }

  /// By squaring: the same on every machine.
  /// - Parameter exponent: a whole number; below 1 it is 0.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    var (left, result, factor) = (exponent, 1.0, base)
    while left >= 1, result > 0 {
      if left.truncatingRemainder(dividingBy: 2) == 1 { result *= factor }
      factor *= factor
      left = (left / 2).rounded(.down)
    }
    return result
  }

  /// How many such silences a day has: never more than there is room for.
  package func expectedPerDay(_ period: Int64) -> Double {
    let day = 86_400e9
    return min(
      day / interval * (1 - missed) * probability(ofSilence: period), day / Double(max(1, period)))
  }
}
