import FoundationEssentials

/// When a recording goes on in another file, and how many of them stay.
package struct Rotation: Equatable, Sendable {
  /// Most bytes in a file; nil for no limit. A packet is never parted.
  package var bytes: Int64?
  /// Most nanoseconds from a file's first packet on, by the packets' clock; nil for no limit.
  package var nanoseconds: Int64?
  /// So many files stay, the one under way among them; nil for all.
  package var keep: Int?

  package init(bytes: Int64? = nil, nanoseconds: Int64? = nil, keep: Int? = nil) {
    self.bytes = bytes
    self.nanoseconds = nanoseconds
    self.keep = keep
  }

  /// Whether a file is named as those of a recording that rotates, in its folder: where files are
  /// counted it may be removed.
  /// - Parameter recording: the recording's name.
  package static func mayRemove(_ file: String, recording: String) -> Bool {
    let names = RotatedNames(recording)
    let folder = names.folder.isEmpty ? "." : names.folder
    // By its own name, and by that of the file behind a link.
    return [file, DiskFile.resolved(file)].contains { path in
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      let name = String(parts.last ?? "")
      let own = String(path.dropLast(name.count))
      return names.place(name) != nil && DiskFile.isSame(own.isEmpty ? "." : own, folder)
    }
  }
}

/// Names of the files of a recording that rotates: of `site.pcapng` they are
/// `site-20260101T120000Z.pcapng`, by the time of the first packet, and `…Z_002.pcapng` where that is
/// taken.
struct RotatedNames: Sendable {
  /// With its slash; empty for the working directory.
  let folder: String
  private let stem: String
  private let ending: String

  /// What orders files.
  struct Place: Comparable, Hashable, Sendable {
    /// `20260101T120000Z`.
    var time: String
    var number: Int

    static func < (a: Place, b: Place) -> Bool { (a.time, a.number) < (b.time, b.number) }
  }

  init(_ path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    folder = String(path.dropLast(name.count))
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    stem = String(name[..<dot])
    ending = String(name[dot...])
  }

  func path(_ place: Place) -> String {
    let number = place.number == 1 ? "" : "_" + Self.digits(place.number)
    return "\(folder)\(stem)-\(place.time)\(number)\(ending)"
  }

  /// Three digits at least.
  static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  /// Nil for a name that is not exactly one of these.
  func place(_ name: String) -> Place? {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending),
      name.utf8.count > stem.utf8.count + 1 + ending.utf8.count
    else { return nil }
    let parts = name.dropFirst(stem.count + 1).dropLast(ending.count)
      .split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count <= 2, Self.isTime(parts[0]) else { return nil }
    let place = Place(
      time: String(parts[0]), number: parts.count == 1 ? 1 : Int(parts[1]) ?? 0)
    // Only what would be written the same way: no signs, no other number of zeros.
    return place.number >= 1 && path(place) == folder + name ? place : nil
  }

  private static func isTime(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return false
    }
    return (0..<15).allSatisfy { $0 == 8 || (0x30...0x39).contains(bytes[$0]) }
  }

  /// Files of this recording and of earlier ones by the same name, in the order of their names.
  func existing() -> [Place] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).compactMap { place($0) }.sorted()
  }
}
