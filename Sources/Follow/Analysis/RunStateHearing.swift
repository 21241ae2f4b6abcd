package import CaptureReader
import Regions

// What entries behind a restart leave open goes by the exits before them, and by what could be heard since.
extension RunState {
  /// An exit, as far as a later entry goes by it; when it was last seen the region says.
  package struct OfExit: Equatable, Sendable, Codable {
    package var until: Timestamp
    /// As `Silence` has them; the grade as `Silence.Grade` spells it, nil where nothing is known of its silence.
    package var grade: String?
    package var othersHeard = Timestamp.none
    package var recordGap: Int64 = 0
    /// Nil in states of before there was this.
    package var quiet: Int64?
    package var interval: Int64?
    package var loss: Double?
    package var probability: Double?
    package var share: Double?
    package var shareBefore: Double?
    /// Who had been inside was heard, and did not pass the region's gate.
    package var wasRefused = false

    init(_ stay: EarlierStay) {
      until = stay.until
      guard let silence = stay.silence else { return }
      grade = silence.grade.rawValue
      (othersHeard, recordGap) = (silence.othersHeard, silence.recordGap)
      quiet = silence.quiet
      (interval, loss, probability) = (silence.interval, silence.loss, silence.probability)
      (share, shareBefore) = (silence.listened?.share, silence.listened?.before)
      wasRefused = silence.refused?.isUnmeasured == false
    }

    /// Nil where its grade is none that this version knows, or a figure is out of its range.
    func stay(lastSeen: Timestamp) -> EarlierStay? {
      let parts = [loss, probability, share, shareBefore].compactMap(\.self)
      guard parts.allSatisfy({ (0...1).contains($0) }), recordGap >= 0, quiet ?? 0 >= 0,
        interval ?? 1 > 0
      else {
        return nil
      }
      guard let grade else { return EarlierStay(lastSeen: lastSeen, until: until, silence: nil) }
      guard let known = Silence.Grade(rawValue: grade) else { return nil }
      var silence = Silence(
        grade: known, othersHeard: othersHeard, scanOff: 0, captureOff: 0, recordGap: recordGap,
        filtered: 0, listedOnly: 0, packetsLost: 0, interval: interval, loss: loss,
        probability: probability,
        listened: share.map { Silence.Listened(share: $0, before: shareBefore) }, transmitters: 0)
      silence.quiet = quiet ?? 0
      if wasRefused { silence.refused = Silence.Refused(count: 1, rssi: 0, at: until) }
      return EarlierStay(lastSeen: lastSeen, until: until, silence: silence)
    }
  }

  /// When an observer was not able to hear, and nobody was heard, by one exit period.
  package struct OfHearing: Equatable, Sendable, Codable {
    package var observer: String
    /// Nanoseconds.
    package var period: Int64
    /// Its latest record: behind it nothing was recorded until the next run.
    package var until: Timestamp
    /// The latest report.
    package var heardLast: Timestamp
    /// Since when its scan leaves out whom it told of; none: it does not.
    package var filtersSince: Timestamp
    /// Ascending, the latest `mostSpans`.
    package var deaf: [OfSpan]
    package var quiet: [OfSpan]
    package var filtered: [OfSpan]

    package static let mostSpans = 100
  }

  package struct OfSpan: Equatable, Sendable, Codable {
    package var from: Timestamp
    package var to: Timestamp

    init(_ span: Timeline.Span) { (from, to) = (span.from, span.to) }
  }
}

extension RunState.OfHearing {
  /// As many as are kept; none where they do not follow one another, up to the end.
  func spans(_ path: KeyPath<Self, [RunState.OfSpan]>) -> [Timeline.Span] {
    let spans = self[keyPath: path].suffix(Self.mostSpans)
      .map { Timeline.Span(from: $0.from, to: $0.to) }
    var last = Int64.min
    for span in spans {
      guard span.from.isKnown, span.from.nanoseconds >= last,
        span.to.nanoseconds > span.from.nanoseconds, span.to.nanoseconds <= until.nanoseconds
      else { return [] }
      last = span.to.nanoseconds
    }
    return spans
  }

  init(_ observer: String, _ deaf: DeafSpans) {
    self.init(
      observer: observer, period: deaf.leastGap, until: deaf.end, heardLast: deaf.heardLast,
      filtersSince: deaf.filtersSince.map { Timestamp(nanoseconds: $0) } ?? .none,
      deaf: deaf.certainSoFar.suffix(Self.mostSpans).map(RunState.OfSpan.init),
      quiet: deaf.quiet.suffix(Self.mostSpans).map(RunState.OfSpan.init),
      filtered: deaf.filteredScans.suffix(Self.mostSpans).map(RunState.OfSpan.init))
  }
}
