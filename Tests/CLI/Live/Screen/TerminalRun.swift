import Foundation
import Glibc
import Testing

/// A program on a terminal of its own, whose keyboard and whose picture the test has.
final class TerminalRun {
  enum End: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  struct NeverSeen: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var terminal: TerminalModel
  let process: pid_t
  private var keyboard: Int32
  /// Where the program runs; it stays as long.
  private let scratch: Scratch
  private var hasEnded = false
  /// TIOCSPTLCK and TIOCGPTN, which are not brought over from C.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
  /// Seconds: who waits longer waits for what never comes. No test goes by it.
  private static let patience = 300.0

  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - environment: beside TERM, and TOOL, which is the tool.
  init(
    _ words: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
    in scratch: Scratch
  ) throws {
    terminal = TerminalModel(columns: columns, rows: rows)
    self.scratch = scratch
    keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, Int32) = (0, 0)
    try #require(unsafe ioctl(keyboard, Self.setLock, &lock) == 0)
    try #require(unsafe ioctl(keyboard, Self.getNumber, &number) == 0)
    Self.setSize(keyboard, columns, rows)
    var all = ProcessInfo.processInfo.environment
    all.merge(["TERM": "xterm", "TOOL": Tool.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    all.merge(environment) { $1 }
    all["NO_COLOR"] = nil
    process = try Self.start(
      ["sh", "-c", "cd \"$0\" && exec \"$@\"", scratch.folder.path(percentEncoded: false)] + words,
      "/dev/pts/\(number)", all.map { "\($0)=\($1)" })
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
    }
    if keyboard >= 0 { close(keyboard) }
  }

  /// In a session of its own, whose terminal is the first that it opens; no signal ignored or held back.
  private static func start(
    _ words: [String], _ terminal: String, _ environment: [String]
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var (every, none) = (sigset_t(), sigset_t())
    unsafe sigfillset(&every)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &every)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    // POSIX_SPAWN_SETSID is not brought over from C.
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | 0x80
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(
      &process, words[0], &actions, &attributes, &arguments, &variables)
    try #require(failure == 0, "\(words[0]) cannot be started: \(failure)")
    return process
  }

  // MARK: What a person does

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    unsafe _ = bytes.withUnsafeBytes { unsafe write(keyboard, $0.baseAddress, $0.count) }
  }

  func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    Self.setSize(keyboard, columns, rows)
  }

  private static func setSize(_ keyboard: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    unsafe _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
  }

  /// Takes the terminal away.
  func hangUp() {
    close(keyboard)
    keyboard = -1
  }

  /// Whether keys come line by line, and are shown.
  var keysAreOrdinary: Bool {
    var keys = termios()
    guard unsafe tcgetattr(keyboard, &keys) == 0 else { return false }
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return keys.c_lflag & wanted == wanted && keys.c_iflag & tcflag_t(ICRNL) != 0
  }

  // MARK: What a person sees

  /// Looks at every state of the terminal until one is as wanted.
  func wait(for what: String, until isThere: (TerminalModel) -> Bool) throws {
    let deadline = Date.now.addingTimeInterval(Self.patience)
    while !isThere(terminal) {
      guard try read(deadline, what) else { throw neverSeen(what, "the program has ended") }
    }
  }

  /// Waits until nobody has the terminal any more, and for the program's end.
  func end() throws -> End {
    let deadline = Date.now.addingTimeInterval(Self.patience)
    if keyboard >= 0 { while try read(deadline, "the end") {} }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, WNOHANG) != process {
      guard Date.now < deadline else { throw neverSeen("the end", "it goes on") }
      usleep(5000)
    }
    hasEnded = true
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }

  /// - Returns: false where nobody writes any more.
  private func read(_ deadline: Date, _ what: String) throws -> Bool {
    var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    let left = deadline.timeIntervalSinceNow
    guard left > 0 else { throw neverSeen(what, "it did not come") }
    guard unsafe poll(&ready, 1, Int32(left * 1000)) == 1 else { return true }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(keyboard, $0.baseAddress, $0.count)
    }
    guard count > 0 else { return false }
    terminal.take(bytes.prefix(count))
    return true
  }

  private func neverSeen(_ what: String, _ why: String) -> NeverSeen {
    let picture = (terminal.scrolled + terminal.lines).joined(separator: "\n")
    return NeverSeen(
      description: "\(what): \(why). Faults: \(terminal.faults). There stands:\n\(picture)")
  }
}
