import Testing

/// The committed captures are what the writers make, and the readers find in them what was put in.
///
/// `UPDATE_CAPTURES=1 swift test --filter CapturesTests` writes them again.
@Suite(.serialized)
struct CapturesTests {
  static let exhibits = Museum.exhibits() + ((try? [Walk.exhibit()]) ?? [])
  static let rows: [IndexRow] = {
    if Collection.isUpdating { try? Collection.write(exhibits) }
    return (try? Collection.rows()) ?? []
  }()

  @Test func indexNamesEveryCapture() throws {
    #expect(Self.exhibits.last?.file == "museum-walk.btsnoop.gz")
    let files = Set(Self.rows.map(\.file))
    #expect(Self.rows.count == files.count, "a capture is listed twice")
    #expect(files.isSuperset(of: Self.exhibits.map(\.file)))
    #expect(try Set(Collection.files()) == files)
  }

  @Test(arguments: 0..<exhibits.count)
  func committedBytesAreWhatTheWritersMake(_ number: Int) throws {
    let exhibit = Self.exhibits[number]
    let isSame = try Collection.read(exhibit.file) == exhibit.bytes
    #expect(isSame, "\(exhibit.file) differs; UPDATE_CAPTURES=1 writes it again")
    let row = try #require(Self.rows.first { $0.file == exhibit.file })
    #expect(row.line == IndexRow(exhibit).line)
  }

  @Test(arguments: rows)
  func readersFindWhatIsInside(_ row: IndexRow) throws {
    let found = try Reading(path: Collection.path(row.file))
    #expect(found.container == row.container)
    #expect(found.compression == row.compression)
    #expect(found.sha256 == row.sha256)
    #expect(found.linkTypes == row.linkTypes)
    #expect(found.records == row.records)
    #expect(found.reports == row.reports)
    #expect(found.identities == row.identities)
    #expect(IndexRow.text(found.sightings) == row.sightings)
    #expect(IndexRow.text(found.labels) == row.labels)
    #expect(IndexRow.text(found.codes) == row.codes)
    #expect(found.gaps == 0)
  }

  /// Every container and link gives the same sightings of the same scene.
  @Test(arguments: 0..<exhibits.count)
  func sightingsAreThoseOfTheScene(_ number: Int) throws {
    let exhibit = Self.exhibits[number]
    let found = try Reading(path: Collection.path(exhibit.file))
    var expected = exhibit.expected.seen
    if exhibit.linkTypes == "251" {
      for place in expected.indices { expected[place].rssi = nil }
    }
    let isSame = found.seen.sorted() == expected.sorted()
    let odd = Set(found.seen).symmetricDifference(expected).sorted().prefix(4)
    #expect(isSame, "\(exhibit.file): \(Array(odd))")
    #expect(found.listening == exhibit.expected.listening, "\(exhibit.file)")
    #expect(found.fixes == exhibit.expected.fixes, "\(exhibit.file)")
  }
}
