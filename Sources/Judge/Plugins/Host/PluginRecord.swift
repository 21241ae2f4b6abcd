import Analysis
import CaptureReader

/// What of a plugin goes on when another text takes its place: what it has told, and how it went.
final class PluginRecord {
  var gate = AlertGate()
  /// Alerts told.
  var alertsTold = 0
  /// Given since they were taken last.
  var alerts: [(place: Int, alert: Alert)] = []
  /// Markers set while running, since they were taken last.
  var markers: [Timestamp] = []
  /// What has been told of evidence that cannot be cited: each sort once.
  var remarks: Set<EvidenceRemark> = []
  /// Calls that ended early, by what stopped them.
  var errors: [LuaLimit: Int] = [:]
}

/// Why evidence that a rule names is left out.
enum EvidenceRemark {
  case earlierRun, noPlace, notYet
}

extension Plugin {
  /// Says once that something is left out of an alert, which is told all the same.
  func remark(_ sort: EvidenceRemark, _ sentence: String) {
    guard record.remarks.insert(sort).inserted else { return }
    tell("\(file.name): evidence of an alert is left out: \(sentence) (told once)")
  }
}
