package import CaptureReader
package import FrameDecoder

/// Whoever wants to hear what happens as it happens, rather than at the end: live output. It is told
/// on the queue that follows the run, in the order in which judges are (`Judge`).
package protocol RunListener: AnyObject, Sendable {
  /// The run begins, and this is where observers are known to be by what an earlier run left.
  func begin(known: [KnownPresence], _ view: RunView)
  /// An event that the timeline has, alerts among them.
  ///
  /// An alert's `TimelineEvent.alert` counts all alerts of the run: those that are not kept, too.
  /// - Parameter alert: of an alert, what it says; nil of any other event.
  func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView)
  /// What an observer did, or what was lost on the way: everything but ticks and ends. `observer` and
  /// `capture` are the run's numbers.
  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView)
  /// The run's clock is here; at least once in each second that has records, and live, too, while
  /// nothing comes.
  func reach(_ time: Timestamp, _ view: RunView)
}

extension RunListener {
  /// Who only hears of what happens needs no beginning.
  package func begin(known: [KnownPresence], _ view: RunView) {}
}
