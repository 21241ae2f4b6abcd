import CaptureReader

/// What a test expected beside what came, line by line.
enum TestDifference {
  /// An expected line that did not come, one that came beside it, or one that is right.
  private enum Step {
    case same(Int, Int)
    case missing(Int)
    case extra(Int)
  }

  /// Lines that are the same are shown in this number around a difference; lines in all at most.
  private static let around = 2
  private static let mostLines = 40

  /// None where all alerts are as expected.
  static func lines(expected: [ExpectedAlert], told: [ToldAlert], start: Timestamp) -> [String] {
    let steps = steps(expected.count, told.count) {
      expected[$0].differences(told[$1]).isEmpty
    }
    return report(
      steps, title: "alerts (- expected, + told):", missing: { expected[$0].line(start: start) },
      came: { told[$0].line }, why: { expected[$0].differences(told[$1]) })
  }

  static func lines(expected: [String], printed: [String]) -> [String] {
    let steps = steps(expected.count, printed.count) { expected[$0] == printed[$1] }
    return report(
      steps, title: "print (- expected, + printed):", missing: { inLua(expected[$0]) },
      came: { inLua(printed[$0]) }, why: { _, _ in [] })
  }

  /// What parts the values of `print`, as it is written in a test: seen, it would be blanks.
  private static func inLua(_ line: String) -> String {
    line.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "\\t")
  }

  /// The first differences are marked `>`; what differs stands below the line that came instead.
  private static func report(
    _ steps: [Step], title: String, missing: (Int) -> String, came: (Int) -> String,
    why: (Int, Int) -> [String]
  ) -> [String] {
    let first = steps.firstIndex { if case .same = $0 { false } else { true } }
    guard let first else { return [] }
    var lines = [title]
    if first > around { lines.append("    … \(first - around) before are as expected") }
    // The expected alert that the next one that came may stand for.
    var waiting: [Int] = []
    for (place, step) in steps.enumerated().dropFirst(max(0, first - around)) {
      guard lines.count < mostLines else {
        lines.append("    … and \(steps.count - place) more")
        break
      }
      let mark = place == first ? ">" : " "
      switch step {
      case .same(_, let number):
        waiting = []
        lines.append("    \(came(number))")
      case .missing(let number):
        waiting.append(number)
        lines.append("\(mark) - \(missing(number))")
      case .extra(let number):
        lines.append("\(mark) + \(came(number))")
        guard !waiting.isEmpty else { continue }
        lines += why(waiting.removeFirst(), number).map { "        \($0)" }
      }
    }
    return lines
  }

  /// So many lines behind the first difference are lined up; the rest is one behind the other.
  private static let mostAligned = 200

  /// The longest common run of lines (LCS) behind the ones that are the same from the beginning.
  private static func steps(_ expected: Int, _ told: Int, _ agree: (Int, Int) -> Bool) -> [Step] {
    var steps: [Step] = []
    var start = 0
    while start < min(expected, told) && agree(start, start) {
      steps.append(.same(start, start))
      start += 1
    }
    let rows = min(expected - start, mostAligned)
    let columns = min(told - start, mostAligned)
    var best = [[Int]](repeating: [Int](repeating: 0, count: columns + 1), count: rows + 1)
    for row in stride(from: rows - 1, through: 0, by: -1) {
      for column in stride(from: columns - 1, through: 0, by: -1) {
        best[row][column] =
          agree(start + row, start + column)
          ? best[row + 1][column + 1] + 1 : max(best[row + 1][column], best[row][column + 1])
      }
    }
    var (row, column) = (0, 0)
    while row < rows || column < columns {
      if row < rows, column < columns, agree(start + row, start + column) {
        steps.append(.same(start + row, start + column))
        (row, column) = (row + 1, column + 1)
      } else if row < rows, column == columns || best[row + 1][column] >= best[row][column + 1] {
        steps.append(.missing(start + row))
        row += 1
      } else {
        steps.append(.extra(start + column))
        column += 1
      }
    }
    steps += (start + rows..<max(expected, start + rows)).map { .missing($0) }
    return steps + (start + columns..<max(told, start + columns)).map { .extra($0) }
  }
}
