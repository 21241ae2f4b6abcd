import CFuzzer
import Foundation
import FuzzTargets
import Glibc

/// `Fuzz targets` names the targets, `Fuzz seeds FOLDER` writes their first inputs, and
/// `Fuzz TARGET [libFuzzer's options] FOLDER…` fuzzes.
@main
enum Fuzz {
  static let target = FuzzTarget.all.first { CommandLine.arguments.dropFirst().first == $0.name }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "targets":
      for target in FuzzTarget.all { print(target.name) }
    case "seeds" where arguments.count == 2:
      for target in FuzzTarget.all { try writeSeeds(target, to: "\(arguments[2])/\(target.name)") }
    case .some where target != nil:
      drive()
    default:
      print("usage: Fuzz targets | Fuzz seeds FOLDER | Fuzz TARGET [options] FOLDER…")
      exit(64)
    }
  }

  private static func writeSeeds(_ target: FuzzTarget, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (number, input) in target.seeds().enumerated() {
      try Data(input).write(to: URL(filePath: "\(folder)/seed-\(number)"))
    }
  }

  /// Hands the command line on to libFuzzer, without the target's name.
  private static func drive() {
    unsafe CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
    var words: UnsafeMutablePointer? = unsafe CommandLine.unsafeArgv + 1
    var count = CommandLine.argc - 1
    exit(unsafe LLVMFuzzerRunDriver(&count, &words, testOneInput))
  }
}

/// One input. What is wrong with it ends the program, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: UInt) -> CInt {
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
  let faults = Fuzz.target?.faults(bytes) ?? []
  let text = faults.map { "FAULT: \($0)\n" }.joined()
  // Past the buffers of `print`, which are lost when the program ends itself.
  unsafe _ = text.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
  precondition(faults.isEmpty)
  return 0
}
