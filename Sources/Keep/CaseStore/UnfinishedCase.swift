import CaptureWriter
import GRDB

/// A case file while it is made: beside the one of that name, which is replaced as a whole at the end.
/// Whoever is killed on the way leaves the case as it was, and something beside it that the next run
/// replaces.
package final class UnfinishedCase {
  /// As the user named it.
  package let name: String
  /// Behind symbolic links.
  private let path: String
  private let beside: DiskFile
  /// What is written; nil before `begin`.
  private var file: CaseFile?
  /// Whether it is in its place.
  package private(set) var isFinished = false
  /// Whether what there was is still there, as it says the same.
  package private(set) var isUnchanged = false
  /// Of what there was when it was copied.
  private var stamp: [Int]?

  /// Takes the case for this run.
  /// - Throws: where another run is at it, and where nothing can be written there.
  package init(_ name: String) throws(CaseProblem) {
    self.name = name
    path = DiskFile.resolved(name)
    do throws(DiskFile.Refusal) {
      guard let beside = try DiskFile.beside(path) else {
        throw DiskFile.Refusal(what: Self.inUse)
      }
      self.beside = beside
    } catch {
      throw Self.problem(name, error)
    }
  }

  private static let inUse = "another run is writing this case"

  private static func problem(_ name: String, _ refusal: DiskFile.Refusal) -> CaseProblem {
    refusal.what == inUse
      ? CaseProblem(name, inUse, remedy: "Wait for it, or name another file.")
      : CaseProblem(
        name, refusal.what,
        remedy: "Name a file in a folder that this user may write to, or mend what is said.",
        isOutput: true)
  }

  /// Where it is written until it is whole.
  package var nameBeside: String { beside.path }

  /// Whether there is something of that name already.
  package var isThere: Bool { DiskFile.size(of: path) != nil }

  /// A case to be filled: an empty one, or what there was with our tables empty.
  /// - Throws: where what is there is no case, or of a newer form.
  package func begin() throws -> CaseFile {
    // Also where nothing is there yet: what is made would have a part that is none of its own.
    if isThere { try CaseFile.check(name) } else { try CaseFile.checkRest(name) }
    do throws(DiskFile.Refusal) {
      try beside.truncate()
      if isThere { try copy() }
    } catch {
      throw Self.problem(name, error)
    }
    let file = try CaseFile.writing(beside.path)
    let triggers = try file.triggers()
    guard triggers.isEmpty else {
      try file.close()
      throw CaseProblem(
        name, "triggers would change what is written: \(triggers.joined(separator: ", "))",
        remedy: "Drop them (sqlite3: DROP TRIGGER name), or name another file.")
    }
    if isThere { try file.empty() }
    self.file = file
    return file
  }

  private func copy() throws(DiskFile.Refusal) {
    let old = try DiskFile(path, isWritten: false)
    beside.takeMode(of: path)
    stamp = DiskFile.stamp(of: path)
    let piece = 1 << 20
    var offset = 0
    while true {
      let bytes = try old.read(at: offset, count: piece)
      try beside.write(bytes, at: offset)
      offset += bytes.count
      if bytes.count < piece { return }
    }
  }

  /// Seals what was filled, and puts it in the place of what there was; where that says the same to the last row, it
  /// stays, so that who kept its seal finds it again.
  package func finish() throws {
    guard let file else { return }
    guard stamp == nil || stamp == DiskFile.stamp(of: path) else {
      throw CaseProblem(
        name, "somebody has written to it while the captures were read",
        remedy: "It was left as it is now; run this again when nobody else writes to it.")
    }
    let page = try file.seal()
    if stamp != nil, try isSame(file) {
      (isUnchanged, isFinished) = (true, true)
      try file.close()
      self.file = nil
      return beside.remove()
    }
    try file.close()
    self.file = nil
    do throws(DiskFile.Refusal) {
      try CaseSeal.close(beside, page)
      try beside.sync()
      try beside.rename(to: path)
      isFinished = true
    } catch {
      throw Self.problem(name, error)
    }
  }

  /// Whether what there was says the same, and is as it was sealed: what others added since gets a seal again.
  private func isSame(_ file: CaseFile) throws -> Bool {
    let old = try CaseFile.open(name)
    guard try file.saysTheSame(as: old) else { return false }
    let page = try old.database.read { try CaseSeal.page($0) }
    do throws(DiskFile.Refusal) {
      return try CaseSeal.holds(DiskFile(path, isWritten: false), page)
    } catch {
      throw Self.problem(name, error)
    }
  }

  /// Nothing comes of it.
  package func discard() {
    if isFinished { return }
    try? file?.close()
    file = nil
    beside.remove()
  }
}
