import Dispatch
import Exports
import Glibc
import Synchronization

/// The terminal while a board stands on it: a page of its own, and keys as they are pressed. Whatever ends the
/// program gives the terminal back as it was.
final class BoardTerminal: Sendable {
  /// What is to be given back: by handlers of signals, too, which may take no lock.
  private struct Given {
    var keys = termios()
    var hasKeys = false
  }

  // Changed under `page`; handlers of signals read what stands there. In memory of its own: of a variable the
  // runtime would look who else has it.
  nonisolated(unsafe) private static let given = {
    let given = UnsafeMutablePointer<Given>.allocate(capacity: 1)
    unsafe given.initialize(to: Given())
    return unsafe given
  }()
  /// Whoever takes it away gives the terminal back.
  private static let isOnPage = Atomic(false)
  /// A page of its own, without a cursor; what is too long for a line is cut.
  private static let enterPage = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  private static let leavePage: StaticString = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let queue = DispatchQueue(label: "beacontrace.board")
  /// Whoever draws, takes the page away or brings it back has it; whether there is a board.
  private static let page = Mutex(false)
  // Made once; Dispatch lets anyone cancel them, which the types do not say.
  nonisolated(unsafe) private let sources: [any DispatchSourceProtocol]

  /// - Parameters:
  ///   - pressed: gets what the keyboard sends.
  ///   - disturbed: the program was stopped and goes on, or the terminal has another size: everything is to
  ///     be drawn again.
  init(pressed: @escaping @Sendable ([UInt8]) -> Void, disturbed: @escaping @Sendable () -> Void) {
    Self.page.withLock { hasBoard in
      hasBoard = true
      Self.enter()
      Self.watchEnds()
    }
    var sources = [
      // Ctrl-Z: the shell is to find its terminal as it left it.
      Self.source(of: SIGTSTP, queue) {
        Self.page.withLock { hasBoard in
          guard hasBoard else { return }
          Self.giveBack()
          // Somebody may set it otherwise meanwhile.
          unsafe Self.given.pointee.hasKeys = false
          Self.stop()
          Self.enter()
        }
        disturbed()
      },
      // Stopped by others: what stands there is not known.
      Self.source(of: SIGCONT, queue) {
        Self.page.withLock { hasBoard in if hasBoard { Self.enter() } }
        disturbed()
      },
      // Drawn again even where it has its old size again: what was cut meanwhile is gone.
      Self.source(of: SIGWINCH, queue) { disturbed() },
    ]
    if isatty(STDIN_FILENO) == 1 { sources.append(Self.keyboard(queue, pressed)) }
    unsafe self.sources = sources
  }

  /// Shows the page that was there before.
  func end() {
    for source in unsafe sources { source.cancel() }
    Self.page.withLock { hasBoard in
      hasBoard = false
      Self.giveBack()
      CrashHandlers.remove()
    }
    signal(SIGTSTP, SIG_DFL)
  }

  /// Does what is to be drawn while nobody takes the page away; not where it is not there.
  func whileOnPage(_ draw: () throws -> Void) throws {
    try Self.page.withLock { _ in
      guard Self.isOnPage.load(ordering: .acquiring) else { return }
      try draw()
    }
  }

  /// Stops the program as Ctrl-Z does one that knows nothing of it: where no shell could let it go on again,
  /// the kernel leaves it running.
  private static func stop() {
    var stop = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    signal(SIGTSTP, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    // To this thread: it stops before it goes on here.
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    signal(SIGTSTP, SIG_IGN)
  }

  private static func keyboard(
    _ queue: DispatchQueue, _ pressed: @escaping @Sendable ([UInt8]) -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { [source] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        pressed(Array(bytes.prefix(count)))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        // The terminal is gone.
        source.cancel()
      }
    }
    source.resume()
    return source
  }

  private static func source(
    of number: Int32, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    // Dispatch only listens: the default is to stop.
    if number == SIGTSTP { signal(number, SIG_IGN) }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    source.resume()
    return source
  }

  private static func watchEnds() {
    atexit { BoardTerminal.giveBack() }
    CrashHandlers.install()
  }

  private static func enter() {
    var keys = termios()
    let hasKeyboard =
      unsafe isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &keys) == 0
    if hasKeyboard, unsafe !given.pointee.hasKeys {
      unsafe given.pointee = Given(keys: keys, hasKeys: true)
    }
    // From here on it is to be given back.
    isOnPage.store(true, ordering: .releasing)
    if hasKeyboard {
      unsafe cfmakeraw(&keys)
      // Ctrl-C and Ctrl-Z stay what they are, and lines end as ever.
      keys.c_lflag |= tcflag_t(ISIG)
      keys.c_oflag |= tcflag_t(OPOST)
      unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys)
    }
    let bytes = Array(enterPage.utf8)
    unsafe _ = bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Only what a handler of signals may do.
  static func giveBack() {
    guard isOnPage.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if unsafe given.pointee.hasKeys {
      unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &given.pointee.keys)
    }
    // A terminal that stands still is not waited for.
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&output, 1, 100) == 1 else { return }
    unsafe _ = write(STDOUT_FILENO, leavePage.utf8Start, leavePage.utf8CodeUnitCount)
  }
}
