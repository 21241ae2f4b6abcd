import Analysis
import CaptureReader
import Foundation
import Testing

@testable import Exports

@Suite("Beacons for a board") struct BeaconTracesTests {
  private static func traces(most: Int) throws -> BeaconTraces {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let traces = BeaconTraces(most: most)
    var sink = TracingSink(traces)
    var analysis = Analysis([.file(root.appending(path: "Captures/museum-walk.btsnoop.gz").path)])
    _ = try analysis.run(into: &sink)
    return traces
  }

  @Test("are those heard in the last hour, with all of their sightings")
  func heard() throws {
    let (traces, notTraced) = try Self.traces(most: 100).now
    let names = traces.map(\.name)
    #expect(notTraced == 0)
    #expect(Set(names).count == names.count)
    #expect(names.contains("iBeacon b940…fe6d:4:1"))
    #expect(names.contains("Eddystone-URL https://museum.example/"))
    // Telemetry is nobody's name.
    #expect(!names.contains { $0.contains("TLM") })
    // As `analyze` counts them.
    let one = try #require(traces.first { $0.name == "iBeacon b940…fe6d:4:1" })
    #expect(one.sightings == 1627)
    let latest = try #require(traces.map(\.last.nanoseconds).max())
    #expect(traces.allSatisfy { latest - $0.last.nanoseconds < BeaconTraces.memory })
  }

  @Test("are bounded; sightings of those that find no room are counted")
  func bounded() throws {
    let (traces, notTraced) = try Self.traces(most: 3).now
    #expect(traces.count <= 3)
    #expect(notTraced > 0)
  }
}
