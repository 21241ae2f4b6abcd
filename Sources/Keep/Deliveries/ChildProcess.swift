import CaptureReader
import Foundation
import Glibc
import Synchronization

/// A program that gets some bytes on its standard input, and whose output comes to us. It has a process
/// group of its own, no file of ours, and its signals as usual.
struct ChildProcess: Sendable {
  let process: pid_t

  enum Ending: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Both ends of a pipe, between its making and the start of its reader.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    /// - Parameter isInput: we write; otherwise we read. Our end never waits.
    init(isInput: Bool) throws(DeliveryProblem) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else {
        throw DeliveryProblem(
          what: SystemError(code: errno).text, remedy: "Allow the program more open files.")
      }
      (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(isInput ? writing : reading, F_SETFL, O_NONBLOCK)
    }

    func close() { _ = (Glibc.close(reading), Glibc.close(writing)) }
  }

  /// Two children must not be started at once: each would get the other's pipe, and wait for its end.
  private static let starting = Mutex(())

  /// Starts a program, hands it its input and waits for its end. Its number stays its own until
  /// somebody calls `reap`.
  /// - Parameters:
  ///   - program: its file.
  ///   - words: its name and arguments.
  ///   - output: takes what it writes.
  ///   - started: is told the process before the input is handed over, which may take as long as the
  ///     process does.
  static func run(
    _ program: String, _ words: [String], input: [UInt8], output: inout ChildOutput,
    started: (ChildProcess) -> Void
  ) throws(DeliveryProblem) -> ChildProcess {
    let isQuiet = output.isQuiet
    let (child, pipe, said) = try starting.withLock { _ throws(DeliveryProblem) in
      let pipe = try Pipe(isInput: true)
      var said: Pipe?
      do throws(DeliveryProblem) {
        if !isQuiet { said = try Pipe(isInput: false) }
        let child = try spawn(program, words, input: pipe.reading, output: said?.writing)
        return (child, pipe, said)
      } catch {
        pipe.close()
        said?.close()
        throw error
      }
    }
    started(child)
    // It has its own, and only where no other is left its output has an end.
    if let said { close(said.writing) }
    child.serve(input, to: pipe, from: said?.reading, &output)
    _ = child.hasEnded(waits: true)
    return child
  }

  private static func spawn(
    _ program: String, _ words: [String], input: Int32, output: Int32?
  ) throws(DeliveryProblem) -> ChildProcess {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    if let output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // Libraries have files of their own that would be inherited: sockets that capture, for one.
    for file in (STDERR_FILENO + 1)..<Self.endOfFiles {
      unsafe posix_spawn_file_actions_addclose(&actions, file)
    }
    // Threads of queues block all signals, and the program may ignore some: neither is inherited.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGXFSZ] {
      unsafe sigaddset(&signals, signal)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawn(
      &process, program, &actions, &attributes, &arguments, &variables)
    guard code == 0 else {
      throw DeliveryProblem(
        what: "\(program) cannot be started: \(SystemError(code: code).text)",
        remedy: "Check that it runs from a shell.")
    }
    return ChildProcess(process: process)
  }

  /// Above all files that are open, with some that may be opened before the process is there.
  private static var endOfFiles: Int32 {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let highest = (names ?? []).compactMap { Int32($0) }.max() ?? 255
    return max(STDERR_FILENO + 1, min(highest + 32, Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))))
  }

  /// Writes the input and reads the output until the process has ended, or needs neither any more. Our
  /// own reading end of the input stays open meanwhile: who closes his without reading breaks nothing.
  private func serve(
    _ input: [UInt8], to pipe: Pipe, from said: Int32?, _ output: inout ChildOutput
  ) {
    var at = 0
    var isWriting = true
    var isReading = said != nil
    defer {
      if isWriting { close(pipe.writing) }
      close(pipe.reading)
      if let said { close(said) }
    }
    while true {
      if isWriting, !write(input, &at, pipe.writing) || at == input.count {
        close(pipe.writing)
        isWriting = false
      }
      if !isWriting && !isReading { return }
      var ends = [
        pollfd(fd: isWriting ? pipe.writing : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isReading ? said ?? -1 : -1, events: Int16(POLLIN), revents: 0),
      ]
      // It may end while another one that it started keeps its output.
      unsafe _ = poll(&ends, 2, 50)
      let hasEnded = hasEnded(waits: false)
      if isReading, let said { isReading = output.take(from: said, all: hasEnded) }
      if hasEnded { return }
    }
  }

  /// As much as there is room for.
  /// - Returns: false where nothing more can be written.
  private func write(_ input: [UInt8], _ at: inout Int, _ descriptor: Int32) -> Bool {
    while at < input.count {
      let count = unsafe input.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count > 0 {
        at += count
      } else if errno == EAGAIN {
        return true
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Leaves the process as it is: its number is not given to another before `reap`.
  private func hasEnded(waits: Bool) -> Bool {
    var info = unsafe siginfo_t()
    let options = WEXITED | WNOWAIT | (waits ? 0 : WNOHANG)
    while true {
      if unsafe waitid(P_PID, id_t(process), &info, options) == 0 {
        return unsafe waits || info.si_signo == SIGCHLD
      }
      if errno != EINTR { return true }
    }
  }

  /// Takes note of its end; the number may then be another's.
  func reap() -> Ending {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Signals the process and those that it started.
  func signal(_ signal: Int32) { _ = kill(-process, signal) }
}
