import CaptureReader
import Foundation
import TestSupport
import Testing
import TrackReader

@testable import Regions

/// Walks with turns, pauses and gaps.
enum RandomWalk {
  static func fixes(_ random: inout Seeded) -> [Fix] {
    var (second, metres) = (Double.random(in: 0...40, using: &random).rounded(), 0.0)
    var points: [(Double, Double)] = []
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      points.append((second, metres))
      let isGap = Int.random(in: 0..<20, using: &random) == 0
      second += isGap ? 45 : Double.random(in: 1...20, using: &random)
      metres += Double.random(in: -40...40, using: &random)
      metres = min(max(metres, -150), 250)
    }
    return Walk.fixes(points)
  }
}

/// The sentences of SEMANTICS 4 over positions every 10 ms, one after the other.
struct CircleTwin {
  static let step = 0.01
  let radius: Double
  let centre: Double
  let cushion: Double

  struct Event: Equatable {
    let kind: CircleEvent.Kind
    let second: Double
    let crossed: Double?
  }

  func events(_ points: [(Double, Double)], until end: Double) -> [Event] {
    var found: [Event] = []
    var state: Bool?
    var side: Bool?
    var crossed: Double?
    var since: Double?
    var lastKnown: Double?
    for tick in 0...Int(end / Self.step) {
      let second = Double(tick) * Self.step
      guard let place = place(points, second) else { continue }
      let wasUnknown = lastKnown.map { second - $0 > 1.5 * Self.step } ?? true
      lastKnown = second
      if wasUnknown { since = nil }
      let distance = abs(place - centre)
      let inside = distance <= radius
      if state == nil {
        state = inside
        found.append(Event(kind: .state, second: second, crossed: nil))
      }
      if let side, side != inside { crossed = wasUnknown ? nil : second }
      side = inside
      let isBeyond =
        state == true
        ? distance > radius + cushion : distance <= radius - min(cushion, radius / 2)
      if !isBeyond { since = nil } else if since == nil { since = second }
      guard let start = since, second - start >= 20 else { continue }
      found.append(Event(kind: state == true ? .exit : .enter, second: second, crossed: crossed))
      state = state == false
      since = nil
    }
    return found
  }

  private func place(_ points: [(Double, Double)], _ second: Double) -> Double? {
    guard let after = points.firstIndex(where: { $0.0 >= second }) else { return nil }
    if points[after].0 - second < 1e-9 { return points[after].1 }
    guard after > 0, points[after].0 - points[after - 1].0 <= 30 else { return nil }
    let (from, to) = (points[after - 1], points[after])
    return from.1 + (to.1 - from.1) * (second - from.0) / (to.0 - from.0)
  }
}

@Suite struct CircleTwinTests {
  @Test(arguments: 1...40) func onRandomWalksTheMonitorDoesWhatTheSentencesSay(_ seed: Int) {
    var random = Seeded(UInt64(seed))
    // On whole hundredths, as the twin looks.
    let fixes = RandomWalk.fixes(&random)
    let points = fixes.map { fix in
      (
        ((Walk.seconds(fix.time) ?? 0) * 100).rounded() / 100,
        fix.longitude / Walk.degreesPerMetre
      )
    }
    let radius = Double.random(in: 15...90, using: &random)
    let centre = Double.random(in: -60...120, using: &random)
    let end = (points.last?.0 ?? 0) + 1
    let twin = CircleTwin(radius: radius, centre: centre, cushion: 10)
      .events(points, until: end)
    var monitor = CircleMonitor(
      [Walk.circle(radius, at: centre)], CircleSettings(), fixes: Walk.fixes(points))
    monitor.begin(at: Walk.time(0))
    monitor.finish(at: Walk.time(end))
    #expect(monitor.events.map(\.kind) == twin.map(\.kind), "seed \(seed)")
    for (event, expected) in zip(monitor.events, twin) {
      #expect(abs((Walk.seconds(event.time) ?? 0) - expected.second) < 0.025, "seed \(seed)")
      let crossed = Walk.seconds(event.crossedAt)
      #expect((crossed == nil) == (expected.crossed == nil), "seed \(seed)")
      #expect(abs((crossed ?? 0) - (expected.crossed ?? 0)) < 0.025, "seed \(seed)")
    }
  }

  /// Two dimensions, any place on earth: each `crossed_at` is on the boundary, and between two
  /// samples of the position every change of side is one of the monitor's.
  @Test(arguments: [(52.5, 13.4), (0.0, 180.0), (89.9995, 40.0), (-60.0, -179.9999)])
  func crossingsAgreeWithSamplesOfThePosition(_ latitude: Double, _ longitude: Double) throws {
    var random = Seeded(5)
    let circle = try CircularRegion(
      identifier: "yard", latitude: latitude, longitude: longitude, radius: 60, cushion: 0)
    for round in 0..<60 {
      var fixes: [Fix] = []
      for index in 0..<30 {
        let angle = Double.random(in: 0..<2 * .pi, using: &random)
        let metres = Double.random(in: 0...150, using: &random)
        let place = moved(circle, angle, metres)
        fixes.append(
          Fix(
            time: Walk.time(Double(index * 30)), latitude: place.0, longitude: place.1,
            place: .line(index + 1)))
      }
      let path = PositionPath(fixes)
      var monitor = CircleMonitor([circle], CircleSettings(cushion: 0, dwell: 1), fixes: fixes)
      monitor.finish(at: Walk.time(900))
      var crossings = monitor.events.dropFirst().map { Walk.seconds($0.crossedAt) ?? -1 }[...]
      var side = monitor.events[0].isInside
      for tick in 1...8700 {
        let second = Double(tick) / 10
        let p = try #require(path.position(at: Walk.time(second)))
        let inside = Haversine.metres((p.latitude, p.longitude), (latitude, longitude)) <= 60
        var crossed = 0
        while let next = crossings.first, next <= second { crossed += 1; crossings.removeFirst() }
        #expect((crossed % 2 == 1) == (side != inside), "round \(round), \(second) s")
        side = inside
      }
    }
  }

  /// So many metres from a circle's centre.
  private func moved(_ circle: CircularRegion, _ angle: Double, _ metres: Double) -> (
    Double, Double
  ) {
    let centre = Direction(latitude: circle.latitude, longitude: circle.longitude)
    let pole = Direction(x: 0, y: 0, z: 1)
    let east = pole.cross(centre)
    let unit = (1 / east.lengthSquared.squareRoot()) * east
    let north = centre.cross(unit)
    let way = metres / Sphere.radius
    let point =
      cos(way) * centre + sin(way) * (cos(angle) * north + sin(angle) * unit)
    return (point.latitude, point.longitude)
  }
}
