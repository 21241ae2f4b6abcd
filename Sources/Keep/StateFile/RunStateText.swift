package import Analysis
import CaptureReader
import FoundationEssentials
package import Plugins

/// What is in a file of a run's state.
///
/// Three lines of JSON, the same bytes for the same state:
/// `{"format":"beacontrace-run-state","version":1,"sha256":"…","run":`, what the run knows, and behind
/// `,"plugins":` what plugins saved, as `SavedStates` writes it. The digest is that of everything behind
/// the first line. Times are nanoseconds since 1970.
package struct RunStateText: Equatable, Sendable {
  /// Nil where no run has had a time yet.
  package var run: RunState?
  package var plugins = SavedStates()

  package static let format = "beacontrace-run-state"
  package static let version = 1

  package init(run: RunState?, plugins: SavedStates = SavedStates()) {
    self.run = run
    self.plugins = plugins
  }

  package func bytes() throws(ReplacedFile.Problem) -> [UInt8] {
    try Self.bytes(run, plugins: plugins.text)
  }

  /// - Parameter plugins: as `PluginHost.savedState` gives it.
  static func bytes(
    _ run: RunState?, plugins: [UInt8]
  ) throws(ReplacedFile.Problem) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(run) else {
      throw ReplacedFile.Problem("what the run knows cannot be written as JSON")
    }
    var body = Array(json)
    body += Array(",\"plugins\":\n".utf8)
    body += plugins.last == 0x0A ? plugins.dropLast() : plugins[...]
    body += Array("}\n".utf8)
    return Array((head + Digest.sha256(body) + headEnd).utf8) + body
  }

  private static let head = #"{"format":"\#(format)","version":\#(version),"sha256":""#
  private static let headEnd = "\",\"run\":\n"

  /// Why bytes are no state of a run.
  package enum Damage: Error, Equatable {
    /// They never were one: a clause.
    case foreign(String)
    /// They are one of a version that this program does not read.
    case otherVersion(Int)
    /// They were one: a clause.
    case damaged(String)
  }

  package init(reading bytes: [UInt8]) throws(Damage) {
    let start = #"{"format":"\#(Self.format)","#
    // Ours, of a disk that was full or a copy that was not finished.
    if !bytes.isEmpty, Self.head.utf8.starts(with: bytes) {
      throw .damaged("byte \(bytes.count + 1): it ends within its first line")
    }
    if !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) {
      throw .damaged("byte 1: nothing but zeros, as a power cut leaves them")
    }
    guard bytes.starts(with: start.utf8) || Self.isChangedState(bytes) else {
      throw .foreign("this is no saved state of a run")
    }
    if let version = Self.version(bytes), version != Self.version { throw .otherVersion(version) }
    let digestEnd = Self.head.utf8.count + 64
    let place = digestEnd + Self.headEnd.utf8.count
    guard bytes.starts(with: Self.head.utf8), bytes.count > place,
      bytes[digestEnd..<place].elementsEqual(Self.headEnd.utf8)
    else {
      let same = zip(bytes, Self.head.utf8).prefix { $0 == $1 }.count
      throw .damaged("byte \(same + 1): its first line is cut or changed")
    }
    let body = Array(bytes[place...])
    guard Digest.sha256(body).utf8.elementsEqual(bytes[Self.head.utf8.count..<digestEnd]) else {
      throw .damaged(
        "byte \(place + 1) and what follows: cut or changed, for it has another SHA-256 than the file "
          + "says")
    }
    try self.init(body: body, from: place)
  }

  /// What the first line says, where it is whole so far.
  private static func version(_ bytes: [UInt8]) -> Int? {
    let start = Array(#"{"format":"\#(format)","version":"#.utf8)
    guard bytes.starts(with: start) else { return nil }
    let digits = bytes[start.count...].prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count), bytes[digits.endIndex...].first == UInt8(ascii: ",")
    else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Whether bytes whose beginning is changed were a state all the same: three of four bytes of the first line are
  /// those of every state, or plugins' states stand where a state has them.
  private static func isChangedState(_ bytes: [UInt8]) -> Bool {
    let fixed = Array(head.utf8) + [UInt8](repeating: 0, count: 64) + Array(headEnd.utf8)
    let same = zip(bytes, fixed).count { $1 != 0 && $0 == $1 }
    if same * 4 >= (fixed.count - 64) * 3 { return true }
    let mark = Array((",\"plugins\":\n" + SavedStates.beginning).utf8)
    let lineEnd = mark.firstIndex(of: 0x0A) ?? 0
    return bytes.indices.contains { place in
      bytes[place] == 0x0A && place >= lineEnd && place - lineEnd + mark.count <= bytes.count
        && bytes[(place - lineEnd)...].starts(with: mark)
    }
  }

  /// The digest is right: what is wrong now was written so.
  private init(body: [UInt8], from place: Int) throws(Damage) {
    let mark = Array(",\"plugins\":".utf8)
    guard let end = body.firstIndex(of: 0x0A), body[..<end].suffix(mark.count).elementsEqual(mark),
      body.suffix(2).elementsEqual("}\n".utf8)
    else { throw .damaged("byte \(place + 1): `plugins` is missing") }
    do {
      run = try JSONDecoder().decode(
        RunState?.self, from: Data(body[..<(end - mark.count)]))
    } catch {
      throw .damaged("byte \(place + 1): `run` \(Self.clause(error))")
    }
    do throws(PluginProblem) {
      plugins = try SavedStates(
        reading: Array(body[(end + 1)...].dropLast(2)), name: "byte \(place + end + 2): `plugins`")
    } catch {
      throw .damaged(error.description)
    }
  }

  private static func clause(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context)?:
      "has no '\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))'"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
      .dataCorrupted(let context)?:
      "cannot be read at '\(context.codingPath.map(\.stringValue).joined(separator: "."))'"
    default: "cannot be read"
    }
  }
}
