import Exports
import PerfettoTrace
import SwiftProtobuf

/// A trace as it is written: packets go out in pieces, so that none of it is held as a whole.
struct TraceStream {
  /// A track's number in the trace.
  typealias Track = UInt64

  private var output: any TextOutput
  private var bytes: [UInt8] = []
  private var lastTrack: Track = 0
  /// How many tracks each has below it.
  private var children: [Track: Int32] = [:]
  var leftOut = LeftOut()

  /// - Parameter begin: nanoseconds since 1970, the trace's first moment.
  init(_ output: any TextOutput, from begin: UInt64) throws {
    self.output = output
    // The trace's clock shows nanoseconds since 1970, too.
    let clocks = [PerfettoBuiltinClock.boottime, .realtime].map { clock in
      PerfettoClockSnapshot.Clock.with {
        $0.clockID = UInt32(clock.rawValue)
        $0.timestamp = begin
      }
    }
    try write {
      $0.sequenceFlags = 1
      $0.timestamp = begin
      $0.clockSnapshot = .with {
        $0.clocks = clocks
        $0.primaryTraceClock = .boottime
      }
    }
    // The track above all: what is below it stands in the order given.
    try write {
      $0.trackDescriptor = .with {
        $0.uuid = 0
        $0.childOrdering = .explicit
      }
    }
  }

  /// A track below another one, behind those that are there.
  /// - Parameter unit: of a counter's track.
  mutating func track(
    _ name: String, under parent: Track = 0, about description: String? = nil, unit: String? = nil
  ) throws -> Track {
    lastTrack += 1
    let track = lastTrack
    let rank = children[parent, default: 0]
    children[parent] = rank + 1
    try write {
      $0.trackDescriptor = .with {
        $0.uuid = track
        if parent != 0 { $0.parentUuid = parent }
        $0.name = TextColumns.printable(name)
        if let description { $0.description_p = TextColumns.printable(description) }
        $0.siblingOrderRank = rank
        // Names may be the same: two beacons of one identity, regions of two profiles.
        $0.siblingMergeBehavior = .none
        if let unit {
          $0.counter = .with { $0.unitName = unit }
        } else {
          $0.childOrdering = .explicit
        }
      }
    }
    return track
  }

  /// What happens on a track.
  struct Happening {
    var name: String
    var categories: [String]
    var notes: [PerfettoDebugAnnotation] = []
    var flows: [UInt64] = []
  }

  mutating func slice(
    _ happening: Happening, from begin: UInt64, to end: UInt64, on track: Track
  ) throws {
    try event(happening, .sliceBegin, at: begin, on: track)
    try write {
      $0.timestamp = max(begin, end)
      $0.trackEvent = .with {
        $0.type = .sliceEnd
        $0.trackUuid = track
      }
    }
  }

  mutating func instant(_ happening: Happening, at time: UInt64, on track: Track) throws {
    try event(happening, .instant, at: time, on: track)
  }

  private mutating func event(
    _ happening: Happening, _ type: PerfettoTrackEvent.TypeEnum, at time: UInt64, on track: Track
  ) throws {
    try write {
      $0.timestamp = time
      $0.trackEvent = .with {
        $0.type = type
        $0.trackUuid = track
        $0.name = TextColumns.printable(happening.name)
        $0.categories = happening.categories
        $0.debugAnnotations = happening.notes
        $0.flowIds = happening.flows
      }
    }
  }

  mutating func counter(_ value: Double, at time: UInt64, on track: Track) throws {
    try write {
      $0.timestamp = time
      $0.trackEvent = .with {
        $0.type = .counter
        $0.trackUuid = track
        $0.doubleCounterValue = value
      }
    }
  }

  private mutating func write(_ fill: (inout PerfettoTracePacket) -> Void) throws {
    let trace = PerfettoTrace.with {
      $0.packet = [
        PerfettoTracePacket.with {
          $0.trustedPacketSequenceID = 1
          fill(&$0)
        }
      ]
    }
    // Traces of one packet each, one behind the other, are a trace of all the packets.
    bytes += try trace.serializedBytes() as [UInt8]
    guard bytes.count >= Exports.chunk else { return }
    try end()
  }

  /// Writes what has been collected.
  mutating func end() throws {
    guard !bytes.isEmpty else { return }
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// A moment of the trace; nil, and counted, where there is none: Perfetto's times begin in 1970.
  /// - Parameter what: what it would have been the time of.
  mutating func moment(_ nanoseconds: Int64?, of what: String) -> UInt64? {
    guard let nanoseconds else {
      leftOut.add(what, "without a time")
      return nil
    }
    guard nanoseconds >= 0 else {
      leftOut.add(what, "before 1970")
      return nil
    }
    return UInt64(nanoseconds)
  }
}

/// Notes beside what happens, by name; without a value there is none.
struct TraceNotes {
  private(set) var notes: [PerfettoDebugAnnotation] = []

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    note(name) { $0.stringValue = TextColumns.printable(value) }
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    note(name) { $0.intValue = Int64(value) }
  }

  mutating func add(_ name: String, _ value: Double?) {
    guard let value else { return }
    note(name) { $0.doubleValue = value }
  }

  mutating func add(_ name: String, _ value: Bool) { note(name) { $0.boolValue = value } }

  private mutating func note(_ name: String, _ fill: (inout PerfettoDebugAnnotation) -> Void) {
    notes.append(
      PerfettoDebugAnnotation.with {
        $0.name = name
        fill(&$0)
      })
  }
}
