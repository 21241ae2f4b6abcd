import Beacons
import CaptureReader
import FrameDecoder

/// Nobody judges, and somebody hears of events as they happen: they are made for a judge.
final class NoJudge: Judge {
  let wishes = JudgeWishes()
  let reports: [JudgeReport] = []

  func begin(at: Timestamp, _: TimelineEvent.Evidence, known: [KnownPresence], _: RunView) {}
  func consider(_: JudgedSighting, _: RunView) {}
  func take(
    _: Span<BriefSighting>, _: Span<Sighting>, capture: UInt32, fields: [CustomFields], _: RunView
  ) {}
  func take(_: TimelineEvent, _: RunView) {}
  func take(_: ObserverNote, observer: Int, capture: UInt32, _: RunView) {}
  func resume(_: ScanLimits, of: String) {}
  func take(_: RecordingTurn, _: RunView) {}
  func reach(_: Timestamp, _: RunView) {}
  func finish(at: Timestamp, _: RunView) {}
  func takeMarkers() -> [Timestamp] { [] }
  func takeAlerts() -> [Alert] { [] }
}
