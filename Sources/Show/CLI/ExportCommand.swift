import ArgumentParser
import CaptureReader
import CaptureWriter
import CaseStore
import Cases
import Exports
import Glibc

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "What was found, for programs that people have: timelines, maps, traces, tables.",
    usage: "beacontrace export --to <form> [options] <capture or case> ...",
    discussion: """
      Out of a case, or of captures with the options of analyze: the same bytes either way. What a \
      form cannot hold, such as events without a time, is said on standard error.

      The forms:
      \(CaseExports.all.map { "  \(TextColumns.left($0.name, 10))  \($0.purpose)" }.joined(separator: "\n"))

      Keys and columns are told in FORMATS.md (share/doc/beacontrace, where the program is installed); \
      they are a contract.

      Examples:
        beacontrace export --to timesketch -o site.jsonl site.sqlite
            A case's timeline for Timesketch.
        beacontrace export --to perfetto -o site.pftrace site.pcapng
            A capture's, to be opened at ui.perfetto.dev.
        beacontrace export --to geojson drive.pcap > drive.geojson
            Where the drive went (a sniffer's own positions, or --track), and where
            visits began and ended.
        beacontrace export --to pcapng -o cited.pcapng --plugin cloned-identity a.log
            The frames behind the findings, for Wireshark.
        beacontrace export --to csv -o tables site.sqlite
            Every table, a file each in a new folder.
      """)

  @Argument(
    help: ArgumentHelp(
      "Captures, folders, or - for standard input; or one case file.",
      valueName: "capture or case"), completion: .file())
  var inputs: [String] = []

  @Option(help: ArgumentHelp("The form; without it they are listed.", valueName: "form"))
  var to: CaseForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write: a file, which is replaced as a whole (but no case, and no capture that is not of such "
        + "an export), or for csv a new folder. Default: standard output.", valueName: "file"),
    completion: .file())
  var out = "-"

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @OptionGroup var clocks: CaptureClocks

  @Flag(name: .customLong("no-regions"), help: "Beacons only; nothing is followed.")
  var isWithoutRegions = false

  @Flag(name: .customLong("keep-sightings"), help: "Each sighting, too (csv, ndjson).")
  var keepsSightings = false

  @Flag(name: .customLong("keep-proximity"), help: "Each change of proximity, too.")
  var keepsProximity = false

  @Flag(
    name: .customLong("keep-bad-crc"),
    help: "Keep packets with a wrong checksum, marked crc_bad.")
  var keepsBadCRC = false

  @Flag(name: .shortAndLong, help: "Say more about the inputs on standard error.")
  var verbose = false

  @Flag(
    name: .shortAndLong,
    help: "Say less: no progress, no warnings but of damage and of what could not be read.")
  var quiet = false

  func validate() throws {
    guard let form = to?.form else {
      guard inputs.isEmpty else {
        throw ValidationError(
          "--to is missing: the form, one of \(CaseForm.allValueStrings.joined(separator: ", ")).")
      }
      return
    }
    if inputs.isEmpty { throw ValidationError("Nothing to export: name captures, or a case.") }
    if form.isFolder && out == "-" {
      throw ValidationError("\(form.name) is a folder of files: name it with -o \(form.usualName).")
    }
    if form.isBinary && out == "-" && Terminal.outputIsTerminal {
      throw ValidationError(
        "\(form.name) is not for terminals: write it to a file with -o \(form.usualName), or to a "
          + "program.")
    }
    var files = RunFiles()
    files.reads(inputs, "an input")
    follow.add(to: &files)
    files.writes(out, "-o", beside: [".unfinished"])
    try files.validate()
  }

  func run() throws {
    guard let form = to?.form else {
      return try write(
        CaseExports.all.map { TextColumns.left($0.name, 12) + $0.purpose })
    }
    if !form.isFolder {
      try KeptFile.check(out, takesCuts: form.name == "pcapng" && !isInput(out))
    }
    var input = try InputOptions.parse(["-"])
    input.captures = inputs
    input.keepBadCRC = keepsBadCRC
    input.verbose = verbose
    input.quiet = quiet
    var options = try CaseOptions.parse([])
    options.follow = follow
    options.isWithoutRegions = isWithoutRegions
    options.keepsBadCRC = keepsBadCRC
    options.clocks = clocks
    options.keepsSightings = keepsSightings
    options.keepsProximity = keepsProximity
    try CaseRun.lend(input, options) { try export(form, $0) }
  }

  /// Whether a file is read, or is a capture of a case that is: what is cut out of it may look like it.
  private func isInput(_ path: String) -> Bool {
    guard DiskFile.isRegular(path) else { return false }
    if InputList(inputs).sources.compactMap(\.path).contains(where: { DiskFile.isSame($0, path) }) {
      return true
    }
    let cases = inputs.filter { CaseFile.isCase($0) }
    guard !cases.isEmpty else { return false }
    let sum = FileDigest.sha256(path)
    return cases.contains { name in
      // What cannot be read is told when it is exported.
      guard let captures = try? CaseFile.open(name).rows(CaptureRow.self) else { return true }
      return captures.contains { DiskFile.isSame($0.name, path) || $0.sha256 == sum }
    }
  }

  /// Of some forty.
  private static let firstTables =
    "Look first at visits.csv (who was where) and beacon_summary.csv (a line for each beacon); CASE.md "
    + "tells what all of them are."

  private func export(_ form: CaseExport, _ file: CaseFile) throws {
    // Why nothing could be read is told with the problems; what was written before stays.
    guard try file.count(CaptureRow.self) > 0 else { return }
    let earlier = EarlierFile(out)
    do {
      let remarks =
        switch form.shape {
        case .text(let write), .binary(let write):
          try ExportedFile.write(out) { try write(file, &$0) }
        case .folder(let write): try ExportedFolder.write(out) { try write(file, $0) }
        }
      guard !quiet else { return }
      try InputRemarks.tell(file)
      for remark in remarks { Terminal.tell("beacontrace: \(remark).") }
      if form.isFolder { Terminal.tell(Self.firstTables) }
      if out != "-" { Terminal.tell("\(earlier.wrote).") }
    } catch let nonsense as CaseNonsense {
      Terminal.tell(
        "beacontrace: the case is damaged: \(nonsense.what). 'beacontrace case verify' tells what "
          + "has been changed.")
      throw ExitStatus.damaged
    } catch let problem as ExportedFile.Problem {
      Terminal.tell("beacontrace: \(problem)")
      throw ExitStatus.output
    }
  }
}

/// One of the registered forms.
struct CaseForm: ExpressibleByArgument {
  let form: CaseExport

  init?(argument: String) {
    guard let form = CaseExports.named(argument) else { return nil }
    self.form = form
  }

  var defaultValueDescription: String { form.name }
  static var allValueStrings: [String] { CaseExports.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
