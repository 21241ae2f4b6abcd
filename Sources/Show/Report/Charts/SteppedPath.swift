/// Bins as steps: an area from the lowest to the highest, and a line along the middle. Bins that touch
/// are drawn as one; where there are none, nothing is drawn.
struct SteppedPath {
  /// A bin's place on the time scale, and its values in steps of the chart, upwards.
  struct Bin: Equatable {
    let from: Int
    let to: Int
    let low: Int
    let middle: Int
    let high: Int
  }

  /// SVG's path data; upwards is negative there.
  let area: String
  let line: String

  /// - Parameter bins: ascending, apart from each other.
  init(_ bins: [Bin]) {
    var (area, line) = ("", "")
    var start = bins.startIndex
    while start < bins.endIndex {
      var end = start + 1
      while end < bins.endIndex, bins[end].from <= bins[end - 1].to + 1 { end += 1 }
      Self.add(bins[start..<end], &area, &line)
      start = end
    }
    self.area = area
    self.line = line
  }

  private static func add(_ run: ArraySlice<Bin>, _ area: inout String, _ line: inout String) {
    guard let first = run.first else { return }
    area += "M\(first.from) \(-first.high)"
    line += "M\(first.from) \(-first.middle)"
    // A path may stand still, but a bin has a width.
    var (at, back) = (first.from, "z")
    var before = first
    for bin in run {
      area += vertical(before.high - bin.high)
      line += vertical(before.middle - bin.middle)
      let width = max(1, bin.to - at)
      area += "h\(width)"
      line += "h\(width)"
      back = "H\(at)" + vertical(bin.low - before.low) + back
      at += width
      before = bin
    }
    area += "V\(-before.low)" + back
  }

  private static func vertical(_ change: Int) -> String { change == 0 ? "" : "v\(change)" }
}
