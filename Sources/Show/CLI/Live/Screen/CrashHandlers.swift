import Glibc

/// Gives the terminal back where the program ends as it stands, and hands the signal on to whoever had it
/// before: a crash is told as it is without a board.
///
/// Handlers run on a stack of their own, for the thread's may be what has run out; other threads than the
/// one that installed them have none. They only call what POSIX lets them, and touch memory that was
/// there before.
enum CrashHandlers {
  private static let deadly = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  private static let mostSignals = 65
  private static let stackSize = 1 << 18

  /// By number, what was there before. Raw memory: of a variable the runtime would look who else has it.
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(
    capacity: mostSignals)
  nonisolated(unsafe) private static let isTaken = {
    let taken = UnsafeMutablePointer<Bool>.allocate(capacity: mostSignals)
    unsafe taken.initialize(repeating: false, count: mostSignals)
    return unsafe taken
  }()

  /// Once at a time. What is ignored stays ignored.
  static func install() {
    giveStack()
    var ours = sigaction()
    unsafe ours.__sigaction_handler.sa_sigaction = { number, info, context in
      unsafe CrashHandlers.handle(number, info, context)
    }
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK
    for number in deadly {
      let place = Int(number)
      guard unsafe sigaction(number, nil, before + place) == 0,
        unsafe !isIgnored(before[place])
      else { continue }
      unsafe isTaken[place] = true
      unsafe sigaction(number, &ours, nil)
    }
  }

  /// What was there before is there again.
  static func remove() {
    var number: Int32 = 1
    while number < mostSignals {
      if unsafe isTaken[Int(number)] {
        unsafe sigaction(number, before + Int(number), nil)
        unsafe isTaken[Int(number)] = false
      }
      number += 1
    }
  }

  private static func handle(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    BoardTerminal.giveBack()
    remove()
    let old = unsafe before[Int(number)]
    if old.sa_flags & SA_SIGINFO != 0 {
      unsafe old.__sigaction_handler.sa_sigaction?(number, info, context)
    } else {
      unsafe old.__sigaction_handler.sa_handler?(number)
    }
    // Whoever had it may have come back. It waits until this handler has.
    var standard = sigaction()
    unsafe sigaction(number, &standard, nil)
    raise(number)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    guard let handler = unsafe action.__sigaction_handler.sa_handler else { return false }
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Where this thread has none.
  private static func giveStack() {
    var stack = unsafe stack_t()
    guard unsafe sigaltstack(nil, &stack) == 0, unsafe stack.ss_flags & Int32(SS_DISABLE) != 0
    else { return }
    let memory = unsafe mmap(
      nil, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
    unsafe stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: stackSize)
    // Kept: the thread may need it to its end.
    unsafe sigaltstack(&stack, nil)
  }
}
