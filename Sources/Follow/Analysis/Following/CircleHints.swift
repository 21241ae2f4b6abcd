import CaptureReader
import Regions
import TrackReader

/// What is worth knowing about circles, and about the positions that they go by: code and text.
struct CircleHints {
  private(set) var all: [(code: String, text: String)] = []
  private let timeline: Timeline

  /// Circles that are told of one by one.
  private static let mostCircles = 100
  /// Metres: no drive of a site.
  private static let elsewhere = 100_000.0

  /// - Parameter placed: by observer, its first and its last position of a track; nil where it has no track.
  init(_ timeline: Timeline, placed: [Timeline.Span?]) {
    self.timeline = timeline
    guard timeline.regions.contains(where: \.isCircle) else { return }
    neverEntered()
    lateTrack(placed)
    shortTrack(placed)
    sparsePositions()
  }

  private mutating func add(_ code: String, _ text: String) { all.append((code, text)) }

  /// Passed too soon, or somewhere else: whoever drew the circle hears how far off it was.
  private mutating func neverEntered() {
    // Of one that is forgotten it is not known that it was never entered.
    guard let main = timeline.outcomes.first, timeline.forgotten.stays == 0 else { return }
    let visited = Set(main.stays.map { Int($0.visit.region) })
    let byRegion = Dictionary(
      grouping: main.approaches.filter { !visited.contains($0.region) }, by: \.region)
    var more = 0
    for region in byRegion.keys.sorted() {
      guard all.count < Self.mostCircles else {
        more += 1
        continue
      }
      let approaches = (byRegion[region] ?? []).map(\.circle)
      let name = timeline.regions[region].identifier
      if let longest = approaches.compactMap(\.longestInside).max() {
        add("circle_passed", passed(name, longest, main.profile))
      } else if let nearest = approaches.map(\.metres).min() {
        add(
          "circle_never_reached",
          "Circle \(name) was never entered: the nearest position lies \(Self.length(nearest)) outside it"
            + swapped(region, main) + ".")
      }
    }
    if more > 0 {
      add(
        "circle_never_reached",
        "\(more) more circle\(more == 1 ? " was" : "s were") passed or never reached.")
    }
  }

  private func passed(_ name: String, _ longest: Int64, _ profile: Profile) -> String {
    let dwell = SpanText.long(Double(profile.dwell))
    let time = longest < 1_000_000_000 ? "less than a second" : SpanText.long(Double(longest))
    return
      "Circle \(name) was never entered: the way lay inside it for \(time) at the most, "
      + "and an entry takes \(dwell) beyond its edge (dwell, cushion)."
  }

  /// Nobody walks to another continent: degrees that are the other way round would have been near.
  private func swapped(_ region: Int, _ outcome: Timeline.Outcome) -> String {
    guard case .circle(let circle) = timeline.regions[region].condition else { return "" }
    let others = outcome.approaches.filter { $0.region == region }
    let isNear = others.contains { approach in
      let fix = approach.circle.nearestFix
      return approach.circle.metres > Self.elsewhere && abs(circle.longitude) <= 90
        && Sphere.distance(circle.longitude, circle.latitude, fix.latitude, fix.longitude)
          < Self.elsewhere
    }
    return isNear ? " (latitude and longitude are the other way round?)" : ""
  }

  private mutating func lateTrack(_ placed: [Timeline.Span?]) {
    let late = zip(timeline.observers, placed).filter(\.0.start.isKnown).compactMap {
      observer, placed in
      placed.map { (observer.name, $0.from.nanoseconds.since(observer.start.nanoseconds)) }
    }
    guard let (name, longest) = late.max(by: { $0.1 < $1.1 }), longest > PositionPath.longestGap
    else { return }
    add(
      "track_begins_late",
      "The track\(of(name)) begins \(SpanText.long(Double(longest))) after the recording does: where the "
        + "observer was until then is not known.")
  }

  /// Nobody says that an observer has left a circle when its positions end.
  private mutating func shortTrack(_ placed: [Timeline.Span?]) {
    let short = zip(timeline.observers, placed).filter(\.0.end.isKnown).compactMap {
      observer, placed in
      placed.map { (observer.name, observer.end.nanoseconds.since($0.to.nanoseconds)) }
    }
    guard let (name, longest) = short.max(by: { $0.1 < $1.1 }), longest > PositionPath.longestGap
    else { return }
    add(
      "track_ends_early",
      "The track\(of(name)) ends \(SpanText.long(Double(longest))) before the recording does: where the "
        + "observer was from there on is not known, and in circles it stays as it was.")
  }

  /// ` of walker`; of the only observer nothing.
  private func of(_ name: String) -> String {
    timeline.observers.count > 1 ? " of \(name)" : ""
  }

  /// Between fixes that lie too far apart nobody knows the way.
  private mutating func sparsePositions() {
    let between = timeline.observers.map { observer in
      observer.unplacedInRecordings.filter {
        $0.from.nanoseconds > observer.start.nanoseconds
          && $0.to.nanoseconds < observer.end.nanoseconds
      }
    }
    guard let most = between.max(by: { $0.count < $1.count }), !most.isEmpty else { return }
    let longest = most.map { $0.to.nanoseconds.since($0.from.nanoseconds) }.max() ?? 0
    add(
      "positions_far_apart",
      "Positions lie more than \(SpanText.long(Double(PositionPath.longestGap))) apart "
        + (most.count == 1 ? "once" : "\(most.count) times")
        + ", up to \(SpanText.long(Double(longest))): where the observer was meanwhile is not known, and "
        + "circles tell only what is.")
  }

  /// `35 m`, `2.2 km`, `4831 km`
  static func length(_ metres: Double) -> String {
    guard metres >= 1000 else { return "\(Int(metres.rounded())) m" }
    let tenths = (metres / 100).rounded() / 10
    return metres < 100_000 ? "\(tenths) km" : "\(Int((metres / 1000).rounded())) km"
  }
}
