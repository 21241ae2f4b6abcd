/// Who calls the functions of a plugin, and with what.
struct FunctionRoles {
  enum Role: Hashable {
    /// Of `on`; of sightings with the kinds that its filter names (nil: any).
    case handler(event: String, kinds: [String]?)
    /// Of `every` and `after`.
    case timer
    case contains
    case decode
    /// Of a test.
    case finish
  }

  private(set) var roles: [LuaProgram.FunctionNumber: [Role]] = [:]
  /// Functions that go elsewhere as values, too: with what they are called, nobody knows.
  private(set) var calledOtherwise: Set<LuaProgram.FunctionNumber> = []

  /// Handlers whose filter leaves one beacon at most.
  private(set) var ofOneBeacon: Set<LuaProgram.FunctionNumber> = []

  /// What the plugin calls them with by their name, a list of arguments for each call.
  private(set) var calls: [LuaProgram.FunctionNumber: [[LuaProgram.ExpressionNumber]]] = [:]

  private let program: LuaProgram
  /// By name of a global: the only function that it ever is.
  private var globalFunctions: [String: LuaProgram.FunctionNumber] = [:]
  private var uses: [LuaProgram.FunctionNumber: Int] = [:]

  init(_ program: LuaProgram) {
    self.program = program
    findGlobalFunctions()
    for number in program.expressions.indices {
      if let call = program.globalCall(number) { note(call) }
    }
    findOtherCalls()
  }

  /// Whether something but loading the file calls a function, or one that it stands in.
  func isCalledLater(_ function: LuaProgram.FunctionNumber) -> Bool {
    var here: LuaProgram.FunctionNumber? = function
    while let number = here {
      if roles[number] != nil { return true }
      here = program.functions[number].parent
    }
    return false
  }

  private mutating func findGlobalFunctions() {
    var assigned: Set<String> = []
    for assignment in program.assignments {
      guard case .global(let name, _) = program.kind(assignment.target) else { continue }
      globalFunctions[name] = nil
      guard assigned.insert(name).inserted, let value = assignment.value,
        case .function(let number) = program.kind(value)
      else { continue }
      globalFunctions[name] = number
    }
  }

  /// The function that an expression is known to be.
  private func function(_ number: LuaProgram.ExpressionNumber?) -> LuaProgram.FunctionNumber? {
    guard let number else { return nil }
    switch program.kind(number) {
    case .function(let function): return function
    case .global(let name, isPlain: true): return globalFunctions[name]
    case .variable(let variable): return function(of: program.variables[variable])
    default: return nil
    }
  }

  private func function(of variable: LuaProgram.Variable) -> LuaProgram.FunctionNumber? {
    guard !variable.isReassigned else { return nil }
    switch variable.origin {
    case .function(let function): return function
    case .local(let value?):
      if case .function(let function) = program.kind(value) { return function }
      return nil
    default: return nil
    }
  }

  private mutating func note(_ call: LuaProgram.GlobalCall) {
    switch call.name {
    case "on":
      guard let event = program.string(call.arguments.first) else { return }
      let filter = call.arguments.count > 2 ? program.items(call.arguments[1]) : nil
      add(.handler(event: event, kinds: kinds(filter)), call.arguments.last)
      if call.arguments.count > 2, let function = function(call.arguments.last),
        isOfOneBeacon(call.arguments[1])
      {
        ofOneBeacon.insert(function)
      }
    case "every", "after": add(.timer, call.arguments.dropFirst().first)
    case "region": add(.contains, "contains", call)
    case "decoder": add(.decode, "decode", call)
    case "test": add(.finish, "finish", call)
    default: return
    }
  }

  private mutating func add(_ role: Role, _ key: String, _ call: LuaProgram.GlobalCall) {
    guard let items = program.items(call.arguments.last) else { return }
    add(role, program.item(key, of: items))
  }

  private mutating func add(_ role: Role, _ value: LuaProgram.ExpressionNumber?) {
    guard let function = function(value) else { return }
    roles[function, default: []].append(role)
    uses[function, default: 0] += 1
  }

  /// Keys of a filter that one beacon has.
  static let identifying: Set = [
    "id", "address", "key", "device", "instance", "minor", "id3", "url", "eid",
  ]

  /// Whether a filter leaves one beacon, or may: one that is not written out is not known.
  private func isOfOneBeacon(_ filter: LuaProgram.ExpressionNumber) -> Bool {
    if program.string(filter) != nil { return false }
    guard let items = program.items(filter) else { return true }
    return items.contains { item in
      item.key.name.map(Self.identifying.contains) == true
        && (program.items(item.value)?.count ?? 1) == 1
    }
  }

  /// The kinds that a filter leaves.
  private func kinds(_ filter: [LuaProgram.Item]?) -> [String]? {
    guard let filter else { return nil }
    if program.item("decoder", of: filter) != nil { return ["custom"] }
    guard let kinds = program.strings(program.item("kind", of: filter)) else { return nil }
    let known = kinds.filter { kind in Reference.sightingKinds.contains { $0.name == kind } }
    return known.count == kinds.count ? kinds : nil
  }

  private mutating func findOtherCalls() {
    var reads: [LuaProgram.FunctionNumber: Int] = [:]
    let targets = Set(program.assignments.map(\.target))
    for number in program.expressions.indices where !targets.contains(number) {
      switch program.kind(number) {
      case .global, .variable:
        if let function = function(number) { reads[function, default: 0] += 1 }
      case .call(let callee, let arguments):
        if case .function = program.kind(callee) { continue }
        guard let function = function(callee) else { continue }
        uses[function, default: 0] += 1
        calls[function, default: []].append(arguments)
      default: continue
      }
    }
    calledOtherwise = Set(reads.filter { $0.value > uses[$0.key, default: 0] }.keys)
  }
}
