/// What to write where a call of Lua failed on something that may be nil, or on a text that is no number: the
/// message says which sort of value it was, and of a comparison not even its name.
struct FailureHints {
  private let program: LuaProgram
  private let checker: PluginChecker
  private let line: Int

  /// - Parameters:
  ///   - message: with file and line, as Lua has it.
  ///   - text: of the plugin.
  ///   - shown: what messages call that file.
  /// - Returns: what goes behind the message; empty where nothing is known.
  static func hint(_ message: String, in text: [UInt8], shown: String) -> String {
    if message.contains(/attempt to add a '[a-z]+' with a '[a-z]+'$/) {
      return "; texts are joined with .."
    }
    let isComparison = message.contains(
      /attempt to compare (?:nil with |two nil values|[a-z]+ with nil)/)
    let named = message.firstMatch(
      of:
        /attempt to (?:perform arithmetic on|concatenate|index) a nil value \((?:field|local) '([A-Za-z0-9_]+)'\)$/
    )
    guard isComparison || named != nil else { return "" }
    let hints = FailureHints(message, text, shown)
    if let named {
      let path = hints?.path(endingIn: String(named.1)) ?? String(named.1)
      return "; it may be nil: ask first whether it is there, if \(path) then … end"
    }
    return hints?.ofComparison(areBothNil: message.contains("two nil values"))
      ?? "; a field may be nil: ask first, as in 's.battery_mv and s.battery_mv < 2400'"
  }

  /// Nil where the message is of another file.
  private init?(_ message: String, _ text: [UInt8], _ shown: String) {
    guard message.hasPrefix("\(shown):"),
      let line = Int(message.dropFirst(shown.count + 1).prefix { $0.isNumber }),
      let program = try? LuaProgram.parse(text)
    else { return nil }
    (self.line, self.program) = (line, program)
    checker = PluginChecker(program, .plugin, beside: PluginCheck.Known())
  }

  /// The field or variable of that name on the line, as it is written there.
  private func path(endingIn name: String) -> String? {
    let paths = program.expressions.indices.filter { program.expressions[$0].place.line == line }
      .compactMap(checker.path).filter { $0 == name || $0.hasSuffix(".\(name)") }
    return Set(paths).count == 1 ? paths[0] : nil
  }

  private static let orders: [LuaToken.Symbol] = [.less, .lessEqual, .greater, .greaterEqual]

  /// What is compared on the line and may be nil; nil where that is not to be seen.
  private func ofComparison(areBothNil: Bool) -> String? {
    var found: [(path: String, whole: String)] = []
    var pairs: [(left: String, right: String, whole: String)] = []
    for number in program.expressions.indices where program.expressions[number].place.line == line {
      guard case .binary(.symbol(let sign), let left, let right) = program.kind(number),
        Self.orders.contains(sign)
      else { continue }
      let whole = "\(shown(left)) \(sign.rawValue) \(shown(right))"
      for side in [left, right] where mayBeNil(side) {
        guard let path = checker.path(side) else { return nil }
        if !found.contains(where: { $0.path == path }) { found.append((path, whole)) }
      }
      if mayBeNil(left), mayBeNil(right), let left = checker.path(left),
        let right = checker.path(right)
      {
        pairs.append((left, right, whole))
      }
    }
    if areBothNil, pairs.count == 1, pairs[0].left != pairs[0].right {
      let (left, right, whole) = pairs[0]
      return "; \(left) and \(right) are nil: ask first, as in '\(left) and \(right) and \(whole)'"
    }
    guard let first = found.first else { return nil }
    if found.count == 1 {
      return
        "; \(first.path) is nil: ask first whether it is there, '\(first.path) and \(first.whole)'"
    }
    return "; one of \(found.map(\.path).joined(separator: ", ")) is nil: ask first, as in "
      + "'\(first.path) and \(first.whole)'"
  }

  private func mayBeNil(_ number: Int) -> Bool {
    if checker.writtenNumber(number) != nil || program.string(checker.bare(number)) != nil {
      return false
    }
    guard case .member(let base, let name) = program.kind(checker.bare(number)) else { return true }
    let fields = checker.shapes(of: base).compactMap { $0.fields.first { $0.name == name } }
    return fields.isEmpty || fields.contains(where: \.isOptional)
  }

  private func shown(_ number: Int) -> String {
    if let value = checker.writtenNumber(number) {
      return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
    return checker.path(number) ?? "…"
  }
}
