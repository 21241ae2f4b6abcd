import ArgumentParser
import Beacons
import CaptureWriter
import Exports
import FoundationEssentials
import Pseudonyms
import Regions
import TrackReader

/// What pseudonyms are made with.
enum SharingSecret {
  /// That of a file with 64 hexadecimal digits; nil where there is none yet.
  static func known(_ path: String?, isQuiet: Bool) throws -> [UInt8]? {
    guard let path, FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes = try read(path)
    guard !isQuiet else { return bytes }
    let name = TextColumns.printable(path)
    if isPattern(bytes) {
      Terminal.tell(
        "beacontrace: \(name): the secret repeats itself, so that whoever tries finds it. Name a file that is "
          + "not there, and one is made.")
    }
    if DiskFile.isOpenToOthers(path) {
      Terminal.tell(
        "beacontrace: \(name): others may read the secret, and come back to the originals with it: "
          + "chmod 600.")
    }
    return bytes
  }

  /// Whether its digits are some of them again and again.
  private static func isPattern(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.flatMap { [$0 >> 4, $0 & 15] }
    return [1, 2, 4, 8, 16, 32].contains { length in
      digits.indices.dropFirst(length).allSatisfy { digits[$0] == digits[$0 - length] }
    }
  }

  /// - Parameter path: of a file that is made; nil: a secret that nobody keeps.
  static func new(_ path: String?, isQuiet: Bool) throws -> [UInt8] {
    guard let path else { return random() }
    let bytes = random()
    do throws(DiskFile.Refusal) {
      let file = try DiskFile(path, isWritten: true, mode: 0o600)
      try file.append(Array((HexText.string(bytes) + "\n").utf8))
      try file.sync()
    } catch {
      Terminal.tell(
        "beacontrace: --secret \(TextColumns.printable(path)): \(error.what). Name a file in a folder that "
          + "this user may write to.")
      throw ExitStatus.output
    }
    if !isQuiet {
      Terminal.tell(
        "\(TextColumns.printable(path)): a new secret. Keep it, and keep it to yourself.")
    }
    return bytes
  }

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<Pseudonyms.secretBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      let lines = try ListFile.read(path) { line in line }
      guard lines.count == 1,
        let bytes = SettingText.hex(lines[0], count: Pseudonyms.secretBytes)
      else {
        Terminal.tell(
          "beacontrace: --secret \(TextColumns.printable(path)): holds no secret: \(2 * Pseudonyms.secretBytes) "
            + "hexadecimal digits on a line. Name a file that is not there, and one is made.")
        throw ExitCode.validationFailure
      }
      return bytes
    } catch let problem as TextProblem {
      Terminal.tell("beacontrace: \(problem.description)")
      throw ExitCode.validationFailure
    }
  }
}
