import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What one rule made of a run, to be compared with what came of another one.
package struct RuleRun: Sendable {
  package let result: AnalysisResult
  package let timeline: Timeline
  /// Its alerts, in the order of their times.
  package let alerts: [TimelineEvent]
  /// How it went with it.
  package let report: JudgeReport

  /// Whether any capture could be read.
  package var isRead: Bool { !result.captures.isEmpty }

  /// Nil where the rule did not run.
  /// - Parameter plugin: its name.
  package init?(_ result: AnalysisResult, plugin: String) {
    guard let timeline = result.timeline,
      let report = timeline.judges.first(where: { $0.rule.plugin == plugin })
    else { return nil }
    self.result = result
    self.timeline = timeline
    self.report = report
    alerts = timeline.events.filter { event in
      event.alert.map { timeline.alerts[$0].rule.plugin == plugin } ?? false
    }
  }

  package func alert(_ event: TimelineEvent) -> Alert? { event.alert.map { timeline.alerts[$0] } }

  /// What an alert is about, by names: numbers of two runs need not be the same.
  func subject(_ event: TimelineEvent) -> AlertSubject {
    let alert = alert(event)
    var subject = AlertSubject()
    subject.observer = alert?.observer.map { timeline.observers[$0].name }
    subject.region = event.region.map { timeline.regions[$0].identifier }
    if let number = event.transmitter {
      let statistics = result.statistics
      let transmitter = statistics.transmitters[UInt32(number)]
      let identity = statistics.identities[transmitter.identity]
      subject.address = transmitter.address
      subject.kind = identity.kind
      subject.identity = statistics.identities.bytes(of: identity)
    }
    return subject
  }
}

/// Two alerts are told apart by it, whenever they were told and whatever they say.
struct AlertSubject: Hashable {
  /// Nil: it is about none.
  var observer: String?
  var region: String?
  /// Of the beacon: who sends, and what it says it is.
  var address: DeviceAddress?
  var kind: BeaconKind?
  var identity: [UInt8] = []

  var hasBeacon: Bool { kind != nil }
}
