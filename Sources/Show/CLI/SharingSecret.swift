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
  /// - Parameter path: of a file with 64 hexadecimal digits, made where there is none; nil: one that nobody
  ///   keeps.
  static func bytes(_ path: String?, isQuiet: Bool) throws -> [UInt8] {
    guard let path else { return random() }
    guard !FileManager.default.fileExists(atPath: path) else { return try read(path) }
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
