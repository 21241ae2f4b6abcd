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
  /// Calls that ended early, by what stopped them.
  var errors: [LuaLimit: Int] = [:]
}
