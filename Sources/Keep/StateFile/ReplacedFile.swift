import CaptureWriter

/// A file that is replaced as a whole: whoever opens it, whenever anything was killed, finds the old
/// bytes or the new ones. One process at a time may have it.
package final class ReplacedFile: Sendable {
  /// The file itself, behind symbolic links.
  let path: String
  /// Held as long as the file is: the system lets go of it with the process, however that ends.
  private let lock: DiskFile

  package struct Problem: Error, Equatable {
    /// One clause, with what the system says.
    let what: String
    /// A sentence: what to do next.
    let remedy: String
    /// It is something else than what the file is to hold.
    let isForeign: Bool

    init(
      _ what: String,
      remedy: String = "Name a file in a folder that this user may write to, or mend what is said.",
      isForeign: Bool = false
    ) {
      self.isForeign = isForeign
      self.what = what
      self.remedy = remedy
    }

    /// - Parameter name: what the system refused something of.
    static func of(_ name: String, _ refusal: DiskFile.Refusal) -> Problem {
      Problem("\(name) \(refusal.what)")
    }
  }

  private static let noFile = "is no file, but a folder, a pipe or a device"
  private static let isNoFile = Problem(
    "it \(noFile)", remedy: "Name another file.", isForeign: true)

  /// What it is good for.
  enum Use {
    /// What a run knows: nobody else may read it, and a power cut leaves the old bytes or the new ones.
    case state
    /// What a run says of itself: for everybody, and soon said anew.
    case status

    var mode: UInt32 { self == .state ? 0o600 : 0o644 }
  }

  private let use: Use

  /// Takes the lock, `path` with `.lock` behind it, which stays there.
  init(_ name: String, for use: Use = .state) throws(Problem) {
    path = DiskFile.resolved(name)
    self.use = use
    // By its own name, too: what a link of /dev/fd says is no path. Beside a device nothing is made.
    guard
      ![name, path].contains(where: { DiskFile.size(of: $0) != nil && !DiskFile.isRegular($0) })
    else { throw Self.isNoFile }
    let name = path + ".lock"
    do throws(DiskFile.Refusal) {
      if let held = try DiskFile.held(name, mode: use.mode) {
        lock = held
        return
      }
    } catch {
      throw .of(name, error)
    }
    throw Problem(
      "another run keeps its \(use) here", remedy: "End that run, or name another file.")
  }

  /// Its first bytes; none where there is none.
  func head(_ count: Int) throws(Problem) -> [UInt8] {
    guard DiskFile.size(of: path) != nil else { return [] }
    do throws(DiskFile.Refusal) {
      return try DiskFile(path, isWritten: false).read(at: 0, count: count)
    } catch {
      throw .of("it", error)
    }
  }

  /// Nil where there is none.
  /// - Parameter most: larger ones are an error.
  func read(most: Int) throws(Problem) -> [UInt8]? {
    guard DiskFile.size(of: path) != nil else { return nil }
    let bytes: [UInt8]
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(path, isWritten: false)
      guard file.isRegular else {
        throw DiskFile.Refusal(what: Self.noFile)
      }
      bytes = try file.read(at: 0, count: min(DiskFile.size(of: path) ?? 0, most) + 1)
    } catch {
      throw error.what == Self.noFile ? Self.isNoFile : .of("it", error)
    }
    guard bytes.count <= most else {
      throw Problem("it is larger than \(most >> 20) MB, which no saved state is")
    }
    return bytes
  }

  /// Puts other bytes in the file's place: written beside it, of a state brought to the disk, then renamed.
  func replace(_ bytes: [UInt8]) throws(Problem) {
    let beside = path + ".new"
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(beside, isWritten: true, mode: use.mode)
      do throws(DiskFile.Refusal) {
        try file.truncate()
        try file.append(bytes)
        if use == .state { try file.sync() }
        try file.rename(to: path, isLasting: use == .state)
      } catch {
        file.remove()
        throw error
      }
    } catch {
      throw .of(beside, error)
    }
  }

  /// Moves the file out of the way.
  /// - Parameters:
  ///   - ending: behind the file's name.
  ///   - replaces: in place of one that was moved there before; else it gets a number where there is one.
  /// - Returns: where it is now.
  func moveAside(to ending: String, replaces: Bool) throws(Problem) -> String {
    var aside = path + ending
    var number = 1
    while !replaces, DiskFile.size(of: aside) != nil {
      number += 1
      aside = "\(path)\(ending)_\(number)"
    }
    do throws(DiskFile.Refusal) {
      try DiskFile(path, isWritten: false).rename(to: aside)
    } catch {
      throw .of("it", error)
    }
    return aside
  }
}
