import FoundationEssentials
import Glibc

/// Writes the manual pages from what the tool says of itself:
///
///     beacontrace --experimental-dump-help | Manual VERSION DATE FOLDER
///
/// One page for the tool and one for each of its commands (`man beacontrace analyze`). DATE is as
/// mdoc(7) wants it, "May 19, 2026": the same input gives the same bytes.
@main
enum Manual {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3, let folder = words.last else {
      fail("usage: beacontrace --experimental-dump-help | Manual VERSION DATE FOLDER", status: 64)
    }
    let issue = Issue(version: words[1], date: words[2])
    do {
      let tool = try JSONDecoder().decode(ToolHelp.self, from: Data(standardInput())).command
      for page in ManualPage.all(of: tool, issue) {
        try Data(page.text.utf8).write(to: URL(filePath: "\(folder)/\(page.name).1"))
      }
    } catch {
      fail("Manual: \(error)", status: 1)
    }
  }

  private static func standardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    while let line = readLine(strippingNewline: false) { bytes += line.utf8 }
    return bytes
  }

  private static func fail(_ sentence: String, status: Int32) -> Never {
    let bytes = Array((sentence + "\n").utf8)
    unsafe _ = bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
  }
}

/// Which edition of the tool the pages are of.
struct Issue {
  let version: String
  let date: String
}
