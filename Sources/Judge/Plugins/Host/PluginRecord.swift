import Analysis
import Beacons
import CaptureReader
import Regions

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
  /// Observers that were asked about and are not there, each told once.
  var unknownObservers: Set<String> = []
  /// By what `once_per` goes by, where that is no key of the rule's own: the beacon that was told of last.
  fileprivate var toldOf: [String: (beacon: String, time: Int64)] = [:]
  /// Whether it was said that timers come too late.
  fileprivate var hasSaidLate = false
  /// Whether it was said that others are held back for that.
  fileprivate var hasSaidHeldBack = false
  /// Fields of alerts that were no number: each told once.
  var endlessFields: Set<String> = []
  /// What it says about the run as a whole.
  var said = PluginRemarks()
  /// Calls that ended early, by what stopped them.
  var errors: [LuaLimit: Int] = [:]
  /// What the first of them said, and where.
  var firstError: String?
  /// What the one said that switched it off.
  var lastError: String?

  /// - Parameter time: now, nanoseconds.
  func note(_ key: String, _ beacon: String, at time: Int64) {
    guard toldOf.count < 1000 || toldOf[key] != nil else { return }
    toldOf[key] = (beacon, time)
  }
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

  /// Says once that an alert about one beacon is taken for another one's.
  /// - Parameter span: of `once_per`, nanoseconds: what was told before is not the reason.
  func remarkHeldBack(_ title: String, _ key: String, _ beacon: String, within span: Int64) {
    guard !record.hasSaidHeldBack, let (other, time) = record.toldOf[key], other != beacon,
      time <= now.nanoseconds, now.nanoseconds.since(time) < span
    else { return }
    record.hasSaidHeldBack = true
    tell(
      "\(file.name): '\(title)' of \(beacon) is held back by once_per, since it was told of \(other); with "
        + "dedupe_key = s.id each is told of (told once)")
  }

  /// A field that no export has a number for: told with the first alert that has it.
  func remarkUnlessFinite(_ field: String, _ value: CustomValue) {
    guard case .number(let number) = value, !number.isFinite,
      record.endlessFields.count < 10, record.endlessFields.insert(field).inserted
    else { return }
    tell(
      "\(file.name): alert: \(field) in fields is \(LuaValue.number(number).shown), which is null in every "
        + "export: was it divided by 0? (told once)")
  }

  /// A timer that is made where nothing follows.
  func remarkLateTimer(_ function: String) {
    guard moment.isOver, !record.hasSaidLate else { return }
    record.hasSaidLate = true
    tell("\(file.name): \(function) in finish: the run is over, so it is never called (told once)")
  }

  /// An observer that nobody has heard of: misspelt, or not there yet, so that it is no error.
  func remarkUnknown(observer: String) {
    guard let observers = moment.view?.observers, !observers.contains(observer),
      !regions.awaited.contains(observer)
    else { return }
    // Before anything has happened only the first one is known.
    if case .nothing = moment.handling { return }
    tellUnknown(observer, in: "region_state", among: observers)
  }

  fileprivate func tellUnknown(_ observer: String, in place: String, among observers: [String]) {
    guard record.unknownObservers.count < 10, record.unknownObservers.insert(observer).inserted
    else { return }
    tell(
      "\(file.name): \(place): "
        + UnknownWord.sentence("observer", observer, among: observers.sorted()) + " (told once)")
  }
}

extension PluginHost {
  /// Says of filters that name an observer which is none of the run's that they matched nothing, of each
  /// name once. To be called where all observers are known: behind a file, before a live run.
  /// - Parameter observers: all of them.
  package func tellUnknownObservers(among observers: [String]) {
    guard !observers.isEmpty else { return }
    for plugin in plugins {
      for handler in plugin.handlers {
        for wish in handler.filter.wishes where wish.key == "observer" {
          for name in wish.values.compactMap(\.text) where !observers.contains(name) {
            plugin.tellUnknown(
              name, in: "on(\"\(handler.event.rawValue)\")", among: observers)
          }
        }
      }
    }
  }
}
