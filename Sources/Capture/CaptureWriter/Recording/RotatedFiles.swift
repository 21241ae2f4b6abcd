/// The files of a recording that rotates: makes the next, removes the oldest.
struct RotatedFiles: Sendable {
  private let names: RotatedNames
  private let rotation: Rotation
  private let lock: RecordingLock
  private var latest: RotatedNames.Place?
  /// Files of this run that are there yet, in the order in which they were made, the latest left out; kept
  /// where old ones go.
  private var made: [RotatedNames.Place] = []

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
    let file = try RecordingFile.create(names.path(place), overwrites: false)
    if let latest, rotation.keep != nil { made.append(latest) }
    latest = place
    return file
  }

  /// Removes what is more than may stay; returns what kept it from that.
  mutating func removeOldest() -> String? {
    guard let keep = rotation.keep else { return nil }
    forgetGone()
    var problem: String?
    for place in older().dropLast(keep - 1) {
      if let reason = remove(place) {
        problem = "\(names.path(place)) cannot be removed: \(reason)"
      }
    }
    return problem
  }

  /// Removes the oldest file, where old ones may go.
  /// - Returns: how many bytes it had; nil: there is none, or it cannot be removed.
  mutating func giveAway() -> Int64? {
    forgetGone()
    guard rotation.keep != nil, let place = older().first,
      let about = RecordingFile.about(names.path(place)), remove(place) == nil
    else { return nil }
    return about.bytes
  }

  /// Files that somebody else has moved away or deleted, or that did not get beyond their beginning, are not among
  /// those that stay.
  private mutating func forgetGone() {
    made.removeAll { RecordingFile.isGone(names.path($0)) }
  }

  private mutating func remove(_ place: RotatedNames.Place) -> String? {
    let reason = RecordingFile.remove(names.path(place))
    if reason == nil { made.removeAll { $0 == place } }
    return reason
  }

  /// More than a clock is set by, nanoseconds.
  private static let day: Int64 = 86_400_000_000_000

  /// All but the file under way, the oldest first: what earlier runs wrote by when it was written last, then
  /// what this one made. Names do not tell that: a run whose clock was ahead wrote names that would outlive
  /// all that come after it. For the same reason files of a day to come are older than others.
  private func older() -> [RotatedNames.Place] {
    guard let latest else { return [] }
    let own = Set(made + [latest])
    let now = RecordingFile.about(names.path(latest))?.written ?? .max
    let (limit, overflow) = now.addingReportingOverflow(Self.day)
    let earlier = names.existing().filter { !own.contains($0) }.map { place in
      let written = RecordingFile.about(names.path(place))?.written ?? .min
      return (place: place, written: written, isOfDayToCome: !overflow && written > limit)
    }
    return earlier.sorted {
      $0.isOfDayToCome != $1.isOfDayToCome
        ? $0.isOfDayToCome : ($0.written, $0.place) < ($1.written, $1.place)
    }.map(\.place) + made
  }
}
