extension LuaProgram {
  /// A call of a function that is a global: `name(…)`, or `name "first" { … }`.
  struct GlobalCall {
    let name: String
    /// Of `name "first" { … }` those behind the first, otherwise all.
    let arguments: [ExpressionNumber]
    /// What stands in `name "first" { … }` first.
    let first: ExpressionNumber?
    let place: LuaPlace
  }

  /// What is called here; nil where it is no call, or not of a global.
  func globalCall(_ number: ExpressionNumber) -> GlobalCall? {
    guard case .call(let callee, let arguments) = kind(number) else { return nil }
    if case .global(let name, isPlain: true) = kind(callee) {
      return GlobalCall(
        name: name, arguments: arguments, first: nil, place: expressions[callee].place)
    }
    guard case .call(let inner, let first) = kind(callee), first.count == 1,
      case .global(let name, isPlain: true) = kind(inner)
    else { return nil }
    return GlobalCall(
      name: name, arguments: arguments, first: first[0], place: expressions[inner].place)
  }

  func string(_ number: ExpressionNumber?) -> String? {
    guard let number, case .string(let text) = kind(number) else { return nil }
    return text
  }

  func items(_ number: ExpressionNumber?) -> [Item]? {
    guard let number, case .table(let items) = kind(number) else { return nil }
    return items
  }

  /// What stands under a name in a table that is written out.
  func item(_ name: String, of items: [Item]) -> ExpressionNumber? {
    for item in items {
      if case .name(name) = item.key { return item.value }
    }
    return nil
  }

  /// A string, or the strings of a list, as they are written; nil where that cannot be told.
  func strings(_ number: ExpressionNumber?) -> [String]? {
    if let text = string(number) { return [text] }
    guard let items = items(number) else { return nil }
    let texts = items.compactMap { string($0.value) }
    return texts.count == items.count ? texts : nil
  }

  /// The variable or global that an expression is a part of; the expression itself where it is none.
  func root(_ number: ExpressionNumber) -> ExpressionNumber {
    var number = number
    while true {
      switch kind(number) {
      case .member(let base, _), .index(let base, _), .parenthesized(let base): number = base
      default: return number
      }
    }
  }
}
