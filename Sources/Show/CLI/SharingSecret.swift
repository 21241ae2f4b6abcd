import ArgumentParser
import CaptureWriter
import Exports
import FoundationEssentials
import Pseudonyms
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
      try file.append(Array((HexDigits.text(bytes) + "\n").utf8))
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
      guard lines.count == 1, let bytes = HexDigits.bytes(lines[0]),
        bytes.count == Pseudonyms.secretBytes
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

private enum HexDigits {
  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Nil where it is anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { UInt8($0) }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[place..<(place + 2)], as: UTF8.self)
      guard pair.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }), let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
