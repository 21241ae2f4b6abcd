import CLuaGuard
import CaptureReader

/// Who answers what a Lua program asks.
protocol LuaClient: AnyObject {
  /// One of the functions that the state was opened with.
  func call(_ function: Int, _ arguments: [LuaValue]) throws(LuaMessage) -> LuaValue
  /// A field of a sighting's handle.
  func field(_ number: Int, of sighting: guard_sighting) -> LuaValue
  /// The text of a module, and what messages call it.
  func module(_ name: String) throws(LuaMessage) -> (text: [UInt8], shown: String)
  func print(_ line: [UInt8])
  /// The capture's clock, seconds since 1970.
  var clock: Int64 { get }
}

/// What stopped a piece of Lua.
struct LuaProblem: Error, Equatable {
  /// As in `guard_status`.
  let limit: LuaLimit
  /// With file and line.
  let message: String
  /// Innermost first.
  let traceback: [String]
}

/// Why a call ended early, by name.
enum LuaLimit: String, CaseIterable, Sendable {
  case syntax, error, memory, instructions, time, steps, string

  fileprivate init(_ status: guard_status) {
    switch status {
    case GUARD_SYNTAX: self = .syntax
    case GUARD_MEMORY: self = .memory
    case GUARD_INSTRUCTIONS: self = .instructions
    case GUARD_TIME: self = .time
    case GUARD_STEPS: self = .steps
    case GUARD_STRING: self = .string
    default: self = .error
    }
  }
}

/// A Lua state of its own, with its limits. It belongs to one thread at a time.
@safe final class LuaState {
  private let names: LuaNames
  /// nil only while it is being opened.
  private var state: OpaquePointer?
  private let arguments = ValueArena()
  private let answers = ValueArena()
  private let fieldAnswers = ValueArena()
  private let moduleAnswers = ValueArena()
  /// Owns this state.
  private unowned let client: any LuaClient

  /// nil where there is no memory for it.
  init?(
    _ limits: guard_limits, functions: [String], fields: [(String, guard_field_source)],
    client: any LuaClient
  ) {
    names = LuaNames(functions, fields, handle: "sighting")
    self.client = client
    var callbacks = unsafe Self.callbacks(Unmanaged.passUnretained(self).toOpaque())
    unsafe state = withUnsafePointer(to: limits) { limits in
      unsafe withUnsafePointer(to: &callbacks) { callbacks in
        unsafe guard_open(
          limits, callbacks, names.functions, names.functionCount, names.fields, names.fieldCount,
          names.handle)
      }
    }
    if unsafe state == nil { return nil }
  }

  deinit { unsafe guard_close(state) }

  /// Runs a text as a program.
  func run(_ text: [UInt8], name: String) throws(LuaProblem) {
    let status = unsafe text.withUnsafeBytes { bytes in
      unsafe guard_run(
        state, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name)
    }
    try check(status)
  }

  /// An expression over the fields of a sighting, or of a table.
  func expression(_ text: [UInt8], name: String) throws(LuaProblem) -> LuaFunction {
    var function: Int32 = 0
    let status = unsafe text.withUnsafeBytes { bytes in
      unsafe guard_expression(
        state, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name,
        &function)
    }
    try check(status)
    return LuaFunction(number: function)
  }

  /// - Returns: what the function returned first.
  @discardableResult
  func call(_ function: LuaFunction, _ values: [LuaValue]) throws(LuaProblem) -> LuaValue {
    defer { arguments.removeAll() }
    var answer = unsafe guard_value()
    let status = unsafe guard_call(
      state, function.number, arguments.values(values), values.count, &answer)
    try check(status)
    return unsafe LuaValue(answer)
  }

  /// Calls a function of the program's own, which ends by itself: its instructions are not counted.
  func callUncounted(_ function: LuaFunction, _ values: [LuaValue]) throws(LuaProblem) -> LuaValue {
    let limit = unsafe guard_allow(state, .max)
    defer { unsafe _ = guard_allow(state, limit) }
    return try call(function, values)
  }

  /// - Returns: whether it returned something true.
  @inline(__always)
  func call(_ function: LuaFunction, _ sighting: guard_sighting) throws(LuaProblem) -> Bool {
    var answer = false
    let status = unsafe withUnsafePointer(to: sighting) {
      unsafe guard_call_sighting(state, function.number, $0, &answer)
    }
    if status != GUARD_OK { try check(status) }
    return answer
  }

  /// Calls functions with sightings one after the other, each within limits of its own, up to the
  /// first that fails or asks for `endTurns`.
  /// - Parameter done: how many were called, that one included.
  func call(_ turns: Span<guard_turn>, done: inout Int) throws(LuaProblem) {
    let status = unsafe turns.withUnsafeBufferPointer {
      unsafe guard_call_turns(state, $0.baseAddress, $0.count, &done)
    }
    try check(status)
  }

  /// The line on which a function begins; 0 where it is not of the text of that name.
  func line(of function: LuaFunction, in name: String) -> Int {
    unsafe Int(guard_line(state, function.number, name))
  }

  /// While a function is being called with a sighting: no other one is called behind it.
  func endTurns() { unsafe guard_end_turns(state) }

  /// `place` of the sighting that is being handled; nil where none is.
  var currentPlace: Int? {
    guard let current = unsafe guard_current(state) else { return nil }
    return unsafe Int(current.pointee.place)
  }

  /// Where the run's clock is when it is handled.
  var currentClock: Timestamp? {
    guard let current = unsafe guard_current(state) else { return nil }
    return unsafe Timestamp(nanoseconds: current.pointee.clock)
  }

  func release(_ function: LuaFunction) { unsafe guard_release(state, function.number) }

  func setGlobal(_ name: String, _ value: LuaValue) throws(LuaProblem) {
    defer { arguments.removeAll() }
    let status = unsafe withUnsafePointer(to: arguments.value(value)) {
      unsafe guard_set_global(state, name, $0)
    }
    try check(status)
  }

  /// The table that a global variable holds is the metatable of all copies of sightings from now on.
  func shapeCopies(by name: String) throws(LuaProblem) {
    try check(unsafe guard_shape_copies(state, name))
  }

  func global(_ name: String) throws(LuaProblem) -> LuaValue {
    var answer = unsafe guard_value()
    try check(unsafe guard_global(state, name, &answer))
    return unsafe LuaValue(answer)
  }

  /// Bytes.
  private static let longestMessage = 2000

  private func check(_ status: guard_status) throws(LuaProblem) {
    guard status != GUARD_OK else { return }
    let problem = unsafe guard_last_problem(state)
    // Longer ones would fill the screen, and the ledger that counts them.
    let isLong = unsafe problem.message_count > Self.longestMessage
    let message =
      unsafe LuaValue.bytes(problem.message, min(problem.message_count, Self.longestMessage))
      + (isLong ? Array("…".utf8) : [])
    let traceback = unsafe LuaValue.bytes(problem.traceback, problem.traceback_count)
    throw LuaProblem(
      limit: LuaLimit(status), message: String(decoding: message, as: UTF8.self),
      traceback: traceback.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      })
  }
}

/// What C calls; `context` is the state.
extension LuaState {
  @unsafe private static func of(_ context: UnsafeMutableRawPointer?) -> LuaState? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<LuaState>.fromOpaque(context).takeUnretainedValue()
  }

  @unsafe private static func callbacks(_ context: UnsafeMutableRawPointer) -> guard_callbacks {
    unsafe guard_callbacks(
      context: context,
      call: { context, number, arguments, count, answer in
        guard let state = unsafe LuaState.of(context), let answer = unsafe answer else {
          return false
        }
        var values: [LuaValue] = []
        for index in 0..<count {
          if let value = unsafe arguments?[index] { unsafe values.append(LuaValue(value)) }
        }
        return unsafe state.answer(into: answer, state.answers) { client throws(LuaMessage) in
          try client.call(Int(number), values)
        }
      },
      field: { context, number, sighting, answer in
        guard let state = unsafe LuaState.of(context), let answer = unsafe answer,
          let sighting = unsafe sighting?.pointee
        else { return }
        state.fieldAnswers.removeAll()
        unsafe answer.pointee = state.fieldAnswers.value(
          state.client.field(Int(number), of: sighting))
      },
      module: { context, name, text, shown in
        guard let state = unsafe LuaState.of(context), let text = unsafe text,
          let shown = unsafe shown, let name = unsafe name
        else { return false }
        return unsafe state.module(String(cString: name), text, shown)
      },
      print: { context, bytes, count in
        let line = unsafe LuaValue.bytes(bytes, count)
        unsafe LuaState.of(context)?.client.print(line)
      },
      clock: { context in unsafe LuaState.of(context)?.client.clock ?? 0 })
  }

  @unsafe private func answer(
    into answer: UnsafeMutablePointer<guard_value>, _ arena: ValueArena,
    _ body: (any LuaClient) throws(LuaMessage) -> LuaValue
  ) -> Bool {
    arena.removeAll()
    do throws(LuaMessage) {
      unsafe answer.pointee = arena.value(try body(client))
      return true
    } catch {
      unsafe answer.pointee = arena.value(.text(error.text))
      return false
    }
  }

  @unsafe private func module(
    _ name: String, _ text: UnsafeMutablePointer<guard_value>,
    _ shown: UnsafeMutablePointer<guard_value>
  ) -> Bool {
    moduleAnswers.removeAll()
    do throws(LuaMessage) {
      let module = try client.module(name)
      unsafe text.pointee = moduleAnswers.value(.bytes(module.text))
      unsafe shown.pointee = moduleAnswers.value(.text(module.shown))
      return true
    } catch {
      unsafe text.pointee = moduleAnswers.value(.text(error.text))
      return false
    }
  }
}
