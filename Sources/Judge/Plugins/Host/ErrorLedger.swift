import CLuaGuard
import CaptureReader

/// The errors of a plugin's text: which are told, and when it is enough.
struct ErrorLedger {
  /// All of them.
  private(set) var total = 0
  private var inARow = 0
  /// By function: its errors since it last succeeded. One that works says nothing about the others.
  private var ofFunctions: [Int32: Int] = [:]
  /// How often by place in the text, whatever the message says there: values may stand in it.
  private var known: [String: Int] = [:]
  /// When the plugin was switched off; none: it is not.
  private(set) var switchedOff = Timestamp.none
  private(set) var isSwitchedOff = false

  /// As many one behind the other, of all functions or of one, switch a plugin off.
  static let mostInARow = 100
  /// Places that are told apart; the rest counts as one.
  private static let mostKnown = 1000

  @inline(__always)
  mutating func succeeded(_ function: Int32) {
    if ofFunctions.isEmpty { return }
    inARow = 0
    ofFunctions[function] = nil
  }

  /// Calls of functions, one behind the other.
  mutating func succeeded(_ turns: Span<guard_turn>) {
    if ofFunctions.isEmpty { return }
    for place in turns.indices { succeeded(turns[place].function) }
  }

  /// - Returns: how often it has come now, where that is to be told: the 1st, 2nd, 4th, 8th… time.
  mutating func note(_ problem: LuaProblem, of function: Int32, at time: Timestamp) -> Int? {
    total += 1
    inARow += 1
    let own = ofFunctions[function, default: 0] + 1
    ofFunctions[function] = own
    if max(inARow, own) >= Self.mostInARow && !isSwitchedOff {
      isSwitchedOff = true
      switchedOff = time
    }
    let place = Self.place(problem.message)
    let key = known.count < Self.mostKnown || known[place] != nil ? place : ""
    let times = known[key, default: 0] + 1
    known[key] = times
    return times & (times - 1) == 0 ? times : nil
  }

  /// `rule.lua:12` of a message as Lua makes them; the whole message where no line stands before it.
  private static func place(_ message: String) -> String {
    guard let match = message.firstMatch(of: /^[^\n]*?\.lua:[0-9]+(?=:)/) else { return message }
    return String(match.output)
  }

  /// Whether a message begins with a line of a text.
  static func hasPlace(_ message: String) -> Bool {
    message.prefixMatch(of: /[^\n]*?\.lua:[0-9]+:/) != nil
  }
}
