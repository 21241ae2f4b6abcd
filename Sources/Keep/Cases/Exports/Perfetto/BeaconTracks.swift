import Beacons
import CaseStore

/// A track for each beacon that has samples: when it was heard; below it counters of its RSSI and of
/// how far away it was.
struct BeaconTracks {
  let root: TraceStream.Track

  func write(_ file: CaseFile, _ names: CaseNames, to trace: inout TraceStream) throws {
    var beacons: [Int64: BeaconRow] = [:]
    let drawn = try Set(
      numbers("SELECT DISTINCT beacon_id FROM signal_bins", file)
        + numbers(
          "SELECT DISTINCT beacon_id FROM transmitters WHERE id IN (SELECT transmitter_id "
            + "FROM ranging)", file))
    try file.forEach(BeaconRow.self) { beacon in
      if drawn.contains(beacon.id ?? 0) { beacons[beacon.id ?? 0] = beacon }
    }
    var tracks: [Int64: TraceStream.Track] = [:]
    for (number, beacon) in beacons.sorted(by: { $0.key < $1.key }) {
      tracks[number] = try trace.track(
        beacon.shortName, under: root, about: "\(beacon.kindName) \(beacon.identity)")
    }
    try heard(file, tracks, to: &trace)
    try signals(file, names, tracks, to: &trace)
    try distances(file, names, tracks, to: &trace)
  }

  private func numbers(_ select: String, _ file: CaseFile) throws -> [Int64] {
    var numbers: [Int64] = []
    try file.forEach(select: select) { numbers.append($0[0].int ?? 0) }
    return numbers
  }

  private struct Heard {
    let beacon: Int64
    let from: UInt64
    var to: UInt64
    var sightings: Int
  }

  /// Bins without a pause between them are one slice, whoever heard it.
  private func heard(
    _ file: CaseFile, _ tracks: [Int64: TraceStream.Track], to trace: inout TraceStream
  ) throws {
    var heard: Heard?
    try file.forEach(SignalBinRow.self, order: "beacon_id, from_ns, id") { bin in
      guard bin.sightings > 0, tracks[bin.beaconId] != nil,
        let from = trace.moment(bin.fromNs, of: "sample")
      else { return }
      let to = UInt64(max(bin.toNs, bin.fromNs))
      if let before = heard, before.beacon == bin.beaconId, from <= before.to {
        heard?.to = max(before.to, to)
        heard?.sightings += bin.sightings
      } else {
        try end(heard, tracks, &trace)
        heard = Heard(beacon: bin.beaconId, from: from, to: to, sightings: bin.sightings)
      }
    }
    try end(heard, tracks, &trace)
  }

  /// The median of each bin, a counter for each observer where there are several.
  private func signals(
    _ file: CaseFile, _ names: CaseNames, _ tracks: [Int64: TraceStream.Track],
    to trace: inout TraceStream
  ) throws {
    var current: (beacon: Int64, observer: Int64?, counter: TraceStream.Track)?
    let order = "beacon_id, observer_id, from_ns, id"
    try file.forEach(SignalBinRow.self, order: order) { bin in
      guard let median = bin.rssiMedian, let track = tracks[bin.beaconId],
        let from = trace.moment(bin.fromNs, of: "sample")
      else { return }
      if current?.beacon != bin.beaconId || current?.observer != bin.observerId {
        let observer =
          names.observers.count > 1 ? bin.observerId.flatMap { names.observers[$0] } : nil
        let name = "RSSI, median" + (observer.map { " at \($0)" } ?? "")
        current = (
          bin.beaconId, bin.observerId, try trace.track(name, under: track, unit: "dBm")
        )
      }
      if let current { try trace.counter(Double(median), at: from, on: current.counter) }
    }
  }

  private func end(
    _ heard: Heard?, _ tracks: [Int64: TraceStream.Track], _ trace: inout TraceStream
  ) throws {
    guard let heard, let track = tracks[heard.beacon] else { return }
    var notes = TraceNotes()
    notes.add("sightings", heard.sightings)
    try trace.slice(
      TraceStream.Happening(name: "heard", categories: ["beacon"], notes: notes.notes),
      from: heard.from, to: heard.to, on: track)
  }

  /// The nearest of a beacon's transmitters, for each observer.
  private func distances(
    _ file: CaseFile, _ names: CaseNames, _ tracks: [Int64: TraceStream.Track],
    to trace: inout TraceStream
  ) throws {
    let select = """
      SELECT beacon_id, observer_id, time_ns, min(accuracy_m)
        FROM ranging JOIN transmitters ON transmitters.id = transmitter_id
        WHERE accuracy_m IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      """
    var current: (beacon: Int64, observer: Int64, counter: TraceStream.Track)?
    try file.forEach(select: select) { row in
      guard let beacon = row[0].int, let observer = row[1].int, let metres = row[3].real,
        let track = tracks[beacon], let time = trace.moment(row[2].int, of: "distance")
      else { return }
      if current?.beacon != beacon || current?.observer != observer {
        let name = names.observers[observer].map { "distance from \($0)" } ?? "distance"
        current = (beacon, observer, try trace.track(name, under: track, unit: "m"))
      }
      if let current { try trace.counter(metres, at: time, on: current.counter) }
    }
  }
}

/// A track for each capture, with the frames that are cited.
struct FrameTracks {
  let root: TraceStream.Track

  func write(
    _ file: CaseFile, _ names: CaseNames, _ flows: FrameFlows, to trace: inout TraceStream
  ) throws {
    var tracks: [Int64: TraceStream.Track] = [:]
    try file.forEach(FrameRow.self, order: "capture_id, time_ns, frame") { frame in
      guard let time = trace.moment(frame.timeNs, of: "cited frame") else { return }
      if tracks[frame.captureId] == nil {
        let name = names.captures[frame.captureId] ?? "capture \(frame.captureId)"
        tracks[frame.captureId] = try trace.track(name, under: root)
      }
      var notes = TraceNotes()
      notes.add("capture", names.captures[frame.captureId])
      notes.add("frame", frame.frame)
      notes.add("address", frame.address)
      notes.add("rssi", frame.rssi)
      notes.add("bytes", HexText.string(Array(frame.bytes)))
      notes.add("clock_moved_s", names.moved[capture: frame.captureId].map { Double($0) / 1e9 })
      notes.add("clock_moved", names.moved.how(capture: frame.captureId))
      let happening = TraceStream.Happening(
        name: "frame \(frame.frame)", categories: ["frame"], notes: notes.notes,
        flows: flows[FrameFlows.Frame(capture: frame.captureId, number: frame.frame)])
      try trace.instant(happening, at: time, on: tracks[frame.captureId] ?? root)
    }
  }
}
