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
    let spans = observers.map { observer in observer.losses.filter { $0.since.isKnown } }
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

extension Silence {
  /// Losses over times, of which the monitor counted those that ended in (from, to].
  fileprivate mutating func count(_ losses: [Timeline.Loss], from: Timestamp, to: Timestamp) {
    for loss in losses where loss.touches(from: from, to: to) {
      let isLate = loss.until.nanoseconds > to.nanoseconds
      if isLate {
        packetsLost = packetsLost.later(by: loss.count)
        if grade == .gone { grade = .thin }
      }
      if isLate || loss.since.nanoseconds < from.nanoseconds {
        let latest = max(lostUntil.nanoseconds, loss.until.nanoseconds)
        lostUntil = Timestamp(nanoseconds: latest)
      }
    }
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

  /// Moments are kept up to `Timeline.Observer.mostDeaf`: they only say where a loss is told. Of times
  /// there are few, one for each block of statistics.
  mutating func take(_ note: ObserverNote, capture: UInt32) {
    guard note.time.isKnown,
      note.lostSince.isKnown || losses.count < Timeline.Observer.mostDeaf
    else { return }
    var since = note.lostSince
    if since == CaptureMark.wholeRecording {
      since = begins.first { $0.capture == capture }?.at ?? note.time
    }
    losses.append(
      Timeline.Loss(
        since: since, until: note.time, count: note.packetsLost,
        place: note.frame > 0 ? EventMaking.evidence(capture, note.frame) : nil))
  }
}
