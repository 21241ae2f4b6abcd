import Beacons
import CaptureReader
import FrameDecoder
import TestSupport
import Testing

/// The committed captures are what the writers make, and the readers find in them what was put in.
///
/// `UPDATE_CAPTURES=1 swift test --filter CapturesTests` writes them again.
@Suite(.serialized)
struct CapturesTests {
  static let exhibits = Museum.exhibits() + [Walk.exhibit()]
  static let rows: [IndexRow] = {
    if Collection.isUpdating { try? Collection.write(exhibits) }
    return (try? Collection.rows()) ?? []
  }()

  @Test func indexNamesEveryCapture() throws {
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
    #expect(found.gaps == 0)
  }
}

/// A capture run through the stages, and counted.
struct Reading {
  let container: String
  let compression: String
  let sha256: String
  let linkTypes: String
  let records: Int
  let reports: Int
  let gaps: Int
  private(set) var identities = 0
  private(set) var sightings: [String: Int] = [:]
  private(set) var labels: [String: Int] = [:]

  init(path: String) throws {
    let reader = try CaptureReader.open(.file(path))
    var batch = RecordBatch()
    var frames = FrameDecoder()
    var beacons = BeaconDecoder()
    var links: Set<Int> = []
    var seen: Set<UInt32> = []
    var counts: [String: Int] = [:]
    func count(_ decoder: BeaconDecoder) {
      for sighting in decoder.sightings {
        let format = BeaconFormats.format(sighting.kind)
        counts["\(format.name)", default: 0] += 1
        if !format.isTelemetry { seen.insert(sighting.identity) }
      }
    }
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in
        frames.decode(batch.records, bytes)
        beacons.decode(frames.reports, bytes, joined: frames.joined)
      }
      count(beacons)
      links.formUnion(batch.records.compactMap(\.link.number))
    }
    frames.finish()
    let nothing: [UInt8] = []
    nothing.withRawSpan { beacons.decode(frames.reports, $0, joined: frames.joined) }
    count(beacons)

    container = reader.format
    compression = reader.compression.map { "\($0)" } ?? "-"
    sha256 = (reader.sha256 ?? []).hex
    linkTypes = links.isEmpty ? "-" : links.sorted().map(String.init).joined(separator: ",")
    records = frames.tally.records
    reports = frames.tally.reports
    gaps = reader.log.gaps.count
    identities = seen.count
    sightings = counts
    for (name, number) in zip(AdvertiserLabels.names, beacons.tally.labels) {
      labels["\(name)"] = number
    }
  }
}
