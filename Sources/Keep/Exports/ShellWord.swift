/// Words of a command line, for people who copy it.
package enum ShellWord {
  /// As a shell takes it.
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
        || "-_./:=,@+".utf8.contains(byte)
    }
    if plain, !word.isEmpty, word.allSatisfy(\.isASCII) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
