import Regions

/// Names and identities that are written out, and that nothing can agree with.
extension PluginChecker {
  /// Regions that handlers wait for, where the file declares some and not these.
  mutating func checkRegionNames() {
    var declared: Set<String> = []
    var isComplete = true
    var used: [(name: String, number: Int)] = []
    var compared: [(name: String, number: Int)] = []
    for number in program.expressions.indices {
      if let side = comparedRegion(number) { compared.append(side) }
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
    // A file without regions goes by those of the site.
    if !declared.isEmpty { used += compared }
    for (name, number) in used where !declared.contains(name) && !known.regions.contains(name) {
      if name == "*" {
        remark("no region is called '*': leave it out, and it is every region", at: place(number))
        continue
      }
      guard !declared.isEmpty else {
        // Regions that come to be by themselves are called so.
        if HeardRegionNames.hasAlike(name) { continue }
        remark(
          "this file declares no region '\(name)'; --site or --region has to", at: place(number))
        continue
      }
      tellUndeclared("region", name, among: declared.sorted(), at: place(number))
    }
  }

  /// What differs by a letter from what the file declares itself is a slip, and a run refuses it; anything else
  /// a site may declare.
  private mutating func tellUndeclared(
    _ sort: String, _ name: String, among declared: [String], at place: LuaPlace
  ) {
    if let meant = declared.first(where: { Slip.is(name, of: $0) }) {
      error("this file declares no \(sort) '\(name)'; did you mean '\(meant)'?", at: place)
    } else {
      let guess = LikelyWord.question(name, among: declared)
      remark("this file declares no \(sort) '\(name)'\(guess)", at: place)
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

  /// Handlers of telemetry in regions that go by an identity: frames of telemetry have none. And handlers of
  /// sightings in regions that are nothing but a rule: a filter leaves out nothing by them.
  mutating func checkSightingRegions() {
    var identities: [String: String] = [:]
    var rules: Set<String> = []
    var others: Set<String> = []
    let calls = program.expressions.indices.compactMap { program.globalCall($0) }
      .filter { !ownGlobals.contains($0.name) }
    for call in calls where call.name == "region" {
      guard let name = program.string(call.first ?? call.arguments.first),
        let table = call.first == nil ? call.arguments.dropFirst().first : call.arguments.first,
        let items = program.items(table)
      else { continue }
      let kinds = ["ibeacon", "eddystone", "altbeacon", "url"]
      identities[name] = kinds.first { program.item($0, of: items) != nil }
      // By the name of its key it is a beacon, with telemetry of its own.
      if let eid = program.string(program.item("eid", of: items)), eid.utf8.count == 16,
        eid.allSatisfy(\.isHexDigit)
      {
        identities[name] = "eid"
      }
      let keys = items.compactMap(\.key.name)
      if keys.count == items.count, keys.contains("contains"), !keys.contains("address"),
        !keys.contains("device"), !keys.contains(where: RegionKeys.kinds.contains)
      {
        rules.insert(name)
      } else {
        others.insert(name)
      }
    }
    // Which of several definitions counts, only a run knows.
    rules.subtract(others)
    for call in calls where call.name == "on" && call.arguments.count == 3 {
      guard let event = program.string(call.arguments[0]),
        Reference.event(event)?.isSighting == true
      else { continue }
      for (name, number) in regions(in: call.arguments[1]) {
        if rules.contains(name) {
          error(PluginProblem.nothingButRule(name), at: place(number))
        }
        guard event == "telemetry", let kind = identities[name] else { continue }
        error(
          "region '\(name)' is of \(kind), which a frame of telemetry does not say: nothing would match; "
            + "filter by address",
          at: place(number))
      }
    }
  }

  /// `e.region == "lobby"`
  private func comparedRegion(_ number: Int) -> (name: String, number: Int)? {
    guard case .binary(let sign, let left, let right) = program.kind(number),
      sign == .symbol(.equal) || sign == .symbol(.unequal)
    else { return nil }
    for (side, other) in [(left, right), (right, left)] {
      guard case .member(let base, "region") = program.kind(side), !ownFields.contains("region"),
        shapes(of: base).contains(where: { $0.fields.contains { $0.name == "region" } }),
        let name = program.string(other)
      else { continue }
      return (name, other)
    }
    return nil
  }

  /// Decoders that handlers wait for, where the file declares some and not these.
  mutating func checkDecoderNames() {
    var declared: Set<String> = []
    var handled: [(name: String, number: Int)] = []
    var used: [(name: String, number: Int)] = []
    for number in program.expressions.indices {
      guard let call = program.globalCall(number), !ownGlobals.contains(call.name) else { continue }
      switch call.name {
      case "decoder":
        guard let name = program.string(call.first ?? call.arguments.first) else { return }
        declared.insert(name)
      case "require":
        let name = program.string(call.arguments.first) ?? ""
        if !name.hasPrefix("beacontrace.") { return }
      case "on" where call.arguments.count == 3:
        if let items = program.items(call.arguments[1]) {
          handled += strings(program.item("decoder", of: items))
        }
      case "region":
        guard let items = program.items(call.arguments.last),
          let value = program.item("decoder", of: items)
        else { continue }
        let name = program.items(value).map { program.item("name", of: $0) } ?? value
        used += strings(name)
      default: continue
      }
    }
    declared.formUnion(known.decoders)
    for (name, number) in handled where !declared.contains(name) {
      guard declared.isEmpty else {
        tellUndeclared("decoder", name, among: declared.sorted(), at: place(number))
        continue
      }
      remark(
        "this file declares no decoder '\(name)'; a --site or --plugin has to", at: place(number))
    }
    guard !declared.isEmpty else { return }
    for (name, number) in used where !declared.contains(name) {
      let guess = LikelyWord.question(name, among: declared.sorted())
      remark("this file declares no decoder '\(name)'\(guess)", at: place(number))
    }
  }

  func regions(in filter: Int) -> [(name: String, number: Int)] {
    guard let items = program.items(filter) else { return strings(filter) }
    return strings(program.item("region", of: items))
  }

  /// A string, or those of a list, where they stand.
  func strings(_ number: Int?) -> [(name: String, number: Int)] {
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
