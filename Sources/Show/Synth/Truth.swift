import Analysis
import Beacons
package import CaptureWriter
import Exports
import FrameEncoder

/// What is true of a capture, as lines of JSON: how it was made, the sightings that readers must
/// find, then what happened at the site. SYNTH.md describes the lines.
package final class Truth {
  static let batch = 4096

  private let output: TruthOutput
  private var lines: SightingsNDJSON
  private let capture: String
  private let observer: String
  private let version: String

  /// - Parameter capture: the capture's name as it will be given to `sightings`.
  package init(
    _ file: consuming OutputFile, capture: String, form: RecordingForm, version: String
  ) {
    output = TruthOutput(file)
    lines = SightingsNDJSON(output)
    self.capture = capture
    observer = form.observer(ObserverNames.stem(of: capture))
    self.version = version
  }

  /// The first line: how the capture was made.
  func begin(_ run: Synthesis) throws {
    try write("run") { line in
      line.string("version", version)
      line.string("capture", capture)
      line.string("scenario", run.scenario.name)
      line.string("seed", "\(run.settings.seed)")
      line.string("container", run.form.container)
      line.string("link", run.form.link)
      line.string("byte_order", run.form.order.rawValue)
      line.time("start", 0, run.scenario)
      if let frames = run.settings.frames {
        line.int("frames", frames)
      } else {
        line.seconds("duration_s", run.scenario.duration)
      }
      line.decimal("loss", run.scenario.radio.loss)
      line.int("sensitivity_dbm", run.scenario.radio.model.sensitivity)
    }
  }

  func tell(_ sightings: [Sighting], _ identities: IdentityTable) throws {
    let context = CaptureContext(only: capture, identities: identities, observers: [observer])
    try lines.take(sightings.span, of: context)
  }

  /// The lines behind the sightings.
  func end(_ run: Synthesis, _ receiver: borrowing Receiver) throws {
    try lines.pause()
    let devices = run.scenario.deviceNames
    for place in run.scenario.beacons.indices { try beacon(place, devices, run) }
    try others(run, receiver.labels)
    for place in run.scenario.beacons.indices {
      for stretch in run.histories[place].inRange {
        try write("in_range") { line in
          line.string("beacon", run.scenario.beacons[place].name)
          line.stretch(stretch, run.scenario)
        }
      }
    }
    for room in run.scenario.rooms { try visits(room, run) }
    for pause in run.scenario.scan.pauses where pause.lowerBound < run.now {
      try write("pause") { line in
        line.time("from", pause.lowerBound, run.scenario)
        // The scan ends with the run, and so does its pause.
        line.time("to", min(pause.upperBound, run.now), run.scenario)
      }
    }
    for step in run.scenario.clockSteps where step.time < run.now {
      try write("clock_step") { line in
        line.time("at", step.time, run.scenario)
        line.seconds("step_s", step.step)
      }
    }
    for note in receiver.recorder.notes { try damage(note, run) }
    let (records, reports) = (receiver.recorder.frames, receiver.reports)
    try write("end") { line in
      line.int("records", records)
      line.int("reports", reports)
    }
    try output.end()
  }

  private func beacon(_ place: Int, _ devices: [String?], _ run: Synthesis) throws {
    let plan = run.scenario.beacons[place]
    let history = run.histories[place]
    try write("beacon") { line in
      line.string("beacon", plan.name)
      line.string("kind", "\(plan.content.format.name)")
      line.list("identities", history.identities.count) { line, number in
        let id = run.identities[history.identities[number].number]
        line.string("id", plan.content.format.identityText(run.identities.bytes(of: id)))
        line.time("from", history.identities[number].from, run.scenario)
      }
      line.list("addresses", history.addresses.count) { line, number in
        line.address("address", history.addresses[number].address)
        line.time("from", history.addresses[number].from, run.scenario)
      }
      line.int("sent", history.sent)
      line.int("heard", history.heard)
      line.time("first_heard", history.firstHeard, run.scenario)
      line.time("last_heard", history.lastHeard, run.scenario)
      line.time("dies", plan.dies, run.scenario)
      line.string("clone_of", plan.cloneOf)
      if let device = devices[place] { line.string("device", device) }
    }
  }

  private func others(_ run: Synthesis, _ labels: [Int]) throws {
    try write("others") { line in
      line.int("sent", run.othersSent)
      for (name, count) in zip(Phone.labels, labels) {
        line.int(name.isEmpty ? "unlabelled" : name, count)
      }
    }
    guard let crowd = run.crowd else { return }
    try write("crowd") { line in
      line.int("identities", crowd.identities)
      line.int("sent", crowd.sent)
      line.int("heard", crowd.heard)
    }
  }

  /// When the observer was in a room, and when the beacons that mean it could be heard.
  private func visits(_ room: Room, _ run: Synthesis) throws {
    for visit in run.stays(in: room) {
      try write("visit") { line in
        line.string("room", room.name)
        line.string("region", room.region)
        line.time("enter", visit.lowerBound, run.scenario)
        line.time("exit", visit.upperBound, run.scenario)
      }
    }
    guard let region = room.region else { return }
    for stretch in run.reception(of: region) {
      try write("region_in_range") { line in
        line.string("room", room.name)
        line.string("region", region)
        line.stretch(stretch, run.scenario)
      }
    }
  }

  private func damage(_ note: DamageNote, _ run: Synthesis) throws {
    try write("damage") { line in
      line.string("kind", note.kind.rawValue)
      line.time("at", note.kind == .tail ? nil : note.time, run.scenario)
      line.int("frame", note.frame)
      line.int("offset", run.form.isHeld ? nil : Int(note.offset))
      line.int("bytes", note.bytes)
      line.int("lost_records", note.lostRecords)
      line.int("lost_sightings", note.lostSightings)
    }
  }

  private func write(_ kind: String, _ body: (inout TruthLine) -> Void) throws {
    var line = TruthLine(kind)
    body(&line)
    try output.write(line.finished)
  }
}

/// The truth's file, for the sightings' writer and for the other lines.
private final class TruthOutput: TextOutput {
  private var file: OutputFile

  init(_ file: consuming OutputFile) { self.file = file }

  func write(_ bytes: [UInt8]) throws {
    file.pending += bytes
    if file.pending.count >= OutputFile.chunk { try file.flush() }
  }

  func end() throws { try file.end() }
}
