import Analysis
import ArgumentParser
import BeaconKeys
import Beacons
import Exports
import Regions
import TrackReader

/// Devices by their addresses, keys of beacons whose identifiers change, and of devices whose addresses do: the same
/// for every command that reads sightings.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .customLong("device"), parsing: .singleValue,
    help: ArgumentHelp(
      "A device of any kind, as NAME=ADDRESS, with commas between several addresses: whatever it advertises, "
        + "beacon or not, is a sighting of it, with a row and a region of its own. 'beacontrace devices --each' "
        + "lists addresses. May be repeated.", valueName: "name=address"))
  var devices: [String] = []

  @Option(
    name: .customLong("keys"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file with a key on each line. Of a beacon, as NAME=eid:KEY with ,exponent=10 and "
        + ",clock=SECONDS@TIME and ,window=SECONDS behind it: Eddystone-EIDs that it made are that beacon's, "
        + "and its encrypted telemetry is opened. Of a device whose addresses change, as NAME=irk:KEY (its "
        + "identity resolving key, most significant byte first; ,reversed behind it for the other order): "
        + "whatever comes from addresses that it made is that device's. May be repeated.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  /// What became of the keys, where somebody may expect something else: a sentence each.
  static func remarks(
    _ ring: KeyRing, _ odd: OddIdentifiers, _ follow: FollowSettings?
  ) -> [String] {
    let regions = (follow?.regions.regions ?? []).compactMap { region -> String? in
      guard case .identity(let prefix) = region.condition, prefix.kind == .eddystoneEID,
        let key = ring.maker(of: prefix.identity.words.0)
      else { return nil }
      return elsewhere("region '\(region.identifier)'", prefix.bytes, key)
    }
    let messages = (follow?.messages ?? []).compactMap { message -> String? in
      guard case .bytes(.eddystoneEID, let bytes) = message.beacon.match,
        let key = ring.maker(of: bytes.reduce(0) { $0 << 8 | UInt64($1) })
      else { return nil }
      return elsewhere("a message", bytes, key)
    }
    var seen: Set<String> = []
    return KeyRemarks.all(ring, odd) + DeviceRemarks.all(ring.devices)
      + (regions + messages).filter { seen.insert($0).inserted }
  }

  private static func elsewhere(_ what: String, _ bytes: [UInt8], _ key: BeaconKey) -> String {
    "\(what) is of the Eddystone-EID \(HexText.string(bytes)), and what sent it is known by its key here: "
      + "write eid:\(key.name)."
  }

  func validate() throws {
    do throws(SettingProblem) {
      _ = try ringOfDevices()
    } catch {
      throw ValidationError("\(error).")
    }
  }

  /// What can be told without the files.
  func ringOfDevices() throws(SettingProblem) -> KeyRing {
    do throws(SettingProblem) {
      return try KeyLine.ring([], named: try named())
    } catch {
      throw error.inside("--device")
    }
  }

  private func named() throws(SettingProblem) -> [NamedDevice] {
    var all: [NamedDevice] = []
    for text in devices { all.append(try NamedDevice.parse(text)) }
    return all
  }

  /// Nil where nothing is named. What is wrong has been told.
  /// - Parameter places: where files are that are not where they were named.
  func ring(_ places: SidePlaces = SidePlaces()) throws -> KeyRing? {
    guard !files.isEmpty || !devices.isEmpty else { return nil }
    do {
      let keys = try files.flatMap { path in try lines(of: places.path(path, .keys)) }
      if keys.isEmpty, !files.isEmpty {
        throw SettingProblem(
          "--keys: \(files.joined(separator: ", ")) names no key",
          allowed:
            "write NAME=eid:KEY[,exponent=10][,clock=SECONDS@TIME] or NAME=irk:KEY on a line for "
            + "each")
      }
      return try ring(keys)
    } catch let problem as TextProblem {
      Terminal.tell("beacontrace: \(problem.description)")
      throw ExitCode.validationFailure
    } catch let problem as SettingProblem {
      Terminal.tell("beacontrace: \(problem).")
      throw ExitCode.validationFailure
    }
  }

  /// Lines that are told at most of a file that has more wrong ones.
  private static let mostWrong = 10

  private func lines(of path: String) throws -> [KeyLine] {
    let read: (items: [KeyLine], problems: [TextProblem])
    do {
      read = try ListFile.readAll(path) { (line) throws(SettingProblem) in
        try KeyLine.parse(line)
      }
    } catch {
      // A message may be seen by others.
      guard Self.mayBeKey(path) else { throw error }
      throw SettingProblem(
        "--keys: what is named is no file, and may be a key itself",
        allowed: "write the line into a file that only you may read, and name that")
    }
    let (keys, wrong) = (read.items, read.problems)
    guard !wrong.isEmpty else { return keys }
    for problem in wrong.prefix(Self.mostWrong) {
      Terminal.tell("beacontrace: \(problem.description)")
    }
    let more = wrong.count - Self.mostWrong
    if more > 0 {
      let lines = TextColumns.counted(more, "more line is", "more lines are")
      Terminal.tell("beacontrace: \(TextColumns.printable(path)): \(lines) wrong.")
    }
    throw ExitCode.validationFailure
  }

  /// Whether the name of a file, wherever it is, reads like a line of one, or holds as many hexadecimal digits as half
  /// a key, also with signs between them.
  private static func mayBeKey(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased().filter { !$0.isWhitespace }
    var run = 0
    for letter in name where letter != ":" && letter != "-" {
      run = letter.isHexDigit ? run + 1 : 0
      if run == 16 { return true }
    }
    return ["eid:", "irk:"].contains { name.hasPrefix($0) || name.contains("=\($0)") }
  }

  private func ring(_ keys: [KeyLine]) throws(SettingProblem) -> KeyRing {
    let ring: KeyRing
    do throws(SettingProblem) {
      ring = try KeyLine.ring(keys)
    } catch {
      throw error.inside("--keys")
    }
    guard !devices.isEmpty else { return ring }
    do throws(SettingProblem) {
      return try KeyLine.ring(keys, named: try named())
    } catch {
      throw error.inside("--device")
    }
  }
}
