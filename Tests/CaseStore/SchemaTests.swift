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

  /// SQLite hands out what stands before it: two names would be one.
  @Test("show U+0000, which would end a text") func zeros() throws {
    let file = try CaseFile.temporary()
    try file.insert([ObserverRow(name: "a\0b", reports: 0), ObserverRow(name: "a", reports: 0)])
    try file.insert([ObserverRow(name: "\0", reports: 0, controller: "c\0\0")])
    try file.fill { tables in
      let writer = try tables.writer("remarks")
      writer.int(Int64(1))
      writer.text("hint")
      writer.text(nil)
      writer.text("x\0y.pcapng")
      writer.text("")
      writer.text("\0")
      try writer.end()
    }
    let observers = try file.rows(ObserverRow.self)
    #expect(observers.map(\.name) == [#"a\u{0}b"#, "a", #"\u{0}"#])
    #expect(observers.map(\.controller) == [nil, nil, #"c\u{0}\u{0}"#])
    let remark = try #require(try file.rows(RemarkRow.self).first)
    #expect(remark.capture == #"x\u{0}y.pcapng"# && remark.beacon == "" && remark.text == #"\u{0}"#)
  }
}
