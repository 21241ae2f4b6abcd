/// Tables that say what they do not mean, key by key right.
extension PluginChecker {
  /// `once_per` holds back what is the same: without a key of its own what another beacon would be told of, too.
  mutating func checkSameness(
    _ call: LuaProgram.GlobalCall, _ names: [String], _ items: [LuaProgram.Item]
  ) {
    if names.contains("once_per"), let key = program.item("dedupe_key", of: items) {
      return checkKeyOfEvent(key)
    }
    guard names.count == items.count, names.contains("once_per"), !names.contains("dedupe_key"),
      !names.contains("region"),
      program.string(program.item("title", of: items)) != nil,
      let table = call.arguments.last, handlesSeveralBeacons(program.expressions[table].function)
    else { return }
    remark(
      "once_per without dedupe_key: once one beacon is told of, the others are held back; write "
        + "dedupe_key = s.id to tell of each", at: call.place)
  }

  /// `dedupe_key = e.id`: an event's own id, which no other one has. A sighting's says who sent it.
  private mutating func checkKeyOfEvent(_ key: Int) {
    var open = [key]
    while let number = open.popLast() {
      switch program.kind(number) {
      case .parenthesized(let inner): open.append(inner)
      case .binary(.symbol(.concat), let left, let right): open += [right, left]
      case .member(let base, "id"):
        let shapes = shapes(of: base)
        let fields = Set(shapes.flatMap { $0.fields.map(\.name) })
        guard !shapes.isEmpty, let event = path(base),
          shapes.allSatisfy({ if case .event = $0 { true } else { false } })
        else { continue }
        let others = [
          ("region", "region"), ("transmitter", "transmitter.id"), ("observer", "observer"),
        ]
        .filter { fields.contains($0.0) }.map { "\(event).\($0.1)" }
        remark(
          "\(event).id is new with each event: once_per holds nothing back; write "
            + (others.isEmpty ? "what they have in common" : others.joined(separator: " or ")),
          at: place(number))
        return
      default: continue
      }
    }
  }

  /// Whether it stands in a handler of sightings, the filter of which leaves more than one beacon.
  private func handlesSeveralBeacons(_ function: LuaProgram.FunctionNumber) -> Bool {
    var here: LuaProgram.FunctionNumber? = function
    while let number = here {
      for case .handler(let name, _) in roles.roles[number] ?? []
      where Reference.event(name)?.isSighting == true {
        return !roles.ofOneBeacon.contains(number) && !asksForOne(number)
      }
      here = program.functions[number].parent
    }
    return false
  }

  /// Whether a handler compares who it is.
  private func asksForOne(_ handler: LuaProgram.FunctionNumber) -> Bool {
    program.expressions.indices.contains { number in
      guard case .binary(let sign, let left, let right) = program.kind(number),
        sign == .symbol(.equal) || sign == .symbol(.unequal),
        program.isInside(program.expressions[number].function, handler)
      else { return false }
      return [left, right].contains { side in
        guard case .member(_, let name) = program.kind(bare(side)) else { return false }
        return FunctionRoles.identifying.contains(name)
      }
    }
  }

  /// `min` and `max` of an option that is no number would hold nothing back.
  mutating func checkLimits(_ items: [LuaProgram.Item]) {
    let limits = items.filter { ["min", "max"].contains($0.key.name) }
    guard let limit = limits.first, let name = limit.key.name else { return }
    let isText = program.string(program.item("default", of: items)) != nil
    let type = program.string(program.item("type", of: items))
    guard type.map({ $0 != "number" && $0 != "integer" }) ?? isText else { return }
    error("\(name) is of numbers, and default is none: write default = 60, say", at: limit.place)
  }
}

extension LuaProgram.Item.Key {
  /// `at_most = { 5, … }`: 1.
  var place: Int? { if case .place(let number) = self { number } else { nil } }
  var name: String? { if case .name(let name) = self { name } else { nil } }
}
