import Glibc
import Testing

@testable import CLI

@Suite("Handlers of crashes") struct CrashDeathTests {
  @Test("give the terminal back where the stack has run out")
  func overflow() async {
    let result = await #expect(
      processExitsWith: .signal(SIGSEGV), observing: [\.standardOutputContent]
    ) {
      let terminal = BoardTerminal(pressed: { _ in }, disturbed: {})
      withExtendedLifetime(terminal) { _ = Self.depth(0) }
    }
    let written = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(written.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
  }

  @inline(never)
  private static func depth(_ level: Int) -> Int { level < 0 ? 0 : 1 + depth(level + 1) }

  @Test("leave ignored what was ignored, and are gone with the board")
  func others() async {
    await #expect(processExitsWith: .success) {
      signal(SIGQUIT, SIG_IGN)
      let before = Self.handlers()
      let terminal = BoardTerminal(pressed: { _ in }, disturbed: {})
      let during = Self.handlers()
      terminal.end()
      precondition(before[0] == during[0] && before[1] != during[1] && before == Self.handlers())
      raise(SIGQUIT)
    }
  }

  private static func handlers() -> [Int] {
    [SIGQUIT, SIGSEGV].map { number in
      var action = sigaction()
      unsafe sigaction(number, nil, &action)
      return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
  }
}
