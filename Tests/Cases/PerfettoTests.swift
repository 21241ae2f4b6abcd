import CaseStore
import Cases
import Exports
import Foundation
import GRDB
import PerfettoTrace
import SwiftProtobuf
import Testing

/// A trace, decoded again: what is on which track.
struct DecodedTrace {
  struct Slice: Equatable {
    let path: [String]
    let name: String
    let from: UInt64
    let to: UInt64
    let notes: [String: String]
  }

  struct Instant {
    let path: [String]
    let name: String
    let time: UInt64
    let categories: [String]
    let flows: [UInt64]
    let notes: [String: String]
  }

  private(set) var slices: [Slice] = []
  private(set) var instants: [Instant] = []
  private(set) var counters: [[String]: [(time: UInt64, value: Double)]] = [:]
  private(set) var snapshots: [PerfettoClockSnapshot] = []
  private(set) var paths: [UInt64: [String]] = [:]
  let packets: Int

  init(_ bytes: [UInt8]) throws {
    let trace = try PerfettoTrace(serializedBytes: bytes)
    packets = trace.packet.count
    var open: [UInt64: (time: UInt64, event: PerfettoTrackEvent)] = [:]
    for packet in trace.packet {
      #expect(packet.trustedPacketSequenceID == 1)
      switch packet.data {
      case .clockSnapshot(let snapshot): snapshots.append(snapshot)
      case .trackDescriptor(let track):
        #expect(paths[track.uuid] == nil, "tracks have numbers of their own")
        let parent = track.hasParentUuid ? try #require(paths[track.parentUuid]) : []
        paths[track.uuid] = track.uuid == 0 ? [] : parent + [track.name]
      case .trackEvent(let event):
        let path = try #require(paths[event.trackUuid], "a track is described before it is used")
        switch event.type {
        case .sliceBegin:
          #expect(open[event.trackUuid] == nil, "slices of a track do not cross")
          open[event.trackUuid] = (packet.timestamp, event)
        case .sliceEnd:
          let ended = open.removeValue(forKey: event.trackUuid)
          let begun = try #require(ended)
          slices.append(
            Slice(
              path: path, name: begun.event.name, from: begun.time, to: packet.timestamp,
              notes: Self.notes(begun.event)))
        case .instant:
          instants.append(
            Instant(
              path: path, name: event.name, time: packet.timestamp, categories: event.categories,
              flows: event.flowIds, notes: Self.notes(event)))
        case .counter:
          counters[path, default: []].append((packet.timestamp, event.doubleCounterValue))
        case .unspecified: Issue.record("an event without a type")
        }
      case nil: Issue.record("a packet without anything")
      }
    }
    #expect(open.isEmpty)
  }

  private static func notes(_ event: PerfettoTrackEvent) -> [String: String] {
    var notes: [String: String] = [:]
    for note in event.debugAnnotations {
      switch note.value {
      case .boolValue(let value): notes[note.name] = "\(value)"
      case .uintValue(let value): notes[note.name] = "\(value)"
      case .intValue(let value): notes[note.name] = "\(value)"
      case .doubleValue(let value): notes[note.name] = "\(value)"
      case .stringValue(let value): notes[note.name] = value
      case nil: notes[note.name] = ""
      }
    }
    return notes
  }
}

@Suite("A Perfetto trace") struct PerfettoTests {
  static func trace(_ file: CaseFile) throws -> DecodedTrace {
    try DecodedTrace(Exported("perfetto", file).bytes)
  }

  static func time(_ seconds: Double) -> UInt64 { UInt64(HandMadeCase.ns(seconds)) }

  @Test("decoded again holds the case's visits")
  func visits() throws {
    let file = try HandMadeCase.make(named: "hall")
    let trace = try Self.trace(file)
    let end = UInt64(try #require(try file.fact("to_ns").flatMap { Int64($0) }))
    let visits = trace.slices.filter { $0.notes["visit"] != nil }
    let stays = try file.rows(StayRow.self)
    #expect(visits.count == 2 && stays.count == 2)
    for stay in stays {
      let visit = try #require(visits.first { $0.notes["visit"] == "\(stay.id ?? 0)" })
      #expect(visit.from == stay.sinceNs.map(UInt64.init))
      #expect(visit.to == stay.untilNs.map(UInt64.init) ?? end)
      #expect(visit.notes["still_inside"] == "\(stay.untilNs == nil)")
      #expect(visit.notes["grade"] == stay.grade)
      #expect(visit.notes["first_frame"] == stay.firstFrame.map { "\($0)" })
    }
    #expect(
      visits.map(\.path) == [
        ["Regions", "hall", "north, visits"], ["Regions", "hall", "hall, visits"],
      ])
  }

  @Test("ends a visit that goes on where its observer's records end, not with the run")
  func earlyEnd() throws {
    let file = try HandMadeCase.make(named: "hall")
    let end = HandMadeCase.ns(300)
    try file.database.write {
      try $0.execute(sql: "UPDATE observers SET to_ns = ? WHERE id = 2", arguments: [end])
    }
    let open = try Self.trace(file).slices.filter { $0.notes["still_inside"] == "true" }
    #expect(open.map(\.to) == [UInt64(end)])
  }

  @Test("leads from frame to event to alert")
  func flows() throws {
    let trace = try Self.trace(HandMadeCase.make(named: "hall"))
    let event: UInt64 = 0x20C4_E81F_0B37_A9D2
    let flow = trace.instants.filter { $0.flows.contains(event) }
    #expect(flow.map(\.name) == ["frame 3", "enter", "warning: hall"])
    #expect(flow.map(\.time) == [Self.time(10.5), Self.time(10.5), Self.time(70.000001)])
    // The frame that the alert itself cites.
    let own = trace.instants.filter { $0.flows.contains(0x8000_0000_0000_0001) }
    #expect(own.map(\.name) == ["frame 5", "warning: hall"])
    #expect(own[0].notes["bytes"] == "000000033e00")
    #expect(own[1].categories == ["alert", "warning"])
    #expect(own[1].notes["event"] == "8000000000000001")
  }

  @Test("shows when a beacon was heard, how loud and how far away")
  func beacons() throws {
    let trace = try Self.trace(HandMadeCase.make(named: "door"))
    let heard = trace.slices.filter { $0.path == ["Beacons", "door"] }
    #expect(heard.map(\.from) == [Self.time(0), Self.time(50)])
    #expect(heard.map(\.to) == [Self.time(20), Self.time(60)])
    #expect(heard.map { $0.notes["sightings"] } == ["6", "3"])
    let loud = try #require(trace.counters[["Beacons", "door", "RSSI, median"]])
    #expect(loud.map(\.value) == [-70, -71, -72])
    #expect(loud.map(\.time) == [Self.time(0), Self.time(10), Self.time(50)])
    let far = try #require(trace.counters[["Beacons", "door", "distance from north"]])
    #expect(far.map(\.value) == [1.5])
  }

  @Test("its clock shows the time of the capture")
  func clock() throws {
    let trace = try Self.trace(HandMadeCase.make())
    let snapshot = try #require(trace.snapshots.first)
    #expect(trace.snapshots.count == 1)
    #expect(snapshot.primaryTraceClock == .boottime)
    #expect(snapshot.clocks.map(\.clockID) == [6, 1])
    #expect(snapshot.clocks.map(\.timestamp) == [Self.time(0), Self.time(0)])
  }

  @Test("what has no time is told, and hostile names are shown")
  func leftOut() throws {
    let file = try HandMadeCase.make()
    try file.insert([
      StayRow(profileId: 1, observerId: 1, regionId: 2, sinceNs: -5, wasInsideAlready: false)
    ])
    let exported = try Exported("perfetto", file)
    #expect(
      exported.remarks == ["1 visit before 1970 left out", "1 event without a time left out"])
    let trace = try DecodedTrace(exported.bytes)
    for name in trace.paths.values.joined() + trace.instants.map(\.name) {
      #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
  }

  @Test("an event's id that is none is refused")
  func badID() throws {
    let file = try HandMadeCase.make()
    try file.database.write { try $0.execute(sql: "UPDATE events SET event = 'x' WHERE id = 1") }
    #expect(throws: CaseNonsense.self) { try Exported("perfetto", file) }
  }
}
