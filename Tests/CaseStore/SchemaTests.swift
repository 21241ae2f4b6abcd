import CaseStore
import Testing

@Suite("The tables of a case") struct SchemaTests {
  @Test("keep what a row says, in the row's order") func rows() throws {
    let file = try CaseFile.temporary()
    try file.insert([
      ObserverRow(name: "north", fromNs: 5, reports: 2), ObserverRow(name: "süd", reports: 0),
    ])
    try file.insert([
      ScanWindowRow(observerId: 2, fromNs: 1, isActive: true, intervalMs: 60.5)
    ])
    let observers = try file.rows(ObserverRow.self)
    #expect(observers.map(\.name) == ["north", "süd"])
    #expect(observers.map(\.id) == [1, 2])
    #expect(observers[0].fromNs == 5)
    #expect(observers[1].fromNs == nil)
    let windows = try file.rows(ScanWindowRow.self)
    #expect(windows.map(\.intervalMs) == [60.5])
    #expect(windows.map(\.isActive) == [true])
    #expect(windows.map(\.filtersDuplicates) == [nil])
  }
}
