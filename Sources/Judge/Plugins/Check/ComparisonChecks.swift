import Regions

/// Comparisons that come out the same whatever is heard: of fields whose type and words are known.
extension PluginChecker {
  mutating func checkComparison(_ number: Int) {
    guard case .binary(let sign, let left, let right) = program.kind(number) else { return }
    switch sign {
    case .symbol(.equal), .symbol(.unequal):
      if checkNegation(sign, left, right) { return }
      checkEquality(sign, left, right)
      checkEquality(sign, right, left)
      checkNumbers(sign, left, right)
    case .symbol(.less), .symbol(.lessEqual), .symbol(.greater), .symbol(.greaterEqual):
      if checkOrderedNegation(left, right) || checkOrderOfNothing(left, right) { return }
      checkOrder(left, right)
      checkOrder(right, left)
      checkNumbers(sign, left, right)
    case .keyword(.or): checkAlternative(left, right)
    case .keyword(.and): checkConjunction(number)
    case .symbol(.plus): checkSum(left, right)
    default: return
    }
  }

  private mutating func checkNumbers(_ sign: LuaToken, _ left: Int, _ right: Int) {
    if !checkNumber(sign, left, right, isFlipped: false) {
      _ = checkNumber(sign, right, left, isFlipped: true)
    }
  }

  /// What a literal is, parentheses and a sign aside.
  private enum Literal { case text(String), number, flag }

  private func literal(_ number: Int) -> Literal? {
    switch program.kind(bare(number)) {
    case .string(let text): return .text(text)
    case .number: return .number
    case .boolean: return .flag
    case .unary(.symbol(.minus), let inner):
      if case .number = program.kind(bare(inner)) { return .number }
      return nil
    default: return nil
    }
  }

  func bare(_ number: Int) -> Int {
    var number = number
    while case .parenthesized(let inner) = program.kind(number) { number = inner }
    return number
  }

  /// `s.battery_mv`, as it is written; nil for what is no name with names behind it.
  func path(_ number: Int) -> String? {
    switch program.kind(bare(number)) {
    case .variable(let variable): program.variables[variable].name
    case .global(let name, _): name
    case .member(let base, let name): path(base).map { "\($0).\(name)" }
    default: nil
    }
  }

  /// A field's name and what it may be; nil where that is not known.
  func field(_ number: Int) -> (name: String, types: [ReferenceType])? {
    if case .global(let name, isPlain: true) = program.kind(bare(number)) {
      var types: [ReferenceType] = []
      for type in outerFields.filter({ $0.name == name }).flatMap({ Self.simple($0.type) })
      where !types.contains(type) { types.append(type) }
      return types.isEmpty ? nil : (name, types)
    }
    guard case .member(let base, let name) = program.kind(bare(number)), !ownFields.contains(name)
    else { return nil }
    let types = shapes(of: base).flatMap { shape -> [ReferenceType] in
      // What the filter leaves.
      if name == "kind", case .sighting(_, let kinds?, _) = shape { return [.words(kinds)] }
      return shape.fields.first { $0.name == name }.map { Self.simple($0.type) } ?? []
    }
    return types.isEmpty ? nil : (name, types)
  }

  private static func simple(_ type: ReferenceType) -> [ReferenceType] {
    if case .either(let types) = type { return types.flatMap(simple) }
    return [type]
  }

  /// Nil: nothing is known of such values.
  private static func canEqual(_ type: ReferenceType, _ literal: Literal) -> Bool? {
    switch (type, literal) {
    case (.words(let words), .text(let text)): words.contains(text)
    case (.string, .text), (.number, .number), (.integer, .number), (.boolean, .flag): true
    case (.words, _), (.string, _), (.number, _), (.integer, _), (.boolean, _): false
    default: nil
    }
  }

  /// `s.major == "1"`, `e.grade == "lost"`
  private mutating func checkEquality(_ sign: LuaToken, _ side: Int, _ other: Int) {
    guard let (name, types) = field(side) ?? result(side), let literal = literal(other) else {
      return
    }
    if case .text(let text) = literal, checkLetters(sign, name, text, types, at: place(other)) {
      return
    }
    guard types.allSatisfy({ Self.canEqual($0, literal) == false }) else { return }
    var words: [String] = []
    for case .words(let some) in types { words += some.filter { !words.contains($0) } }
    if case .text(let text) = literal, !words.isEmpty {
      let guess = LikelyWord.question(text, among: words)
      let list = guess.isEmpty ? "; it is one of \(words.joined(separator: ", "))" : guess
      return error("\(name) is never '\(text)'\(list)", at: place(other))
    }
    let always = sign == .symbol(.equal) ? "never true" : "always true"
    error(
      "\(name) is \(types[0].words), and \(shown(literal)) is none: this is \(always)",
      at: place(other))
  }

  /// Identities and addresses have small letters in sightings: `s.uuid == "B940…"`.
  private mutating func checkLetters(
    _ sign: LuaToken, _ name: String, _ text: String, _ types: [ReferenceType], at place: LuaPlace
  ) -> Bool {
    guard let form = FilterValues.writtenForm(name), types.allSatisfy({ $0 == .string })
    else { return false }
    let always = sign == .symbol(.equal) ? "never true" : "always true"
    let written = FilterValues.written(text, name)
    if !FilterValues.fits(text, name) {
      error("\(name) is \(form), and '\(text)' is not: this is \(always)", at: place)
    } else if text == written {
      return false
    } else if text.lowercased() == written {
      error("\(name) has small letters: this is \(always); write '\(written)'", at: place)
    } else {
      error(
        "\(name) is written with hyphens here: this is \(always); write '\(written)'", at: place)
    }
    return true
  }

  /// What a call of ours returns: `region_state("hall") == "in"`.
  private func result(_ number: Int) -> (name: String, types: [ReferenceType])? {
    if let call = program.globalCall(bare(number)), call.first == nil,
      !ownGlobals.contains(call.name),
      let function = Reference.functions.first(where: { $0.name == call.name }),
      let type = function.returns.first, function.returns.count == 1
    {
      let types = Self.simple(type)
      return types.isEmpty ? nil : ("what \(call.name) returns", types)
    }
    return dateText(number)
  }

  /// `os.date("%H")` is a text, whatever it says.
  private func dateText(_ number: Int) -> (name: String, types: [ReferenceType])? {
    guard case .call(let callee, let arguments) = program.kind(bare(number)),
      case .member(let base, "date") = program.kind(callee),
      case .global("os", isPlain: true) = program.kind(base), !ownGlobals.contains("os"),
      let form = program.string(arguments.first), !form.contains("*t")
    else { return nil }
    return ("what os.date returns", [.string])
  }

  /// `s.major < "5"`: Lua raises an error. `e.severity >= "warning"`: it goes by letters.
  private mutating func checkOrder(_ side: Int, _ other: Int) {
    guard let (name, types) = field(side) ?? result(side), let literal = literal(other) else {
      return
    }
    var words: [String] = []
    for case .words(let some) in types { words += some.filter { !words.contains($0) } }
    let areWords = types.allSatisfy { if case .words = $0 { true } else { false } }
    if case .text = literal, areWords {
      return remark(
        "texts are compared by their letters, not by what they mean: \(name) is one of "
          + "\(words.joined(separator: ", ")); write those that are meant, with == and 'or' between",
        at: place(other))
    }
    guard types.allSatisfy({ Self.canBeOrdered($0, literal) == false }) else { return }
    error(
      "\(name) is \(types[0].words), and cannot be compared with \(shown(literal))",
      at: place(other))
  }

  private static func canBeOrdered(_ type: ReferenceType, _ literal: Literal) -> Bool? {
    if case (.words, .text) = (type, literal) { return true }
    return canEqual(type, literal)
  }

  private func shown(_ literal: Literal) -> String {
    switch literal {
    case .text(let text): "'\(text)'"
    case .number: "a number"
    case .flag: "true or false"
    }
  }

  /// `not e.grade == "gone"`: `not` binds stronger.
  private mutating func checkNegation(_ sign: LuaToken, _ left: Int, _ right: Int) -> Bool {
    guard case .unary(.keyword(.not), _) = program.kind(left), let literal = literal(right) else {
      return false
    }
    if case .flag = literal { return false }
    let always = sign == .symbol(.equal) ? "never true" : "always true"
    error(
      "'not' comes before the comparison: this is \(always); write it in parentheses behind not",
      at: place(left))
    return true
  }

  /// `not s.rssi > -60`: what `not` makes has no order.
  private mutating func checkOrderedNegation(_ left: Int, _ right: Int) -> Bool {
    guard case .unary(.keyword(.not), _) = program.kind(left), literal(right) != nil else {
      return false
    }
    error(
      "'not' comes before the comparison, and true and false have no order; write it in parentheses "
        + "behind not", at: place(left))
    return true
  }

  /// `s.rssi > nil`
  private mutating func checkOrderOfNothing(_ left: Int, _ right: Int) -> Bool {
    for side in [left, right] {
      let what: String
      switch program.kind(bare(side)) {
      case .nothing: what = "nil"
      case .table: what = "a table"
      case .function: what = "a function"
      default: continue
      }
      error("\(what) has no order: this raises an error", at: place(side))
      return true
    }
    return false
  }

  /// `"seen " + s.id`: Lua adds what is a number, also where it is written as a text. A table may say what +
  /// is to it, and may come from another file: the other side has to be known to be none.
  private mutating func checkSum(_ left: Int, _ right: Int) {
    for (side, other) in [(left, right), (right, left)] {
      guard let text = program.string(bare(side)), !Self.isNumber(text) else { continue }
      guard literal(other) != nil || field(other) != nil || result(other) != nil else { return }
      return error(
        "+ adds numbers, and '\(text)' is none; texts are joined with ..", at: place(side))
    }
  }

  /// Whether Lua takes a text for a number: with blanks around it, and a sign.
  private static func isNumber(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: /\s*[-+]?([0-9.]\S*)\s*/) else { return false }
    return LuaNumeral.token(String(match.1)) != nil
  }

  /// `e.grade == "gone" or "deaf"`
  private mutating func checkAlternative(_ left: Int, _ right: Int) {
    guard case .binary(.symbol(.equal), let first, let second) = program.kind(bare(left)),
      literal(first) != nil || literal(second) != nil, case .text(let text)? = literal(right)
    else { return }
    error(
      "'\(text)' alone counts as true: this is always true; compare again behind 'or'",
      at: place(right))
  }

  // MARK: Functions that have to answer

  mutating func checkAnswers() {
    let answering = Set(program.returns.map(\.function))
    for (function, roles) in roles.roles where !answering.contains(function) {
      let place = program.functions[function].place
      if roles.contains(.contains) {
        error(
          "contains returns nothing: nobody will be in the region; return true where it is",
          at: place)
      }
      if roles.contains(.decode) {
        error(
          "decode returns nothing: it will find no beacon; return { id = … } where it does",
          at: place)
      }
    }
  }
}
