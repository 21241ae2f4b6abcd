import Regions

extension PluginChecker {
  /// Calls of the functions of the reference.
  mutating func checkCall(_ number: Int) {
    guard let call = program.globalCall(number), !ownGlobals.contains(call.name),
      let function = Reference.function(call.name),
      function.place != .tests || file == .test
    else { return }
    // `region "lobby"` stands in `region "lobby" { … }`, which is looked at by itself.
    let isInner =
      function.form == .nameThenTable && call.first == nil && call.arguments.count != 2
    if isInner { return checkFirst(call, function) }
    if function.form != .nameThenTable, call.first != nil { return }
    checkPlace(call, function, number)
    if function.name == "on" { return checkOn(call) }
    let parameters =
      call.first != nil ? Array(function.parameters[1...]) : function.parameters
    checkCount(call, function, parameters)
    for (argument, parameter) in zip(call.arguments, parameters) {
      checkValue(argument, parameter.type, Subject(parameter.name, in: function.name))
    }
    if ["every", "after"].contains(function.name) {
      checkPositive(call.arguments.first, "seconds")
    }
    checkMeaning(call)
  }

  /// The name in front of a table.
  private mutating func checkFirst(_ call: LuaProgram.GlobalCall, _ function: ReferenceFunction) {
    let example = function.signature
    guard call.arguments.count == 1 else {
      return error("\(function.name) takes a name, then a table: \(example)", at: call.place)
    }
    switch program.kind(call.arguments[0]) {
    case .string, .variable, .member, .index, .call, .method, .binary, .parenthesized, .global:
      return
    default: error("\(function.name) takes a name, then a table: \(example)", at: call.place)
    }
  }

  /// Whether it may be called there.
  private mutating func checkPlace(
    _ call: LuaProgram.GlobalCall, _ function: ReferenceFunction, _ number: Int
  ) {
    if file == .site, Reference.rules.contains(function.name) {
      error(
        "\(function.name): a site file only declares; put rules into a plugin (--plugin)",
        at: call.place)
      return
    }
    let inside = program.expressions[number].function
    if function.place == .loading, roles.isCalledLater(inside) {
      error("\(function.name) belongs at the top of the file", at: call.place)
    }
    if function.name == "alert" { checkTeller(inside, at: call.place) }
    checkLateTimer(function.name, inside, at: call.place)
    if function.place == .handling, inside == 0 {
      error("\(function.name) belongs into a handler: nothing has happened yet", at: call.place)
    }
  }

  private mutating func checkCount(
    _ call: LuaProgram.GlobalCall, _ function: ReferenceFunction, _ parameters: [ReferenceParameter]
  ) {
    let count = call.arguments.count
    if count > parameters.count, !function.takesMore {
      error(
        "\(function.name) takes \(Self.count(parameters.count)), not \(count): "
          + function.signature, at: call.place)
    }
    let needed = (parameters.lastIndex { !$0.isOptional } ?? -1) + 1
    guard count < needed, !(call.arguments.last.map(program.isOpenEnded) ?? false) else { return }
    let missing = parameters[count]
    let what = if case .record = missing.type { "a table" } else { "its \(missing.name)" }
    error("\(function.name) needs \(what): \(function.signature)", at: call.place)
  }

  private static func count(_ count: Int) -> String {
    switch count {
    case 0: "no argument"
    case 1: "one argument"
    default: "\(count) arguments"
    }
  }

  // MARK: on

  private mutating func checkOn(_ call: LuaProgram.GlobalCall) {
    let arguments = call.arguments
    let form = "on(event, [filter,] function(e) … end)"
    if let event = arguments.first { checkEvent(event) }
    guard arguments.count <= 3 else {
      return error("on takes 3 arguments, not \(arguments.count): \(form)", at: call.place)
    }
    let isOpen = arguments.last.map(program.isOpenEnded) ?? false
    if arguments.count < 2, !isOpen {
      return error("on needs its handler: \(form)", at: call.place)
    }
    guard arguments.count >= 2, let last = arguments.last else { return }
    if isLiteral(last), !isFunction(last) {
      error("on needs a function as its last argument: \(form)", at: place(last))
    }
    guard arguments.count == 3 else { return }
    let filter = ReferenceType.either([.string, .record("filter"), .nothing])
    checkValue(arguments[1], filter, Subject("filter", in: "on"))
    if let event = program.string(arguments[0]), let items = program.items(arguments[1]) {
      checkFilter(items, event)
    }
  }

  private mutating func checkEvent(_ event: Int) {
    guard let name = program.string(event) else {
      if isLiteral(event) { error("on needs the name of an event first", at: place(event)) }
      return
    }
    let names = Reference.events.map(\.name)
    guard !names.contains(name) else { return }
    let guess = LikelyWord.question(name, among: names)
    let list = guess.isEmpty ? "; there are \(names.joined(separator: ", "))" : guess
    error("unknown event '\(name)'\(list)", at: place(event))
  }

  /// Keys that an event has nothing to compare with.
  private mutating func checkFilter(_ items: [LuaProgram.Item], _ name: String) {
    guard let event = Reference.event(name), let keys = Reference.record("filter")?.fields else {
      return
    }
    if event.isSighting { checkIdentities(items) }
    var names = Set(event.fields.map(\.name))
    // A sighting may lie in regions; of events the sender counts, and the message.
    if event.isSighting { names.insert("region") }
    for part in ["transmitter", "message"] where names.contains(part) {
      names.formUnion(Reference.record(part)?.fields.map(\.name) ?? [])
    }
    for item in items {
      guard case .name(let key) = item.key, keys.contains(where: { $0.name == key }),
        !names.contains(key)
      else { continue }
      if event.isSighting {
        error("\(name) has no '\(key)' to compare with", at: item.place)
      } else {
        remark("\(name) has no '\(key)': nothing will match", at: item.place)
      }
    }
  }

  private func isFunction(_ number: Int) -> Bool {
    if case .function = program.kind(number) { return true }
    return false
  }
}
