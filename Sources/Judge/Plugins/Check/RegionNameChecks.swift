import Regions

/// Names and identities that are written out, and that nothing can agree with.
extension PluginChecker {
  /// Regions that handlers wait for, where the file declares some and not these.
  mutating func checkRegionNames() {
    var declared: Set<String> = []
    var isComplete = true
    var used: [(name: String, number: Int)] = []
    for number in program.expressions.indices {
      guard let call = program.globalCall(number), !ownGlobals.contains(call.name) else { continue }
      switch call.name {
      case "region":
        // `region "a"` alone, or the name of one that is computed.
        if let name = program.string(call.first ?? call.arguments.first) {
          declared.insert(name)
        } else {
          isComplete = false
        }
      case "require":
        // A module may declare others.
        let name = program.string(call.arguments.first) ?? ""
        if !name.hasPrefix("beacontrace.") { isComplete = false }
      case "on" where call.arguments.count == 3: used += regions(in: call.arguments[1])
      case "region_state": used += strings(call.arguments.first)
      default: continue
      }
    }
    guard isComplete else { return }
    for (name, number) in used where !declared.contains(name) {
      guard !declared.isEmpty else {
        // Regions that come to be by themselves are called so.
        if FilterValues.fits(name, "uuid") || FilterValues.fits(name, "namespace") { continue }
        remark(
          "this file declares no region '\(name)'; --site or --region has to", at: place(number))
        continue
      }
      let guess = LikelyWord.question(name, among: declared.sorted())
      remark("this file declares no region '\(name)'\(guess)", at: place(number))
    }
  }

  /// Handlers of messages in a file that declares none: nothing else in it can be meant.
  mutating func checkMessageHandlers() {
    let calls = program.expressions.indices.compactMap { program.globalCall($0) }
      .filter { !ownGlobals.contains($0.name) }
    guard !calls.contains(where: { ["message", "subscribe"].contains($0.name) }) else { return }
    for call in calls where call.name == "on" {
      guard let event = program.string(call.arguments.first), event.hasPrefix("message_") else {
        continue
      }
      remark("this file declares no message; a --site or --messages has to", at: call.place)
    }
  }

  private func regions(in filter: Int) -> [(name: String, number: Int)] {
    guard let items = program.items(filter) else { return strings(filter) }
    return strings(program.item("region", of: items))
  }

  /// A string, or those of a list, where they stand.
  private func strings(_ number: Int?) -> [(name: String, number: Int)] {
    guard let number else { return [] }
    if let text = program.string(number) { return [(text, number)] }
    return (program.items(number) ?? []).compactMap { item in
      program.string(item.value).map { ($0, item.value) }
    }
  }

  /// Identities in a filter of sightings that are too short, too long, or no digits.
  mutating func checkIdentities(_ items: [LuaProgram.Item]) {
    for item in items {
      guard case .name(let key) = item.key, let form = FilterValues.forms[key] else { continue }
      for (text, number) in strings(item.value) where !FilterValues.fits(text, key) {
        error("\(key) '\(text)' will match nothing; write \(form)", at: place(number))
      }
    }
  }
}
