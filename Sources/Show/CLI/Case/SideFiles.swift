import CaptureReader
import CaseStore
import Exports
import FoundationEssentials
import TrackReader

/// The files beside the captures that a case was made with, by their SHA-256: where they were named, seen from here
/// or from the case's folder, beside the case, or among files that are named now.
struct SideFiles {
  private let rows: [FileRow]
  private let name: String
  private let folder: String
  /// What is named now, whatever it is.
  private let others: [String]
  /// Those that options name as what is read now: pipes among them are read, others are left alone.
  private let pipes: Set<String>
  private(set) var places = SidePlaces()
  private lazy var neighbours: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
    .sorted().map { folder + $0 }

  /// - Parameter areRead: whether the run reads what is named as such files, be it pipes.
  init(_ rows: [FileRow], beside name: String, named others: [String], areRead: Bool = false) {
    self.rows = rows
    self.name = name
    self.others = others
    pipes = areRead ? Set(others.filter { TextFile.isStream($0) }) : []
    folder = SidePlaces.folder(name)
    places.modules = Set(rows.filter { $0.role == SideRole.module.rawValue }.map(\.name))
  }

  /// The case's captures are analyzed anew, and all that was found comes of these files, too.
  /// - Throws: where one of them is another file now, or is not there.
  mutating func check(tells: Bool) throws {
    let states = states()
    for (file, input) in states {
      switch input.state {
      case .changed: throw changed(file)
      case .missing:
        throw CaseProblem(
          name, "its \(Self.words(file)) is not there any more, or cannot be read",
          remedy:
            "Bring the file back, put it beside the case, or give its option with where it is "
            + "(sha256 \(Self.short(file))).",
          isSetting: true)
      default: continue
      }
    }
    for (file, _) in states where tells && isUnknown(file) {
      Terminal.tell(
        TextColumns.printable(
          "beacontrace: \(name): its \(Self.words(file)) came through a pipe, and nothing was kept of it: "
            + "whether it is the same nobody knows."))
    }
    // Somebody may have changed a file for this run, and have a copy of the old one there.
    for (file, input) in states where tells && input.state == .replaced {
      Terminal.tell(
        TextColumns.printable(
          "beacontrace: \(name): its \(Self.words(file)) is another file now; "
            + "\(input.foundAs ?? "") is as it was, and is read."))
    }
  }

  /// What has become of each, in the case's order.
  mutating func findings() -> [CaseFindings.Input] { states().map(\.input) }

  /// Modules lie beside their plugins: those are looked for first.
  private mutating func states() -> [(file: FileRow, input: CaseFindings.Input)] {
    let isModule = { (row: FileRow) in row.role == SideRole.module.rawValue }
    var found: [Int: CaseFindings.Input] = [:]
    for wanted in [false, true] {
      for (place, row) in rows.enumerated() where isModule(row) == wanted {
        found[place] = state(of: row)
      }
    }
    return rows.enumerated().compactMap { place, row in found[place].map { (row, $0) } }
  }

  private mutating func state(of row: FileRow) -> CaseFindings.Input {
    guard let role = SideRole(rawValue: row.role) else {
      return CaseFindings.Input(name: row.name, role: row.role, state: .missing)
    }
    let usual = usualPlaces(row, role)
    let there = usual.first { isThere($0) }
    if let path = usual.first(where: { holds($0, row) }) ?? elsewhere(row, role) {
      note(path, row, role)
      let isWhereItWas =
        role == .module ? isPlace(path, ofModule: row.name) : usual.contains(path)
      guard !isWhereItWas else {
        return CaseFindings.Input(name: row.name, role: row.role, state: .same)
      }
      let isTaken = role == .module ? InputList.size(of: row.name) != nil : there != nil
      return CaseFindings.Input(
        name: row.name, role: row.role, state: isTaken ? .replaced : .moved, foundAs: path)
    }
    if isUnknown(row) { return CaseFindings.Input(name: row.name, role: row.role, state: .same) }
    // It is read as it is now, to say what follows from it.
    if let there { note(there, row, role) }
    let isRead = there.map { sum($0) != nil } ?? false
    return CaseFindings.Input(
      name: row.name, role: row.role, state: isRead ? .changed : .missing)
  }

  private mutating func note(_ path: String, _ row: FileRow, _ role: SideRole) {
    let usual = role == .plugin ? try? PluginShelf.path(of: row.name) : row.name
    if path != usual { places[role, row.name] = path }
  }

  /// Where it was named, seen from here and from the case's folder, then by its last name beside the case. Of a
  /// module: beside the plugins, wherever they are.
  private func usualPlaces(_ row: FileRow, _ role: SideRole) -> [String] {
    if role == .module { return placesOfModule(row.name) }
    let file = Self.fileName(row.name, role)
    let seen = file.hasPrefix("/") ? [file] : [file, folder + file]
    return (role == .plugin ? [try? PluginShelf.path(of: row.name)].compactMap { $0 } : []) + seen
  }

  private func placesOfModule(_ name: String) -> [String] {
    let (home, file) = (SidePlaces.folder(name), Self.last(name))
    let beside = rows.compactMap { row -> String? in
      guard let role = SideRole(rawValue: row.role), role == .plugin || role == .site,
        SidePlaces.folder(row.name) == home
      else { return nil }
      let usual = role == .plugin ? try? PluginShelf.path(of: row.name) : row.name
      return (places[role, row.name] ?? usual).map { SidePlaces.folder($0) + file }
    }
    return beside + [PluginShelf.folder.map { "\($0)/\(name)" }].compactMap { $0 }
  }

  private func isPlace(_ path: String, ofModule name: String) -> Bool {
    [name, folder + name].contains(path)
      || PluginShelf.folder.map { path == "\($0)/\(name)" } == true
  }

  /// Plugins keep their names, which their alerts have; where their modules lie follows from where they do.
  private mutating func elsewhere(_ row: FileRow, _ role: SideRole) -> String? {
    // An empty file is known by its name alone.
    guard role != .module, row.bytes != 0 else { return nil }
    let last = Self.last(Self.fileName(row.name, role))
    let isNamed = role == .plugin || role == .site
    return
      ([folder + last] + others + neighbours).first {
        (!isNamed || Self.last($0) == last) && holds($0, row)
      }
  }

  /// Earlier versions kept an empty file of what came through a pipe; it is named by the same words now.
  private func isUnknown(_ row: FileRow) -> Bool {
    row.bytes == 0 && pipes.contains(row.name) && !holds(row.name, row)
  }

  private func isThere(_ path: String) -> Bool {
    InputList.size(of: path) != nil || pipes.contains(path)
  }

  private func sum(_ path: String) -> String? {
    guard pipes.contains(path) else { return FileDigest.sha256(path) }
    return (try? TextFile.read(path)).map { Digest.sha256($0) }
  }

  private func holds(_ path: String, _ row: FileRow) -> Bool {
    guard isThere(path), let wanted = row.sha256 else { return false }
    // Of modules a case keeps no size.
    if let bytes = InputList.size(of: path), bytes != row.bytes ?? bytes { return false }
    return sum(path) == wanted
  }

  /// A plugin may be called by its name alone.
  private static func fileName(_ name: String, _ role: SideRole) -> String {
    role != .plugin || name.contains("/") || name.hasSuffix(".lua") ? name : name + ".lua"
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Options that name files anew, and what a run has read.
extension SideFiles {
  /// The options as the case has them where they name files that hold the same.
  /// - Throws: where a file is named that is called as one of the case, and is another.
  func called(_ options: CaseOptions) throws -> CaseOptions {
    var options = options
    // Files that hold the same are one each of the case's.
    var used: Set<String> = []
    func called(_ word: String, _ role: SideRole) throws -> String {
      let name = try self.called(word, role) { used.contains("\(role) \($0)") }
      used.insert("\(role) \(name)")
      return name
    }
    func each(_ names: [String], _ role: SideRole) throws -> [String] {
      try names.map { try called($0, role) }
    }
    options.follow.regionFiles = try each(options.follow.regionFiles, .regions)
    options.follow.keys.files = try each(options.follow.keys.files, .keys)
    options.follow.messages = try options.follow.messages.map { try called($0, .messages) }
    options.follow.markers = try options.follow.markers.map { try called($0, .markers) }
    options.follow.rules.plugins = try each(options.follow.rules.plugins, .plugin)
    options.follow.rules.sites = try each(options.follow.rules.sites, .site)
    options.follow.tracks = try options.follow.tracks.map { word in
      let track = TrackWord(word)
      let file = try called(track.path, .track)
      return track.observer.map { "\($0)=\(file)" } ?? file
    }
    return options
  }

  private func called(
    _ word: String, _ role: SideRole, isUsed: (String) -> Bool
  ) throws -> String {
    let path = role == .plugin ? (try? PluginShelf.path(of: word)) ?? word : word
    // What is not here is found as the case's own file of that name, or by nobody.
    guard isThere(path) else { return word }
    let own = rows.filter { $0.role == role.rawValue }
    let isNamed = role == .plugin || role == .site
    let last = Self.last(Self.fileName(word, role))
    let same = own.filter {
      (!isNamed || Self.last(Self.fileName($0.name, role)) == last) && holds(path, $0)
    }
    if same.contains(where: { $0.name == word }) { return word }
    let free = same.filter { !isUsed($0.name) }
    let alike = free.first { Self.last(Self.fileName($0.name, role)) == last }
    if let one = alike ?? free.first ?? same.first { return one.name }
    guard let other = own.first(where: { $0.name == word }), !isUnknown(other) else { return word }
    throw CaseProblem(
      name,
      "its \(Self.words(other)) is as it was at \(places.path(word, role)), and the one that is named is another file",
      remedy: "Leave it out, or "
        + (role == .track
          ? "give the new one another name." : "name another file for another case."),
      isSetting: true)
  }

  /// - Parameter read: the files of the run that is over.
  /// - Throws: where one was another one by then, or rules took modules which they did not have.
  func check(read: [FileRow]) throws {
    for file in read {
      let own = rows.filter { $0.role == file.role && $0.name == file.name }
      if own.contains(where: { $0.sha256 == file.sha256 || isUnknown($0) }) {
        continue
      }
      if let other = own.first { throw changed(other) }
      guard file.role == SideRole.module.rawValue else { continue }
      throw CaseProblem(
        name, "its plugins took \(file.name), too, which they did not when it was made",
        remedy: "Move that file away, or make a new case with it; this one was left as it is.")
    }
  }

  private func changed(_ file: FileRow) -> CaseProblem {
    let isTrack = file.role == SideRole.track.rawValue
    return CaseProblem(
      name, "its \(Self.words(file)) is another file now",
      remedy:
        "Bring the file back as it was, there or beside the case (sha256 \(Self.short(file))), "
        + (isTrack
          ? "and give the new one another name." : "or make a new case with the new one."))
  }

  private static func words(_ file: FileRow) -> String {
    "\(SideRole(rawValue: file.role)?.words ?? "file") \(file.name)"
  }

  private static func short(_ file: FileRow) -> String {
    "\(file.sha256?.prefix(8) ?? "unknown")…"
  }
}
