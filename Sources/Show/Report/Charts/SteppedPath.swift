import Exports

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
    var (area, line) = (ByteText(), ByteText())
    var start = bins.startIndex
    while start < bins.endIndex {
      var end = start + 1
      while end < bins.endIndex, bins[end].from <= bins[end - 1].to + 1 { end += 1 }
      Self.add(bins[start..<end], &area, &line)
      start = end
    }
    self.area = area.string
    self.line = line.string
  }

  private static func add(
    _ run: ArraySlice<Bin>, _ area: inout ByteText, _ line: inout ByteText
  ) {
    guard let first = run.first else { return }
    area.move(first.from, -first.high)
    line.move(first.from, -first.middle)
    // A path may stand still, but a bin has a width.
    var at = first.from
    var begins: [Int] = []
    var before = first
    for bin in run {
      area.step("v", before.high - bin.high)
      line.step("v", before.middle - bin.middle)
      let width = max(1, bin.to - at)
      area.step("h", width)
      line.step("h", width)
      begins.append(at)
      at += width
      before = bin
    }
    // Back along the lowest.
    area.text("V")
    area.int(-before.low)
    for (begin, bin) in zip(begins.reversed(), run.reversed()) {
      area.step("v", before.low - bin.low)
      area.text("H")
      area.int(begin)
      before = bin
    }
    area.text("z")
  }
}

extension ByteText {
  fileprivate mutating func move(_ x: Int, _ y: Int) {
    text("M")
    int(x)
    text(" ")
    int(y)
  }

  /// Nothing where it would stand still.
  fileprivate mutating func step(_ direction: StaticString, _ length: Int) {
    guard length != 0 else { return }
    text(direction)
    int(length)
  }
}
