import Exports
import Glibc
import Synchronization

/// What is known of the terminal.
enum Terminal {
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1

  /// Columns of standard output; nil where it is not a terminal.
  static var width: Int? { outputIsTerminal ? columns(of: STDOUT_FILENO) : nil }

  /// Of standard output, as it is now; 80 by 24 where it is not a terminal.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Columns of standard error, as they are now; 80 where it is not a terminal.
  static var errorWidth: Int { columns(of: STDERR_FILENO) }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Colour on a terminal only, and never with NO_COLOR (no-color.org) or TERM=dumb.
  static var hasColour: Bool {
    outputIsTerminal && environment("NO_COLOR").map(\.isEmpty) != false
      && environment("TERM") != "dumb"
  }

  /// Whether lines can be written over.
  static var canMove: Bool { outputIsTerminal && environment("TERM") != "dumb" }

  private static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  private static let diversion = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Hands lines for a standard error that is a terminal to somebody else: where a board stands they would
  /// tear it. Nil: no more.
  static func divert(_ taker: (@Sendable (String) -> Void)?) {
    guard errorIsTerminal else { return }
    diversion.withLock { $0 = taker }
  }

  /// A line on standard error, or several. Names of files and what stands in them may be in it: control
  /// characters other than tabs are shown, whoever forgot to.
  static func tell(_ line: String) {
    let line = shown(line)
    if let taker = diversion.withLock({ $0 }) { return taker(line) }
    let bytes = Array((line + "\n").utf8)
    unsafe _ = bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func shown(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { TextColumns.printable(String($0)) }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  static func tellInPlace(_ text: String) {
    let bytes = Array(("\r" + text + "\u{1B}[K").utf8)
    unsafe _ = bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
