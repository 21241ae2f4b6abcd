import Exports

/// JSON inside a `script` element: nothing in it can end the element or begin a comment, and what
/// would turn or hide text is shown by its code.
struct ScriptData {
  private(set) var json = ""
  private var wantsComma = false

  mutating func array(_ body: (inout ScriptData) -> Void) { nest("[", "]", body) }

  mutating func object(_ body: (inout ScriptData) -> Void) { nest("{", "}", body) }

  mutating func key(_ name: String) {
    separate()
    json += Self.quoted(name) + ":"
    wantsComma = false
  }

  mutating func text(_ value: String?) {
    separate()
    json += value.map { Self.quoted($0) } ?? "null"
  }

  mutating func number(_ value: Int?) {
    separate()
    json += value.map { String($0) } ?? "null"
  }

  private mutating func nest(
    _ open: String, _ close: String, _ body: (inout ScriptData) -> Void
  ) {
    separate()
    json += open
    wantsComma = false
    body(&self)
    json += close
    wantsComma = true
  }

  private mutating func separate() {
    if wantsComma { json += "," }
    wantsComma = true
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in TextColumns.printable(text).unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "<": quoted += "\\u003c"
      case ">": quoted += "\\u003e"
      case "&": quoted += "\\u0026"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
