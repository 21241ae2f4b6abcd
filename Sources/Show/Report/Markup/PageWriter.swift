import Exports

/// Writes markup as it comes, so that a page is never in memory as a whole.
struct PageWriter {
  private var output: any TextOutput
  private var waiting: [UInt8] = []
  private static let enough = 64 * 1024

  init(_ output: any TextOutput) { self.output = output }

  mutating func add(_ html: HTMLText) throws { try add(trusted: html.markup) }

  mutating func add(_ data: ScriptData) throws { try add(trusted: data.json) }

  /// What the program itself brings along: style and script.
  mutating func add(trusted text: String) throws {
    waiting.append(contentsOf: text.utf8)
    if waiting.count >= Self.enough { try flush() }
  }

  mutating func flush() throws {
    guard !waiting.isEmpty else { return }
    try output.write(waiting)
    waiting.removeAll(keepingCapacity: true)
  }
}
