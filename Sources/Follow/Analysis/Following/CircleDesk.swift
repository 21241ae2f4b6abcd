import CaptureReader
import Regions
import TrackReader

/// The circles of one profile, for each observer by itself.
struct CircleDesk {
  /// By number of the circle: the region.
  private let regions: [Int]
  private let definitions: [Region]
  private let circles: [CircularRegion]
  private let settings: CircleSettings
  private let fixes: [Fix]
  private var monitors: [CircleMonitor] = []
  private var hasBegun: [Bool] = []
  private var clocks: [Timestamp] = []
  private var found: [(observer: Int, event: CircleEvent)] = []

  /// - Parameter isMonitored: whether a region is within the profile's limit.
  init(
    _ settings: FollowSettings, _ profile: Profile, isMonitored: (UInt32) -> Bool
  ) throws(SettingProblem) {
    var regions: [Int] = []
    var circles: [CircularRegion] = []
    for (number, region) in settings.regions.regions.enumerated() {
      guard case .circle(let circle) = region.condition, isMonitored(UInt32(number)) else {
        continue
      }
      do {
        circles.append(
          try CircularRegion(
            identifier: region.identifier, latitude: circle.latitude, longitude: circle.longitude,
            radius: circle.radius))
      } catch {
        throw SettingProblem(error.description, allowed: "write circle:LAT,LON,METRES")
      }
      regions.append(number)
    }
    self.regions = regions
    self.circles = circles
    definitions = settings.regions.regions
    self.settings = CircleSettings(
      maximumRadius: profile.maximumRadius, cushion: profile.cushion, dwell: profile.dwell)
    fixes = MergedTracks(settings.tracks).fixes
  }

  var isEmpty: Bool { circles.isEmpty }

  private mutating func makeObserver(_ observer: Int) {
    while monitors.count <= observer {
      monitors.append(CircleMonitor(circles, settings, fixes: fixes))
      hasBegun.append(false)
      clocks.append(.none)
    }
  }

  /// A position that a capture carries.
  mutating func add(_ fix: Fix, observer: Int) {
    makeObserver(observer)
    monitors[observer].add(fix)
  }

  mutating func advance(_ observer: Int, to time: Timestamp) {
    guard time.isKnown else { return }
    makeObserver(observer)
    clocks[observer] = time
    if hasBegun[observer] {
      monitors[observer].advance(to: time)
    } else {
      monitors[observer].begin(at: time)
      hasBegun[observer] = true
    }
    found += monitors[observer].takeEvents().map { (observer, $0) }
  }

  mutating func finish() {
    for observer in monitors.indices where hasBegun[observer] {
      monitors[observer].finish(at: clocks[observer])
      found += monitors[observer].takeEvents().map { (observer, $0) }
    }
  }

  func presence(in region: Int, at observer: Int) -> RegionPresence {
    guard let circle = regions.firstIndex(of: region), observer < monitors.count,
      let isInside = monitors[observer].isInside(circle)
    else { return .unknown }
    return isInside ? .inside : .outside
  }

  /// Events, silenced ones left out, entries that wait for the display told there.
  func events(_ making: borrowing EventMaking, profile: Int, markers: [Timestamp])
    -> [TimelineEvent]
  {
    found.indices.compactMap { index in
      let (observer, event) = found[index]
      let region = regions[event.circle]
      let definition = definitions[region]
      if event.kind == .exit && !definition.notifiesOnExit { return nil }
      guard event.kind == .enter else {
        return making.event(event, region: region, observer: observer, profile: profile)
      }
      if definition.notifiesEntryOnDisplay {
        guard let shown = display(event, observer, from: index, markers) else { return nil }
        var told = making.event(
          event, region: region, observer: observer, profile: profile, at: shown)
        told.crossedAt = event.crossedAt.isKnown ? event.crossedAt : event.time
        return told
      }
      guard definition.notifiesOnEntry else { return nil }
      return making.event(event, region: region, observer: observer, profile: profile)
    }
  }

  /// The first marker while the observer is inside; nil where there is none.
  private func display(
    _ entry: CircleEvent, _ observer: Int, from index: Int, _ markers: [Timestamp]
  ) -> Timestamp? {
    let end =
      found[(index + 1)...].first {
        $0.observer == observer && $0.event.circle == entry.circle
      }?.event.time ?? clocks[observer]
    return markers.first {
      $0.nanoseconds >= entry.time.nanoseconds && $0.nanoseconds <= end.nanoseconds
    }
  }

  /// Stays; open ones without an end.
  func visits() -> [Visit] {
    var visits: [Visit] = []
    for (observer, event) in found where event.isInside {
      let end = found.first {
        $0.observer == observer && $0.event.circle == event.circle && $0.event.kind == .exit
          && $0.event.time.nanoseconds > event.time.nanoseconds
      }
      visits.append(
        Visit(
          inCircle: UInt32(regions[event.circle]), observer: UInt32(observer), since: event.time,
          wasInsideAlready: event.kind == .state, until: end?.event.time ?? .none))
    }
    return visits
  }

  /// Radii that were reduced.
  var warnings: [String] { monitors.first?.warnings.map(\.description) ?? [] }
}
