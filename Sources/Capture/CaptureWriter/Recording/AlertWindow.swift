/// Packets around alerts, on their way to a file.
struct AlertWindow: Sendable {
  struct Cause: Sendable {
    let id: String
    let title: String
    /// Nanoseconds since 1970.
    let time: Int64
    let frames: [Int]
  }

  /// Titles are cut at so many characters, and so many alerts are told on a frame or of the file: a
  /// comment holds less than 64 KiB.
  private static let longestTitle = 200
  private static let mostOnFrame = 20
  private static let mostListed = 50
  private static let mostMissingListed = 100

  let path: String
  private(set) var from: Int64
  private(set) var until: Int64
  private(set) var causes: [Cause]
  /// 1, or which file of those that one window takes.
  let part: Int

  init(path: String, from: Int64, until: Int64, cause: Cause) {
    (self.path, self.from, self.until) = (path, from, until)
    causes = [cause]
    part = 1
  }

  /// What follows where memory was full.
  init(after window: AlertWindow, path: String) {
    (self.path, from, until) = (path, .min, window.until)
    causes = window.causes
    part = window.part + 1
  }

  /// Takes another alert: the window goes on to its end.
  mutating func extend(_ cause: Cause, until: Int64) {
    causes.append(cause)
    self.until = max(self.until, until)
  }

  /// The file's bytes.
  /// - Parameter goneUntil: until when packets had to go because memory was full.
  func file(
    _ entries: ArraySlice<ItemRing.Entry>, _ interfaces: [PcapngWriter.Interface], goneUntil: Int64?
  ) -> [UInt8] {
    let first = entries.firstIndex { $0.item.nanoseconds >= from } ?? entries.endIndex
    let last = entries.lastIndex { $0.item.nanoseconds <= until } ?? first - 1
    let entries = first <= last ? entries[first...last] : entries[first..<first]
    let frames = entries.lazy.filter(\.isPacket)
    let comments = comments
    var stream = PcapngStream(interfaces)
    var bytes = stream.begin(
      comment: words(from: frames.first?.frame, to: frames.last?.frame, goneUntil: goneUntil))
    for entry in entries {
      let comment = entry.isPacket ? comments[entry.frame] ?? "" : ""
      stream.append(entry.item, comment: comment, to: &bytes)
    }
    return bytes
  }

  /// What stands on cited frames.
  private var comments: [Int: String] {
    var lists: [Int: [Cause]] = [:]
    for cause in causes {
      for frame in Set(cause.frames) { lists[frame, default: []].append(cause) }
    }
    return lists.mapValues { causes in
      var words = causes.prefix(Self.mostOnFrame).map { "alert \($0.id): \(Self.short($0.title))" }
      if causes.count > Self.mostOnFrame {
        words.append("\(causes.count - Self.mostOnFrame) more alerts")
      }
      return words.joined(separator: "; ")
    }
  }

  private static func short(_ title: String) -> String {
    // A character may have any number of scalars: these are counted.
    let scalars = title.unicodeScalars
    guard scalars.count > longestTitle else { return title }
    return String(String.UnicodeScalarView(scalars.prefix(longestTitle))) + "…"
  }

  /// What the section says of itself.
  private func words(from first: Int?, to last: Int?, goneUntil: Int64?) -> String {
    var lines = ["Packets around alerts, written by beacontrace."]
    if part > 1 { lines.append("Part \(part): there were more than memory holds.") }
    for cause in causes.prefix(Self.mostListed) {
      lines.append("\(FileTime(cause.time).text) alert \(cause.id): \(Self.short(cause.title))")
    }
    if causes.count > Self.mostListed { lines.append("\(causes.count - Self.mostListed) more") }
    if let goneUntil, goneUntil >= from, part == 1 {
      lines.append(
        "Packets up to \(FileTime(goneUntil).text) had to go before: memory was full.")
    }
    guard let first, let last else { return lines.joined(separator: "\n") }
    lines.append("Frame 1 of this file is frame \(first) of the capture.")
    // Of later parts others have the frames that came before.
    let missing = Set(causes.flatMap(\.frames)).filter { $0 < first || $0 > last }.sorted()
    if !missing.isEmpty, part == 1 {
      let numbers = missing.prefix(Self.mostMissingListed).map(String.init).joined(separator: ", ")
      let more = missing.count - Self.mostMissingListed
      lines.append(
        "Cited frames that are not in it: \(numbers)" + (more > 0 ? " and \(more) more." : "."))
    }
    return lines.joined(separator: "\n")
  }
}
