import CaseStore
import Exports
import Foundation
import GRDB
import Testing

@Suite("Tables of a case as they are") struct TablesTests {
  /// RFC 4180, read as spreadsheets do.
  static func cells(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          cell.append(byte)
        } else if at + 1 < bytes.count, bytes[at + 1] == byte {
          cell.append(byte)
          at += 1
        } else {
          isQuoted = false
        }
      } else if byte == UInt8(ascii: "\""), cell.isEmpty {
        isQuoted = true
      } else if byte == UInt8(ascii: ",") || byte == 0x0D {
        row.append(String(decoding: cell, as: UTF8.self))
        cell = []
        if byte == 0x0D {
          rows.append(row)
          row = []
          at += 1
        }
      } else {
        cell.append(byte)
      }
      at += 1
    }
    return rows
  }

  @Test("a CSV file for each table and view, all rows of the same width")
  func files() throws {
    let exported = try Exported("csv", HandMadeCase.make())
    let names = try HandMadeCase.make().listings().map(\.name).filter {
      !["digests", "seal", "hearings", "sightings", "sighting_list", "meetings"].contains($0)
    }
    #expect(Set(exported.files.keys) == Set(names.map { $0 + ".csv" }))
    #expect(names.contains("visits") && names.contains("facts"))
    for (file, bytes) in exported.files {
      let rows = Self.cells(bytes)
      #expect(Set(rows.map(\.count)).count == 1, "\(file)")
    }
    let stays = Self.cells(try #require(exported.files["stays.csv"]))
    #expect(stays.count == 3)
    #expect(stays[0].prefix(3) == ["id", "profile_id", "observer_id"])
    let until = try #require(stays[0].firstIndex(of: "until_ns"))
    #expect(stays[1][until] == "\(HandMadeCase.ns(70))")
    #expect(stays[2][until] == "")
    let frames = Self.cells(try #require(exported.files["frames.csv"]))
    let bytes = try #require(frames[0].firstIndex(of: "bytes"))
    #expect(frames[1][bytes] == "000000033e00")
  }

  @Test("no cell is a formula, negative numbers stay numbers")
  func formulas() throws {
    let exported = try Exported("csv", HandMadeCase.make())
    for bytes in exported.files.values {
      for cell in Self.cells(bytes).joined() {
        let isNumber = Double(cell) != nil
        #expect(isNumber || cell.first.map { !"=+-@\t\r".contains($0) } ?? true, "\(cell)")
      }
    }
    let observers = Self.cells(try #require(exported.files["observers.csv"]))
    #expect(observers[2][1].hasPrefix("'=cmd|"))
    let bins = Self.cells(try #require(exported.files["signal_bins.csv"]))
    #expect(bins[1].contains("-70"))
  }

  @Test("sightings come only where the case keeps them")
  func sightings() throws {
    let file = try HandMadeCase.make()
    try file.database.write {
      try $0.execute(sql: "INSERT INTO sightings VALUES (1, 1, 2, 0, 1, -60, NULL, 37)")
    }
    let exported = try Exported("csv", file)
    let rows = Self.cells(try #require(exported.files["sightings.csv"]))
    #expect(rows.count == 2)
    #expect(rows[1].prefix(3) == ["1", "1", "2"])
  }

  @Test("ndjson has the same rows, their table's name first")
  func ndjson() throws {
    let file = try HandMadeCase.make()
    let exported = try Exported("ndjson", file)
    #expect(exported.lines.allSatisfy { $0.hasPrefix("{\"table\":\"") })
    let objects = try exported.objects()
    let csv = try Exported("csv", file)
    let counts = Dictionary(grouping: objects) { $0["table"] as? String ?? "" }.mapValues(\.count)
    for (name, bytes) in csv.files {
      #expect(counts[String(name.dropLast(4))] ?? 0 == Self.cells(bytes).count - 1, "\(name)")
    }
    let observer = try #require(
      objects.first { $0["table"] as? String == "observers" && $0["id"] as? Int == 2 })
    #expect(observer["name"] as? String == HandMadeCase.hostile)
    #expect(observer["controller"] is NSNull)
    let frame = try #require(objects.first { $0["table"] as? String == "frames" })
    #expect(frame["bytes"] as? String == "000000033e00")
  }

  @Test("tables that somebody has added stay at home")
  func foreign() throws {
    let file = try HandMadeCase.make()
    try file.database.write { try $0.execute(sql: "CREATE TABLE \"../../notes\" (x)") }
    let exported = try Exported("csv", file)
    #expect(!exported.files.keys.contains { $0.contains("notes") })
  }
}
