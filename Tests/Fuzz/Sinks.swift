import Analysis
import Beacons
import CaptureReader
import Checks
import Exports
import Twin

/// Output kept in memory.
final class Collected: TextOutput {
  private(set) var bytes: [UInt8] = []
  func write(_ more: [UInt8]) { bytes += more }
}

/// Hands sightings to every form of output there is, counts them, and keeps those of the first
/// capture in the twin's words.
struct Fan: FindingSink {
  private(set) var sightings = 0
  private(set) var ofFirst: [TwinSighting] = []
  private let outputs = Exports.all.map { (name: $0.name, output: Collected()) }
  private var sinks: [any FindingSink] = []
  private let traces = BeaconTraces(most: 100)
  private var tracing: TracingSink

  init() {
    tracing = TracingSink(traces)
    sinks = zip(Exports.all, outputs).map { $0.open($1.output, 80) }
  }

  mutating func take(_ found: Span<Sighting>, of capture: CaptureContext) throws {
    sightings += found.count
    if capture.place == 0 {
      ofFirst += found.indices.map { TwinSighting(found[$0], capture.identities) }
    }
    tracing.take(found, of: capture)
    for place in sinks.indices { try sinks[place].take(found, of: capture) }
  }

  mutating func pause() throws {
    for place in sinks.indices { try sinks[place].pause() }
  }

  /// What is wrong with a board of them.
  var boardFaults: [String] {
    var board = LiveBoard()
    (board.beacons, board.notTraced) = traces.now
    let latest = board.beacons.map(\.last).filter(\.isKnown).max { $0.nanoseconds < $1.nanoseconds }
    return [Timestamp.none, latest ?? .none].flatMap { now in
      board.now = now
      return BoardTarget.faults(board, BoardView(), width: 80, height: 24)
    }
  }

  /// What is wrong with what was written; call after `pause`.
  var faults: [String] {
    outputs.flatMap { name, output in
      switch name {
      case "ndjson": OutputCheck.ndjson(output.bytes, lines: sightings)
      case "csv": OutputCheck.csv(output.bytes, rows: sightings)
      default: OutputCheck.text(output.bytes, name)
      }
    }
  }
}
