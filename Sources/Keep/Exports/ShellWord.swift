/// Words of a command line, for people who copy it.
package enum ShellWord {
  /// As a shell takes it, and a terminal: control characters, and what turns or hides text, are written by their
  /// numbers (`$'…'`, POSIX.1-2024, which bash, ksh and zsh have long known).
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
        || "-_./:=,@+".utf8.contains(byte)
    }
    if plain, !word.isEmpty, word.allSatisfy(\.isASCII) { return word }
    if word.unicodeScalars.contains(where: TextColumns.isHarmful) { return escaped(word) }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  private static func escaped(_ word: String) -> String {
    var text = "$'"
    for scalar in word.unicodeScalars {
      if !TextColumns.isHarmful(scalar), scalar != "'", scalar != "\\" {
        text.unicodeScalars.append(scalar)
      } else {
        // Three octal digits: what follows is none of them.
        for byte in String(Character(scalar)).utf8 {
          text += "\\" + String(Int(byte) + 0o1000, radix: 8).dropFirst()
        }
      }
    }
    return text + "'"
  }
}
