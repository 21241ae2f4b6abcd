import Analysis
import ArgumentParser
import CaptureReader
import CaptureWriter
import Exports
import FoundationEssentials
import FrameDecoder
import Pseudonyms

struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Captures with pseudonyms, to be handed on: the same events, nobody's names.",
    usage: "beacontrace share --into <folder> [options] <capture> ...",
    discussion: """
      Who made a capture may not be free to hand it on: it holds the addresses of everybody who passed, names \
      of their devices, and the identifiers of a site. This writes captures that may be handed on, and proves \
      that they say the same: each is read once more, and every sighting and every region event has to be the \
      one of the original, by pseudonyms; there are as many frames of each class and as many reports, and the \
      devices are the same.

      What becomes of what a capture holds:
        addresses, UUIDs, majors and minors, namespaces and instances, identifiers
        of Eddystone-EID, letters of URLs
                   others of the same form: the same for the same in all captures
                   that are shared with one secret, and no two come to one
        names      letters without a meaning
        payloads that are no beacon's, and encrypted telemetry
                   scrambled whole: the same for the same; a type stays by which
                   the kind of device is told (Apple's, Microsoft's, Ruuvi's,
                   Minew's, Eddystone's)
        a company that is none: a number not given yet, or the sender's address
                   of the payload: scrambled with it, to a number of no company
        companies, services by 16 bits, flags, powers, plain telemetry, class of
        device, appearance, role, advertising interval, range of connection
        intervals, AltBeacon's reserved byte; of extended advertising the number
        of a set and of its data (ADI), which is the same whatever address it
        has; scan settings, times, RSSI, channels, numbers and lengths of frames
                   stay
        connections, keys, commands that are not about scanning, packets of the
        air with another access address than advertising has, where periodic
        advertising is to be found (SyncInfo), packets with a wrong checksum
        (but with --keep-bad-crc)
                   zeros behind their heads
        reports that are not whole
                   zeros, as little whole as they were
        positions, comments, descriptions, addresses and names of interfaces
        other than hci0 and the like, blocks that are no packets
                   are left out
        damage     a comment says what is wrong with the original
        names of files, and of the folders of several receivers
                   stay: shared captures are called as the originals

      Times, signals, telemetry and how often something advertises may still tell who was where to \
      somebody who was there, too. Keys (--keys) open nothing in a shared capture, and decoders of plugins \
      find nothing in scrambled payloads. With --clock times are as it moves them.

      A secret (--secret) is a file with 64 hexadecimal digits, which is made where there is none. With it \
      another capture gets the same pseudonyms, and --table says again whom they stand for: keep both to \
      yourself. Without it nobody can say so, and captures that are shared later have others.

      Examples:
        beacontrace share --into shared phone.log
            shared/phone.pcapng, of which nobody can come back.
        beacontrace share --into shared --secret site.secret --table who.csv site/
            All captures of a folder, and who is who, for yourself.
      """)

  @OptionGroup var input: InputOptions

  @Option(help: ArgumentHelp("A new folder for the captures.", valueName: "folder"))
  var into: String

  @Option(
    help: ArgumentHelp(
      "What pseudonyms are made with: 64 hexadecimal digits. Made where there is no such file.",
      valueName: "file"),
    completion: .file())
  var secret: String?

  @Option(
    help: ArgumentHelp(
      "Who is who, as CSV: kind, original, pseudonym, and what it is part of. One that is there is replaced by one of the "
        + "same secret only.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var table: String?

  func validate() throws {
    for (option, path) in [("--table", table), ("--secret", secret)] {
      guard let path else { continue }
      if path == "-" { throw ValidationError("\(option) names a file of its own.") }
      if Self.lies(path, in: into) {
        throw ValidationError(
          "\(option): what leads back to the originals would go along with \(into); name a file elsewhere."
        )
      }
    }
    try files(input.captures).validate()
  }

  private static func lies(_ path: String, in folder: String) -> Bool {
    // By their names: nothing need be there yet.
    let parts = { (path: String) in URL(filePath: path).standardizedFileURL.pathComponents }
    return parts(path).starts(with: parts(folder))
  }

  private func files(_ captures: [String]) -> RunFiles {
    var files = RunFiles()
    files.reads(captures, "a capture")
    files.reads([secret].compactMap { $0 }, "the secret")
    files.writes(table, "--table", beside: [".unfinished"])
    return files
  }

  func run() throws {
    let session = try Session(input, readsAgain: true, keepsCopies: true)
    try files(session.captures).check()
    let known = try SharingSecret.known(secret, isQuiet: input.quiet)
    if let table {
      try KeptFile.check(table)
      try Self.checkTable(table, known)
    }
    guard !FileManager.default.fileExists(atPath: into) else {
      Terminal.tell(
        "beacontrace: \(TextColumns.printable(into)): it is there already; name another folder, or remove it. "
          + "Nothing was written.")
      throw ExitStatus.output
    }
    let names = Pseudonyms(
      secret: try known ?? SharingSecret.new(secret, isQuiet: input.quiet))
    let original = SharedTrace(names)
    var sink = SinkBox(original)
    // Before anything is written: what cannot be read is told, and is no part of it.
    try session.run(
      collectsStatistics: true, following: Self.following, tellsClocks: true, into: &sink
    ) { result in
      try original.take(result)
      let facts = Dictionary(result.captures.map { ($0.name, $0) }) { one, _ in one }
      let unread = result.problems.count
      try share(session.sources.filter { facts[$0.name] != nil }, names, original, facts, unread)
    }
  }

  /// A file that is there already is written over where it is empty, or the table of the same secret.
  private static func checkTable(_ path: String, _ secret: [UInt8]?) throws {
    guard DiskFile.isRegular(path), DiskFile.size(of: path) != 0 else { return }
    if let secret, let file = try? DiskFile(path, isWritten: false),
      let head = try? file.read(at: 0, count: 1 << 16), SharedTable.isOwn(head, secret: secret)
    {
      return
    }
    Terminal.tell(
      "beacontrace: \(TextColumns.printable(path)) is there already, and is no table of this secret; name "
        + "another file, or remove that one first.")
    throw ExitCode.validationFailure
  }

  /// What a newcomer's timeline follows: a region for each UUID and namespace.
  private static var following: FollowSettings {
    var settings = FollowSettings()
    settings.wantsProximity = true
    return settings
  }

  private func share(
    _ sources: [CaptureSource], _ names: Pseudonyms, _ original: SharedTrace,
    _ facts: [String: CaptureFacts], _ unread: Int
  ) throws {
    guard !sources.isEmpty else { return }
    let files = SharedNames.all(sources.map(\.name))
    let damage = sources.map { facts[$0.name].flatMap(ProblemText.damageInBrief) }
    do {
      let written = try ExportedFolder.write(into) { open in
        try sources.indices.map { place in
          let source = sources[place]
          var output = try open(files[place])
          return try SharedCapture.write(
            source, names, keepsGarbage: input.keepBadCRC,
            earliest: facts[source.name].map(Self.earliest) ?? .none, damage: damage[place],
            facts: facts[source.name], to: &output)
        }
      }
      let text = ShareText(
        folder: into, files: files, captures: sources.map(\.name), written: written,
        digests: sources.map { facts[$0.name]?.sha256 ?? [] }, entries: names.entries,
        payloads: names.payloadsReplaced, damage: damage, unread: unread)
      try write(text.lines)
      try prove(sources, names, files, original)
      if let table {
        // It is worth as much as the secret.
        try ExportedFile.write(table, isPrivate: true) {
          try SharedTable.write(names.entries, to: &$0)
        }
        try write(["Who is who: \(TextColumns.printable(table))"])
      }
    } catch let problem as ExportedFile.Problem {
      Terminal.tell("beacontrace: \(problem)")
      throw ExitStatus.output
    }
  }

  /// Of all its times, also of those that are not believed.
  private static func earliest(_ facts: CaptureFacts) -> Timestamp {
    [facts.span.earliest, facts.span.earliestOutlier].filter(\.isKnown)
      .min { $0.nanoseconds < $1.nanoseconds } ?? .none
  }

  /// Reads what was written, and compares.
  private func prove(
    _ sources: [CaptureSource], _ names: Pseudonyms, _ files: [String], _ original: SharedTrace
  ) throws {
    let captures = sources.map(\.name)
    var options = Analysis.Options()
    options.decoder.keepBadCRC = input.keepBadCRC
    options.collectsStatistics = true
    options.follow = Self.following
    let shared = SharedTrace(nil)
    var sink = SinkBox(shared)
    var analysis = Analysis(files.map { .file("\(into)/\($0)") }, options: options)
    let result = try analysis.run(into: &sink) { _ in }
    try shared.take(result)
    var devices: Set<UInt64> = []
    var difference = original.difference(from: shared, captures)
    for (source, file) in zip(sources, files) where difference == nil {
      let own = try SharedDevices(source, keepsGarbage: input.keepBadCRC, names)
      let theirs = try SharedDevices(
        .file("\(into)/\(file)"), keepsGarbage: input.keepBadCRC, nil)
      difference = own.difference(from: theirs).map { "\(source.name) has \($0)" }
      devices.formUnion(own.addresses)
    }
    if let difference {
      Terminal.tell(
        "beacontrace: the shared captures do not say the same: \(TextColumns.printable(difference)). Do not hand "
          + "them on as if they did.")
      throw ExitStatus.damaged
    }
    try write([
      "Checked: \(TextColumns.counted(original.sightingCount, "sighting")) and "
        + "\(TextColumns.counted(original.eventCount, "event")) are the same, frame by frame.",
      "Checked: \(TextColumns.counted(original.frameCount, "frame")) by class, "
        + "\(TextColumns.counted(original.reportCount, "report")) and "
        + "\(TextColumns.counted(devices.count, "device")) are the same.",
    ])
  }

  private func write(_ lines: [String]) throws {
    var output = StandardOutput()
    try output.write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}

/// How shared captures are called: as observers of the originals are, each once. Where receivers have a folder
/// each they lie as the originals do, below the folder of all: who gets them can tell them apart (--observers
/// folder), and compare the days (`compare shared/monday shared/friday`).
enum SharedNames {
  static func all(_ captures: [String]) -> [String] {
    let folders = FolderNames.names(of: captures)
    let places = Set(folders.values).count > 1 ? FolderNames.below(captures) : nil
    guard let places else { return called(captures, folders) }
    // So many as tell receivers apart, and dates: who else a path names is nobody's business.
    let depth = folders.values.map { $0.split(separator: "/").count }.max() ?? 1
    var taken: Set<String> = []
    return zip(captures, places).map { capture, folders in
      let own = folders.filter { $0 != ".." }
      let named = own.indices.filter { !DatedName.isDate(own[$0]) }.suffix(depth)
      let path = own.indices.filter { named.contains($0) || DatedName.isDate(own[$0]) }.map {
        own[$0]
      }
      return unique((path + [flat(ObserverNames.stem(of: capture))]).joined(separator: "/"), &taken)
        + ".pcapng"
    }
  }

  /// Where they do not lie below one folder: by their receivers, or flat.
  private static func called(_ captures: [String], _ folders: [Int: String]) -> [String] {
    // Each folder its own, also where two are flat alike.
    var names: [String: String] = [:]
    var takenFolders: Set<String> = []
    for folder in Set(folders.values).sorted() where !flat(folder).isEmpty {
      names[folder] = unique(flat(folder), &takenFolders)
    }
    let stems = ObserverNames.stems(of: captures)
    var taken: Set<String> = []
    return captures.indices.map { place in
      guard names.count > 1, let folder = folders[place].flatMap({ names[$0] }) else {
        return unique(flat(stems[place]), &taken) + ".pcapng"
      }
      return unique(folder + "/" + flat(ObserverNames.stem(of: captures[place])), &taken)
        + ".pcapng"
    }
  }

  private static func flat(_ name: String) -> String {
    name.split(separator: "/").filter { $0 != ".." }.joined(separator: "-")
  }

  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var number = 2
    var candidate = name
    while !taken.insert(candidate).inserted {
      candidate = "\(name)-\(number)"
      number += 1
    }
    return candidate
  }
}
