import Analysis
import ArgumentParser
import CaptureWriter
import Exports
import FoundationEssentials
import Regions
import Synth

struct SynthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "synth",
    abstract: "Writes a synthetic capture, and the truth about it.",
    discussion: """
      For trying things out, for tests and for measuring: the same settings and the same seed give \
      the same bytes everywhere. The truth says what a reader must find, and what happened at the \
      site. To make a site of your own, begin with one that is there: SYNTH.md, which comes along \
      (share/doc/beacontrace), describes every key of scenarios and every line of the truth.

      Examples:
        beacontrace synth --out museum.btsnoop --truth museum.ndjson
            A quarter of an hour in a museum. Those lines of the truth that begin
            with {"capture" are what sightings --format ndjson must print.
        beacontrace synth --print-scenario museum > mine.json
            A scenario to change.
        beacontrace synth --scenario mine.json --out mine.pcapng --link 251
            The changed one, as a sniffer on the air would have recorded it.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The capture to write; - for standard output. Packed if it ends in .gz or .zst.",
      valueName: "file"),
    completion: .file())
  var out: String?

  @Option(
    help: ArgumentHelp("Where to write the truth about it, as NDJSON.", valueName: "file"),
    completion: .file())
  var truth: String?

  @Option(help: ArgumentHelp("A scenario's name, or a JSON file.", valueName: "name or file"))
  var scenario = "museum"

  @Option(help: "Where the random numbers begin.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "\(RecordingForm.containers.map(\.name).joined(separator: ", ")). Default: as --out ends."))
  var container: String?

  @Option(
    help:
      "The link type: 187, 201, 254 (HCI), 251, 256, 272, 192 (air); 1001, 1002, 2001 in btsnoop.")
  var link: String?

  @Option(help: "Byte order of the container: little or big.")
  var byteOrder = ByteOrderName.little

  @Option(
    help: ArgumentHelp(
      "Where to write the keys of its Eddystone-EID beacons and of devices whose addresses change, for "
        + "--keys of other commands.",
      valueName: "file"),
    completion: .file())
  var keys: String?

  @Option(help: ArgumentHelp("How long to record.", valueName: "seconds"))
  var duration: Double?

  @Option(help: ArgumentHelp("Stop after so many records instead.", valueName: "count"))
  var frames: Int?

  @Option(help: ArgumentHelp("So many beacons more, passing by.", valueName: "count"))
  var identities: Int?

  @Option(help: ArgumentHelp("How many of these at a time (1000).", valueName: "count"))
  var inRange: Int?

  @Option(help: ArgumentHelp("Share of packets lost on the air, 0 to 1.", valueName: "share"))
  var loss: Double?

  @Option(
    help: ArgumentHelp(
      "What goes wrong: \(Strike.names); a list with commas, :N for N times.",
      valueName: "kinds"))
  var damage: String?

  @Flag(help: "List the scenarios that come with the program.")
  var listScenarios = false

  @Option(help: ArgumentHelp("Print a scenario's JSON.", valueName: "name"))
  var printScenario: String?

  func validate() throws {
    if listScenarios || printScenario != nil { return }
    guard let out else { throw ValidationError("--out is missing: the capture to write.") }
    var files = RunFiles()
    if Scenarios.named(scenario) == nil { files.reads([scenario], "the scenario") }
    files.writes(out, "--out", beside: [".unfinished"])
    files.writes(truth, "--truth", beside: [".unfinished"])
    files.writes(keys, "--keys", beside: [".unfinished"])
    try files.validate()
    try Self.validate(streams: [("--out", out), ("--truth", truth), ("--keys", keys)])
    if let duration, !(0.001...1e7).contains(duration) {
      throw ValidationError("--duration must be from 0.001 to 10000000 seconds.")
    }
    if duration != nil && frames != nil {
      throw ValidationError("--duration and --frames contradict each other.")
    }
    if let frames, frames < 1 { throw ValidationError("--frames must be 1 at least.") }
    if let identities, !(1...100_000_000).contains(identities) {
      throw ValidationError("--identities must be from 1 to 100000000.")
    }
    if let inRange, !(1...100_000_000).contains(inRange) {
      throw ValidationError("--in-range must be from 1 to 100000000.")
    }
    if let loss, !(0...1).contains(loss) { throw ValidationError("--loss must be from 0 to 1.") }
  }

  /// Standard output is no file, and has room for one of them all the same.
  private static func validate(streams: [(option: String, path: String?)]) throws {
    let written = streams.filter { $0.path == "-" }.map(\.option)
    guard written.count > 1 else { return }
    throw ValidationError(
      "\(written[1]) -: standard output is what \(written[0]) writes, too; name another file.")
  }

  func run() throws {
    if listScenarios { return try list() }
    if let printScenario {
      guard let text = Scenarios.named(printScenario) else {
        throw Self.refuse(Self.unknown(printScenario))
      }
      return try write(text.split(separator: "\n").map(String.init))
    }
    guard let out else { return }
    for path in [out, truth, keys].compactMap({ $0 }) { try KeptFile.check(path) }
    do {
      try make(out)
    } catch let problem as SettingsProblem {
      throw Self.refuse(problem)
    } catch let problem as OutputProblem {
      if problem.isClosedPipe { return }
      Terminal.tell(
        "beacontrace: \(TextColumns.printable(problem.path)) cannot be written: "
          + "\(problem.reason).")
      throw ExitStatus.output
    }
  }

  private func list() throws {
    var lines: [String] = []
    for (name, json) in Scenarios.all {
      let scenario = try Self.read(Array(json.utf8), from: name)
      lines.append(TextColumns.left(name, 10) + scenario.summary)
    }
    try write(lines)
  }

  private func make(_ out: String) throws {
    let scenario = try settled()
    let form = try RecordingForm(
      container: container ?? RecordingForm.container(ofFile: out) ?? "btsnoop", link: link,
      order: byteOrder == .big ? .big : .little)
    var settings = Synthesis.Settings()
    settings.seed = seed
    settings.frames = frames
    var synthesis = try Synthesis(scenario, form, settings)
    let file = try OutputFile.replacing(out)
    var told: Truth?
    if let truth {
      told = Truth(
        try OutputFile.replacing(truth), capture: out, form: form, version: Version.text)
    }
    let earlier = [out, truth, keys].map { $0.map(EarlierFile.init) }
    try synthesis.run(into: file, truth: told)
    try writeKeys(of: scenario)
    for (place, path) in [out, truth, keys].enumerated() where path != nil && path != "-" {
      let form = place == 0 ? ", a capture: \(form.container), link type \(form.link)" : ""
      Terminal.tell((earlier[place]?.wrote ?? "") + form + ".")
    }
    tellMissed(synthesis, of: scenario.damage.count)
    for sentence in truth == nil ? [] : scenario.unmatchedRegions {
      Terminal.tell("beacontrace: \(sentence).")
    }
  }

  /// What of the damage is not in the capture. A scenario's own that was to come behind the end that an option
  /// sets is none of it: so much of the site was not asked for.
  private func tellMissed(_ run: Synthesis, of asked: Int) {
    let isCut = damage == nil && (duration != nil || frames != nil)
    let missed = run.missed.filter { !isCut || $0.moment < run.now }
    guard !missed.isEmpty else { return }
    let reached = asked - (run.missed.count - missed.count)
    Terminal.tell("beacontrace: \(Strike.told(missed: missed, of: reached)).")
  }

  private func writeKeys(of scenario: Scenario) throws {
    if let keys {
      let lines =
        ["# The keys of scenario \(scenario.name)."] + scenario.keys.map(\.text)
        + scenario.deviceKeys.map(\.text)
      var list = try OutputFile.replacing(keys)
      list.pending = Array(lines.map { $0 + "\n" }.joined().utf8)
      try list.end()
    }
  }

  /// The scenario with what the other options change.
  private func settled() throws -> Scenario {
    var scenario = try readScenario()
    if let duration { scenario.duration = Int64(duration * 1000) * 1_000_000 }
    if let loss { scenario.radio.loss = loss }
    if let identities {
      var crowd = scenario.crowd ?? Scenario.Crowd(identities: identities)
      crowd.identities = identities
      scenario.crowd = crowd
    }
    if let inRange {
      guard scenario.crowd != nil else {
        throw SettingsProblem(
          "--in-range says how many of a crowd are there at a time; --identities makes one")
      }
      scenario.crowd?.inRange = inRange
    }
    if let damage {
      scenario.damage = try Strike.list(
        damage, over: Int64(frames ?? 0) > 0 ? Int64(frames ?? 0) : scenario.duration,
        countsRecords: frames != nil, seed: seed)
    } else if duration == nil && frames == nil, let late = scenario.lateDamage {
      throw SettingsProblem("scenario \(self.scenario): \(late)")
    }
    return scenario
  }

  private func readScenario() throws -> Scenario {
    if let json = Scenarios.named(scenario) {
      return try Self.read(Array(json.utf8), from: scenario)
    }
    guard let data = FileManager.default.contents(atPath: scenario) else {
      if scenario.contains("/") || scenario.hasSuffix(".json") {
        Terminal.tell(
          "beacontrace: scenario \(TextColumns.printable(scenario)): there is no such file, "
            + "or it cannot be read. Check the path.")
        throw ExitStatus.noInput
      }
      throw Self.unknown(scenario)
    }
    return try Self.read([UInt8](data), from: scenario)
  }

  private static func read(_ json: [UInt8], from name: String) throws -> Scenario {
    do throws(ScenarioProblem) {
      return try Scenario(json: json)
    } catch {
      let place = error.path.isEmpty ? "" : "\(error.path) "
      throw SettingsProblem("scenario \(name): \(place)\(error.text)")
    }
  }

  /// Says what is wrong with the settings.
  private static func refuse(_ problem: SettingsProblem) -> ExitCode {
    Terminal.tell(
      "Error: \(TextColumns.printable(problem.text)).\n"
        + "  See 'beacontrace synth --help' for more information.")
    return ExitCode.validationFailure
  }

  private static func unknown(_ name: String) -> SettingsProblem {
    SettingsProblem(
      "there is no scenario '\(name)'; there are: "
        + Scenarios.all.map(\.name).joined(separator: ", ") + ", or a JSON file")
  }
}

enum ByteOrderName: String, ExpressibleByArgument, CaseIterable {
  case little, big
}
