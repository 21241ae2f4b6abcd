import Analysis
import CaptureReader
import Regions
import TrackReader

/// Circles: which positions decided, how far from the border they lie, and when it was crossed
/// (SEMANTICS 4).
extension EventChain {
  /// A circle's boundary.
  func crossing(_ evidence: Step) -> [Step] {
    var steps = [evidence] + positions + [accuracy].compactMap { $0 }
    if event.crossedAt.isKnown {
      let stayed = StateLine.Span(
        from: event.crossedAt.nanoseconds, to: event.time.nanoseconds
      ).length
      steps.append(
        .words(
          label: "boundary crossed",
          "at \(clock(event.crossedAt))\(reckoning); told \(Figures.seconds(stayed)) later, when the "
            + "position had been beyond the boundary and a cushion of \(number("cushion")) m (on entry at "
            + "most half the radius) for \(number("dwell")) s"))
    } else if event.type == .state {
      steps.append(
        .words(label: "therefore", "the first position known: no boundary was crossed"))
    } else {
      steps.append(
        .words(
          label: "boundary crossed",
          "while no position was known, at a time that is not known either"))
    }
    return steps
  }

  /// The circle, and metres from its centre to the border as it was watched.
  private var border: (latitude: Double, longitude: Double, radius: Double)? {
    guard case .circle(let circle)? = region?.condition else { return nil }
    return (
      circle.latitude, circle.longitude, min(circle.radius, profile.maximumRadius ?? .infinity)
    )
  }

  private var positions: [Step] {
    guard let border else { return [] }
    return event.fixes.enumerated().map { place, fix in
      let distance = Sphere.distance(
        fix.latitude, fix.longitude, border.latitude, border.longitude)
      let side = distance > border.radius ? "outside" : "inside"
      let latitude = Self.decimals(fix.latitude, 6)
      let longitude = Self.decimals(fix.longitude, 6)
      return .words(
        label: place == 0 ? "position" : "then",
        "\(clock(fix.time)) at \(latitude), \(longitude): \(metres(distance)) from the centre, "
          + "\(metres(abs(distance - border.radius))) \(side) the border"
          + (Self.error(fix).map { ", with an error of \(metres($0))" } ?? ""))
    }
  }

  /// As the source gives it; a receiver that does not know its error writes 0.
  private static func error(_ fix: Fix) -> Double? { fix.accuracy.flatMap { $0 > 0 ? $0 : nil } }

  /// What the errors of the positions leave open.
  private var accuracy: Step? {
    guard let border, let largest = event.fixes.compactMap(Self.error).max() else { return nil }
    let near = event.fixes.count { fix in
      let distance = Sphere.distance(
        fix.latitude, fix.longitude, border.latitude, border.longitude)
      return Self.error(fix).map { $0 > abs(distance - border.radius) } ?? false
    }
    let isWide = largest > border.radius
    let width = "\(metres(largest)) is more than the circle's radius of \(metres(border.radius))"
    let count = event.fixes.count
    let who =
      near == count
      ? count == 1 ? "the position lies" : "each of the \(count) positions lies"
      : "\(near) of the \(count) positions \(near == 1 ? "lies" : "lie")"
    switch (near > 0, isWide) {
    case (false, false): return nil
    case (false, true): return .words(label: "accuracy", "an error of \(width)")
    case (true, _):
      return .words(
        label: "accuracy",
        "\(who) nearer to the border than its error\(isWide ? ", and \(width)" : "")"
          + ": on which side of the border the observer was is not certain")
    }
  }

  /// How the time of the crossing follows from the positions before and after it.
  private var reckoning: String {
    guard let border, event.fixes.count > 1 else { return "" }
    let (from, to) = (event.fixes[0], event.fixes[1])
    let passed = StateLine.Span(
      from: from.time.nanoseconds, to: event.crossedAt.nanoseconds
    ).length
    let whole = StateLine.Span(from: from.time.nanoseconds, to: to.time.nanoseconds).length
    guard whole > 0, (0...whole).contains(passed) else { return "" }
    let way = Sphere.distance(from.latitude, from.longitude, to.latitude, to.longitude)
    let walked = way * Double(passed) / Double(whole)
    return
      ": the \(metres(way)) between the first two positions, walked at an even pace, meet the border, "
      + "\(metres(border.radius)) from the centre, after \(metres(walked)): \(clock(from.time)) + "
      + "\(Self.decimals(walked, 1)) / \(Self.decimals(way, 1)) × \(Figures.seconds(whole))"
  }

  private func metres(_ value: Double) -> String { Self.decimals(value, 1) + " m" }

  private static func decimals(_ value: Double, _ count: Int) -> String {
    var text = ByteText()
    text.rounded(value, decimals: count)
    return text.string
  }
}
