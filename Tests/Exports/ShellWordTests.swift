import Testing

@testable import Exports

/// Words of commands that are proposed, as a shell and a terminal take them.
@Suite struct ShellWordTests {
  @Test(arguments: [
    ("site/hall.pcap", "site/hall.pcap"), ("", "''"), ("a b", "'a b'"),
    ("o'clock", #"'o'\''clock'"#),
    ("größe", "'größe'"), (#"a\b"#, #"'a\b'"#),
    ("e\u{1b}[31mx", #"$'e\033[31mx'"#), ("one\ntwo 'x' \\", #"$'one\012two \047x\047 \134'"#),
    ("\u{202e}7ü", #"$'\342\200\2567ü'"#),
  ])
  func isQuoted(_ word: String, _ shown: String) {
    #expect(ShellWord.quoted(word) == shown)
  }

  @Test func aWordWithEscapesIsNotWrapped() {
    let words = TextLayout.words(#"mend it: --clock $'e\033 x y=+1s' now"#)
    #expect(words.contains(#"$'e\033 x y=+1s'"#))
  }
}
