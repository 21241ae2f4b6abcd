/// What is visible where: blocks with their variables, labels and jumps.
struct LuaScope {
  struct Block {
    let firstVariable: Int
    let firstLabel: Int
    let firstGoto: Int
    let isLoop: Bool
    let isFunction: Bool
  }

  struct Label {
    let name: String
    let line: Int
  }

  struct Goto {
    let name: String
    let place: LuaPlace
    /// Variables that are visible there; fewer once its block is left.
    var variables: Int
  }

  private(set) var function = 0
  var blocks: [Block] = []
  var labels: [Label] = []
  var gotos: [Goto] = []
  /// Visible variables of all functions around, the innermost last.
  private(set) var visible: [(variable: Int, name: String)] = []
  /// By open function: where its variables begin, and the variables of others that it uses.
  private var functions: [(firstVariable: Int, captured: Set<Int>)] = []

  var localCount: Int { visible.count - (functions.last?.firstVariable ?? 0) }

  mutating func openFunction(_ number: Int) {
    function = number
    functions.append((visible.count, []))
    openBlock(isFunction: true)
  }

  mutating func closeFunction(parent: Int) {
    functions.removeLast()
    function = parent
  }

  mutating func openBlock(isLoop: Bool = false, isFunction: Bool = false) {
    blocks.append(
      Block(
        firstVariable: visible.count, firstLabel: labels.count, firstGoto: gotos.count,
        isLoop: isLoop, isFunction: isFunction))
  }

  mutating func activate(_ variable: Int, _ name: String) { visible.append((variable, name)) }

  mutating func forget(from first: Int) { visible.removeSubrange(first...) }

  /// The variable that a name means here; nil for a global one.
  /// - Parameter tooMany: whether a function uses more variables of others than Lua can count.
  mutating func resolve(_ name: String, _ tooMany: inout Bool) -> Int? {
    guard let place = visible.lastIndex(where: { $0.name == name }) else { return nil }
    let variable = visible[place].variable
    for level in functions.indices.reversed() where place < functions[level].firstVariable {
      functions[level].captured.insert(variable)
      // One is `_ENV`.
      if functions[level].captured.count > 254 { tooMany = true }
    }
    return variable
  }

  /// The label of that name that is visible here, in this function.
  func label(_ name: String) -> Label? {
    guard let function = blocks.lastIndex(where: { $0.isFunction }) else { return nil }
    return labels[blocks[function].firstLabel...].first { $0.name == name }
  }
}
