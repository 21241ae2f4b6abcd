import Foundation
import Testing

/// Names in letters that take two columns, or none: what stands behind them stands below one another.
@Suite("Names of any letters") struct WideNameTests {
  private static let regions = ["展示室", "cafe\u{301}", "hall"]

  /// At which column a text begins, as a terminal shows it.
  private static func column(of text: String, in line: String) -> Int? {
    var terminal = TerminalModel(columns: 200, rows: 1)
    terminal.take(Array(line.utf8))
    return terminal.column(of: text, in: 0)
  }

  private static func run(_ command: String) throws -> [String] {
    let scene = try StillScene()
    let run = try Tool.run(
      [command]
        + regions.enumerated().flatMap { place, name in
          ["--region", "\(name)=ibeacon:\(StillScene.uuid):1:\(place + 1)"]
        } + ["still.btsnoop"], in: scene.scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.lines
  }

  @Test("leave bars and visits of analyze in their columns")
  func analyze() throws {
    let lines = try Self.run("analyze")
    let bars = lines.filter { line in
      Self.regions.contains { line.hasPrefix($0) } && line.contains("visit")
    }
    #expect(bars.count == 3)
    #expect(bars.allSatisfy { Self.column(of: "1 visit", in: $0) == 8 }, "\(bars)")
    #expect(bars.allSatisfy { Self.column(of: "█", in: $0) == Self.column(of: "█", in: bars[2]) })
    let visits = lines.filter { $0.contains("already inside  →") }
    #expect(visits.count == 3)
    #expect(visits.allSatisfy { Self.column(of: "already", in: $0) == 18 }, "\(visits)")
    #expect(
      visits.allSatisfy { Self.column(of: "→", in: $0) == Self.column(of: "→", in: visits[2]) })
  }

  @Test("leave what events say in its column")
  func events() throws {
    let states = try Self.run("events").filter { $0.contains("  state  ") }
    #expect(states.count >= 3)
    #expect(states.allSatisfy { Self.column(of: "inside", in: $0) == 51 }, "\(states)")
  }
}
