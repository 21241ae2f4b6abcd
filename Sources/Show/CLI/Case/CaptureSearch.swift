import CaptureReader
import CaseStore
import Exports
import FoundationEssentials

/// Finds the captures of a case: where they were named, seen from here or from the case's folder, beside
/// the case, or among the files that are named now, by their SHA-256.
struct CaptureSearch {
  private let stored: CaseContents
  private let folder: String
  private let name: String
  /// What is named now.
  private let list: InputList
  /// Its files: folders are looked through already.
  private var named: [String]
  /// What is among them and in these folders, and is no capture or cannot be read.
  private let unread: [String]
  private let words: [String]
  /// Where each capture is, by the name that it has in the case.
  private(set) var moved: [String: String] = [:]
  private var taken: Set<String> = []
  /// Those of them that are as they were, and not where they were named.
  private(set) var elsewhere: [String: String] = [:]
  private var sums: [String: String] = [:]
  /// What lies beside the case, whatever it is called; looked at when nothing else is left.
  private lazy var neighbours: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
    .sorted().map { folder + $0 }

  init(_ stored: CaseContents, beside name: String, named: [String]) {
    self.stored = stored
    self.name = name
    words = named
    folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    list = InputList(named)
    self.named = list.sources.filter(\.canBeReadAgain).map(\.name)
    unread = (list.problems + list.passedOver + list.ignored).map(\.capture)
  }

  /// The case's captures, then what is new.
  mutating func captures(tells: Bool) throws -> [String] {
    var names: [String] = []
    for capture in stored.captures {
      guard let path = place(of: capture) else {
        throw CaseProblem(
          name,
          capture.name == "-"
            ? "its capture came from standard input, and no file that is named holds it (\(Self.short(capture)))"
            : "its capture \(capture.name) is not there any more, or has changed (\(Self.short(capture)))",
          remedy: "Name the file where it is now, beside the new ones.")
      }
      moved[capture.name] = path
      names.append(capture.name)
    }
    var known: [String] = []
    for path in named {
      guard moved.values.contains(path) || isRepeated(path) else {
        if moved[path] != nil {
          throw CaseProblem(
            name, "another capture of the name \(path) is in it already",
            remedy: "Name this one by its whole path.")
        }
        names.append(path)
        continue
      }
      known.append(path)
    }
    if tells {
      Self.tellOfKnown(known)
      list.tellOfRepeats()
    }
    if names.contains("-"), words.contains("-") {
      throw CaseProblem(
        name, "a capture of it came from standard input already, and a case has one such capture",
        remedy: "Keep the new one as a file, and name that.")
    }
    // What is no file is opened, and says why it cannot be read.
    return names + words.filter { $0 == "-" || (InputList.size(of: $0) == nil) }
  }

  private static func tellOfKnown(_ captures: [String]) {
    guard let first = captures.first else { return }
    let name = TextColumns.printable(first)
    Terminal.tell(
      captures.count == 1
        ? "\(name) is in the case already; read once."
        : "\(TextColumns.grouped(captures.count)) captures (\(name), …) are in the case already; each read once."
    )
  }

  /// Whether a file holds what a capture of the case does.
  private mutating func isRepeated(_ path: String) -> Bool {
    let alike = stored.captures.filter { $0.bytes == InputList.size(of: path) }
    guard !alike.isEmpty, let sum = sum(path) else { return false }
    return alike.contains { $0.sha256 == sum }
  }

  /// Nil where it is nowhere to be found as it was. Captures that hold the same get a file each, as long
  /// as there are enough; then one is read for several. To be asked once for each.
  private mutating func place(of capture: CaptureRow) -> String? {
    guard let wanted = capture.sha256 else { return nil }
    return place(capture.name, among: named, capture.bytes, wanted)
  }

  private mutating func place(
    _ name: String, among others: [String], _ bytes: Int, _ wanted: String
  ) -> String? {
    let last = Self.last(name)
    let alike = others.filter { Self.last($0) == last }
    var shared: String?
    func isFree(_ path: String) -> Bool {
      guard holds(path, bytes, wanted) else { return false }
      if taken.insert(path).inserted { return true }
      shared = shared ?? path
      return false
    }
    for path in usualPlaces(name) + [folder + last] + alike + others where isFree(path) {
      return path
    }
    return neighbours.first { isFree($0) } ?? shared
  }

  private mutating func holds(_ path: String, _ bytes: Int, _ wanted: String) -> Bool {
    InputList.size(of: path) == bytes && sum(path) == wanted
  }

  /// All files that are named now, whatever they are.
  var files: [String] { words + unread + named }

  /// Files and folders that were named to be looked through, and are not there.
  var missing: [String] {
    words.filter { $0 != "-" && !FileManager.default.fileExists(atPath: $0) }
  }

  /// Files that are named now and are none of the case's, whatever they are. To be asked when each of its inputs has
  /// been looked for.
  mutating func strangers() -> [String] {
    let found = Set(moved.values).union(elsewhere.values)
    // Other files are checked where they were, and may be named as well.
    let known = Set(
      (stored.notRead.files.map(\.sha256) + stored.files.map(\.sha256)).compactMap { $0 })
    return words.filter { word in
      guard InputList.size(of: word) != nil, !found.contains(word), !isRepeated(word) else {
        return false
      }
      return known.isEmpty || !known.contains(sum(word) ?? "")
    }
  }

  /// Where it was named, seen from here and from the case's folder; nowhere for what came from standard
  /// input.
  private func usualPlaces(_ name: String) -> [String] {
    name == "-" ? [] : name.hasPrefix("/") ? [name] : [name, folder + name]
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What has become of a capture; where it is found somewhere else, `moved` and `elsewhere` say so.
  mutating func state(of capture: CaptureRow) -> InputState {
    let places = usualPlaces(capture.name)
    let there = places.first { InputList.size(of: $0) != nil }
    if let path = place(of: capture) {
      moved[capture.name] = path
      if capture.name == "-" || places.contains(path) { return .same }
      elsewhere[capture.name] = path
      return there == nil ? .moved : .replaced
    }
    guard let path = there else { return .missing }
    // It is analysed as it is now, to say what follows from it.
    moved[capture.name] = path
    return .changed
  }

  /// What has become of a file of which nothing was read.
  mutating func state(of file: UnreadRow) -> InputState {
    let places = usualPlaces(file.name)
    let there = places.first { InputList.size(of: $0) != nil }
    guard let bytes = file.bytes else {
      // A folder, a pipe, a link: nothing can be compared.
      if there != nil { return .changed }
      if places.contains(where: { FileManager.default.fileExists(atPath: $0) }) { return .noFile }
      guard places.contains(where: Self.isOutOfReach) else { return .missing }
      return couldNotBeOpened(file) ? .unreadable : .noFile
    }
    guard let wanted = file.sha256 else {
      guard let there else { return .missing }
      return InputList.size(of: there) == bytes ? .sameSize : .changed
    }
    if let path = place(file.name, among: unread + named, bytes, wanted) {
      if places.contains(path) { return .same }
      elsewhere[file.name] = path
      return there == nil ? .moved : .replaced
    }
    return there == nil ? .missing : .changed
  }

  /// Else it was a folder, a pipe or hidden.
  private func couldNotBeOpened(_ file: UnreadRow) -> Bool {
    stored.notRead.problems.contains {
      $0.capture == file.name && [.cannotOpen, .readError].contains($0.code)
    }
  }

  /// Whether something is there that its name does not lead to: a link to nothing, or a name that is no UTF-8, in
  /// which U+FFFD stands for some of its bytes.
  private static func isOutOfReach(_ path: String) -> Bool {
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return true }
    guard path.unicodeScalars.contains("\u{FFFD}") else { return false }
    let folder = SidePlaces.folder(path)
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return names?.contains(last(path)) ?? false
  }

  private mutating func sum(_ path: String) -> String? {
    if let known = sums[path] { return known }
    let sum = FileDigest.sha256(path)
    sums[path] = sum
    return sum
  }

  private static func short(_ capture: CaptureRow) -> String {
    "sha256 \(capture.sha256?.prefix(8) ?? "unknown")…"
  }
}
