import Foundation

/// A command as people write it, in words: no shell reads it.
package enum CommandWords {
  /// Parts a command at its blanks. Quotes of either kind keep blanks, a backslash keeps the character
  /// behind it, in single quotes it is a backslash. Nothing else means anything: no `$`, `*`, `|`.
  package static func split(_ command: String) throws(DeliveryProblem) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in command {
      if isEscaped {
        // In double quotes it is a backslash unless it stands before a quote or another.
        if quote == "\"", character != "\"", character != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote {
      throw DeliveryProblem(
        what: "a quote (\(quote)) in «\(command)» is never closed",
        remedy: "Close it, or put a backslash before it.")
    }
    if isEscaped {
      throw DeliveryProblem(
        what: "«\(command)» ends with a backslash that has nothing to keep",
        remedy: "Leave it out, or double it.")
    }
    if let done = word { words.append(done) }
    guard let program = words.first, !program.isEmpty else {
      throw DeliveryProblem(
        what: "no command is given", remedy: "Name a program, such as notify-alert --quiet.")
    }
    guard !command.utf8.contains(0) else {
      throw DeliveryProblem(
        what: "a command cannot contain NUL characters", remedy: "Leave them out.")
    }
    return words
  }

  /// Where a program is: itself where it has a slash, otherwise the first of its name on the path.
  package static func find(_ program: String, path: String) throws(DeliveryProblem) -> String {
    if program.contains("/") {
      guard isProgram(program) else {
        throw DeliveryProblem(
          what: "\(program) is not a program that can be run",
          remedy: "Check the path, and that the file is executable.")
      }
      return program
    }
    let folders = path.split(separator: ":", omittingEmptySubsequences: false)
    // An empty folder on the path would be the working directory: nobody means that.
    for folder in folders where !folder.isEmpty {
      let candidate = "\(folder)/\(program)"
      if isProgram(candidate) { return candidate }
    }
    throw DeliveryProblem(
      what: "there is no program \(program) on the path (\(path))",
      remedy: "Install it, or name it with its folder.")
  }

  private static func isProgram(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
    return !isFolder && FileManager.default.isExecutableFile(atPath: path)
  }
}
