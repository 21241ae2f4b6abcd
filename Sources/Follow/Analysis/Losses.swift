package import CaptureReader
import FrameDecoder
import Regions

/// Packets that an observer's recorder says it lost.
extension Timeline {
  package struct Loss: Equatable, Sendable {
    /// Since when they may have been lost; unknown: they were at `until`.
    package let since: Timestamp
    /// When that was found out.
    package let until: Timestamp
    package let count: Int64
    /// The record that says so, or the one before; nil where there was none.
    package let place: TimelineEvent.Evidence?

    package init(since: Timestamp, until: Timestamp, count: Int64, place: TimelineEvent.Evidence?) {
      self.since = since
      self.until = until
      self.count = count
      self.place = place
    }

    /// Whether some of them may have been lost in (from, to].
    package func touches(from: Timestamp, to: Timestamp) -> Bool {
      guard until.nanoseconds > from.nanoseconds else { return false }
      return since.isKnown
        ? since.nanoseconds < to.nanoseconds : until.nanoseconds <= to.nanoseconds
    }
  }

  /// Counts with the exits what was told behind them: statistics at the end of a recording say how many
  /// packets were lost in all of it, and by then exits have been decided. They are worth less then than
  /// who heard of them as they happened was told.
  mutating func countLateLosses() {
    let spans = observers.map { LossesOverTime($0.losses) }
    guard spans.contains(where: { !$0.isEmpty }) else { return }
    for profile in outcomes.indices {
      for place in outcomes[profile].stays.indices {
        let visit = outcomes[profile].stays[place].visit
        outcomes[profile].stays[place].visit.silence?.count(
          spans[Int(visit.observer)], from: visit.lastSeen, to: visit.until)
      }
    }
    for place in events.indices where events[place].silence != nil {
      let event = events[place]
      events[place].silence?.count(spans[event.observer], from: event.lastSeen, to: event.time)
    }
  }
}

/// Losses that are dated to a time, not to a moment; there may be as many as exits.
private struct LossesOverTime {
  /// By their ends.
  private let losses: [Timeline.Loss]
  /// When the earliest of those from a place on began.
  private let begins: [Timestamp]

  init(_ all: [Timeline.Loss]) {
    losses = all.filter { $0.since.isKnown }.sorted { $0.until.nanoseconds < $1.until.nanoseconds }
    var begins: [Timestamp] = []
    for loss in losses.reversed() {
      let begin = begins.last ?? loss.since
      begins.append(loss.since.nanoseconds < begin.nanoseconds ? loss.since : begin)
    }
    self.begins = begins.reversed()
  }

  var isEmpty: Bool { losses.isEmpty }

  func forEach(touching from: Timestamp, _ to: Timestamp, _ body: (Timeline.Loss) -> Void) {
    var place = losses.indices.bisected { losses[$0].until.nanoseconds > from.nanoseconds }
    while place < losses.count, begins[place].nanoseconds < to.nanoseconds {
      if losses[place].touches(from: from, to: to) { body(losses[place]) }
      place += 1
    }
  }
}

extension Silence {
  /// Losses over times, of which the monitor counted those that ended in (from, to].
  fileprivate mutating func count(_ losses: LossesOverTime, from: Timestamp, to: Timestamp) {
    var (late, latest) = (Int64(0), lostUntil)
    losses.forEach(touching: from, to) { loss in
      let isLate = loss.until.nanoseconds > to.nanoseconds
      if isLate { late = late.later(by: loss.count) }
      if isLate || loss.since.nanoseconds < from.nanoseconds,
        loss.until.nanoseconds > latest.nanoseconds
      {
        latest = loss.until
      }
    }
    lostUntil = latest
    guard late > 0 else { return }
    packetsLost = packetsLost.later(by: late)
    if grade == .gone { grade = .thin }
  }
}

/// An observer's losses, as its captures tell them.
struct LossSpans {
  private(set) var losses: [Timeline.Loss] = []
  /// When each capture began for it.
  private var begins: [(capture: UInt32, at: Timestamp)] = []

  /// A note that is no loss: a capture's first one says when that begins.
  mutating func hear(_ note: ObserverNote, capture: UInt32) {
    guard begins.last?.capture != capture, note.time.isKnown,
      !begins.contains(where: { $0.capture == capture })
    else { return }
    begins.append((capture, note.time))
  }

  /// Moments are kept up to `Timeline.Observer.mostDeaf`: they only say where a loss is told. Times beyond
  /// that many are one with the last of them, which makes exits worth less, never more.
  mutating func take(_ note: ObserverNote, capture: UInt32) {
    let isFull = losses.count >= Timeline.Observer.mostDeaf
    guard note.time.isKnown, note.lostSince.isKnown || !isFull else { return }
    var since = note.lostSince
    if since == CaptureMark.wholeRecording {
      since = begins.first { $0.capture == capture }?.at ?? note.time
    }
    if isFull, let place = losses.lastIndex(where: { $0.since.isKnown }) {
      let last = losses[place]
      losses[place] = Timeline.Loss(
        since: last.since.nanoseconds < since.nanoseconds ? last.since : since,
        until: last.until.nanoseconds > note.time.nanoseconds ? last.until : note.time,
        count: last.count.later(by: note.packetsLost), place: last.place)
      return
    }
    losses.append(
      Timeline.Loss(
        since: since, until: note.time, count: note.packetsLost,
        place: note.frame > 0 ? EventMaking.evidence(capture, note.frame) : nil))
  }
}
