/// The files of a recording that rotates: makes the next, removes the oldest.
struct RotatedFiles: Sendable {
  private let names: RotatedNames
  private let rotation: Rotation
  private let lock: RecordingLock
  private var latest: RotatedNames.Place?

  init(_ path: String, _ rotation: Rotation) throws(RecordingProblem) {
    names = RotatedNames(path)
    self.rotation = rotation
    let folder = names.folder.isEmpty ? "." : names.folder
    guard RecordingFile.canWrite(folder: folder) else {
      throw RecordingProblem(
        path: path, what: "no files can be made in \(folder)",
        remedy: "Make the folder, or choose one that can be written to.")
    }
    if let least = rotation.keep, least < 1 {
      throw RecordingProblem(
        path: path, what: "\(least) files cannot be kept", remedy: "Keep 1 at least.")
    }
    lock = try RecordingLock(path)
  }

  /// Whether a file of so many bytes and nanoseconds is too much.
  func isDue(bytes: Int64, nanoseconds: Int64) -> Bool {
    bytes > rotation.bytes ?? .max || nanoseconds >= rotation.nanoseconds ?? .max
  }

  /// Makes a file that was not there. Names keep the order of the files even where time steps back.
  mutating func next(at nanoseconds: Int64) throws(RecordingProblem) -> RecordingFile {
    var place = RotatedNames.Place(time: FileTime(nanoseconds).compact, number: 1)
    if let latest, place <= latest { place = latest }
    while RecordingFile.exists(names.path(place)) { place.number += 1 }
    let made = try RecordingFile.create(names.path(place), overwrites: false)
    latest = place
    return made
  }

  /// Removes what is more than may stay; returns what kept it from that.
  func removeOldest() -> String? {
    guard let keep = rotation.keep else { return nil }
    var problem: String?
    let old = names.existing().filter { $0 != latest }
    for place in old.dropLast(keep - 1) {
      let path = names.path(place)
      if let reason = RecordingFile.remove(path) {
        problem = "\(path) cannot be removed: \(reason)"
      }
    }
    return problem
  }
}
