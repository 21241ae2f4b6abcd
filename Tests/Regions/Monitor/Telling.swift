import CaptureReader

@testable import Regions

/// A run of a monitor over happenings, told in lines.
struct Telling {
  var regions: [String]
  /// Where there are none.
  var found = FoundRegions.uuid
  var profile = "site"
  var settings: [String] = []
  var markers: [Int64] = []
  var observers = 1
  /// By observer of the stage; the same name twice is one observer.
  var names: [String]?

  func monitor() throws -> RegionMonitor {
    var list = RegionList(try regions.map { try Region.parse($0) })
    list.found = found
    let numbers = try settings.map { try ProfileOverride(parsing: $0) }
    return try RegionMonitor(list, try Profiles.named(profile).with(numbers))
  }

  func perform(_ happenings: [Happening]) throws -> RegionMonitor {
    var monitor = try monitor()
    for marker in markers { monitor.markDisplayOn(at: Timestamp(nanoseconds: origin + marker)) }
    var stage = Stage(observers: observers)
    stage.play(happenings)
    stage.perform(for: &monitor, names: names)
    return monitor
  }

  /// `30 lobby exit last 0`: times in seconds.
  func lines(_ happenings: [Happening]) throws -> [String] {
    var monitor = try perform(happenings)
    let several = observers > 1
    // A region that comes to be while reading tells late what would have been told of it before.
    let events =
      regions.isEmpty ? monitor.drain().sorted(by: RegionEvent.comesBefore) : monitor.drain()
    return events.map { event in
      var line = "\(text(event.time)) \(monitor.region(event.region).identifier) "
      line += event.type == .state ? "state \(event.state.rawValue)" : event.type.rawValue
      if event.lastSeen.isKnown { line += " last \(text(event.lastSeen))" }
      if event.crossedAt.isKnown { line += " crossed \(text(event.crossedAt))" }
      return several ? "\(event.observer): \(line)" : line
    }
  }

  /// What the silences are worth, in the order of the exits.
  func silences(_ happenings: [Happening]) throws -> [Silence] {
    var monitor = try perform(happenings)
    return monitor.drain().compactMap(\.silence)
  }

  private func text(_ time: Timestamp) -> String {
    let span = time.nanoseconds - origin
    return (span < 0 ? "-" : "") + SettingText.text(span: abs(span))
  }
}

let lobbyUUID = "00000000-0000-0000-0000-000000000007"
let lobby = "lobby=ibeacon:\(lobbyUUID)"
