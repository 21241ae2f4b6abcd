import Regions

/// What a value is given for: `exit_after` in `region`.
struct Subject {
  let name: String
  let owner: String

  init(_ name: String, in owner: String) {
    self.name = name
    self.owner = owner
  }
}

extension PluginChecker {
  /// Whether what it is can be seen in the text.
  func isLiteral(_ number: Int) -> Bool {
    switch program.kind(number) {
    case .nothing, .boolean, .number, .string, .table, .function: true
    default: false
    }
  }

  /// A value that is written out, against what it is given for; tables key by key.
  mutating func checkValue(_ number: Int, _ type: ReferenceType, _ subject: Subject) {
    guard isLiteral(number) else { return checkUnwritten(number, type, subject) }
    guard accepts(type, number) else { return tell(number, type, subject) }
    guard let items = program.items(number) else { return }
    let isList = items.contains { if case .place = $0.key { true } else { false } }
    switch Self.tableType(type, isList: isList) {
    case .record(let name):
      guard let record = Reference.record(name), record.isWritten else { return }
      checkTable(items, record, place(number))
    case .list(let element):
      for item in items { checkValue(item.value, element, subject) }
    case .values:
      for item in items {
        switch item.key {
        case .name(let name): checkValue(item.value, Self.plain, Subject(name, in: subject.name))
        case .place: error("\(subject.name) has names: write name = value", at: item.place)
        case .computed: continue
        }
      }
    default: return
    }
  }

  /// What is not written out, and is known all the same: texts put together, and fields.
  private mutating func checkUnwritten(_ number: Int, _ type: ReferenceType, _ subject: Subject) {
    let known: (words: String, types: [ReferenceType])
    if case .binary(.symbol(.concat), _, _) = program.kind(bare(number)) {
      known = ("a string", [.string])
    } else if let (name, types) = field(number) {
      known = (types[0].words + " (\(name))", types)
    } else {
      return
    }
    guard known.types.allSatisfy({ Self.takes(type, $0) == false }) else { return }
    error(
      "\(subject.name) in \(subject.owner) has to be \(type.words), not \(known.words)",
      at: place(number))
  }

  /// Whether a value of one type may stand where another is asked for; nil: nothing is known of it.
  private static func takes(_ type: ReferenceType, _ given: ReferenceType) -> Bool? {
    if case .either(let types) = type {
      let answers = types.map { takes($0, given) }
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    }
    switch (type, given) {
    case (.any, _): return true
    case (_, .words), (_, .string):
      if case .words = type { return true }
      return type == .string
    case (_, .number), (_, .integer): return type == .number || type == .integer
    case (_, .boolean): return type == .boolean
    default: return nil
    }
  }

  private static let plain = ReferenceType.either([.string, .number, .boolean])

  /// What a table stands for where several things may be meant.
  private static func tableType(_ type: ReferenceType, isList: Bool) -> ReferenceType {
    guard case .either(let types) = type else { return type }
    let fitting = types.filter { type in
      if case .list = type { return isList }
      if case .record = type { return !isList }
      return type == .values
    }
    return fitting.first ?? .any
  }

  /// Whether a literal is of a type; what is inside tables aside.
  private func accepts(_ type: ReferenceType, _ number: Int) -> Bool {
    if case .either(let types) = type { return types.contains { accepts($0, number) } }
    if type == .any { return true }
    switch program.kind(number) {
    case .nothing: return true
    case .boolean: return type == .boolean
    case .number(let value, let isInteger):
      return type == .number || (type == .integer && (isInteger || value == value.rounded()))
    case .string(let text):
      if case .words(let words) = type { return words.contains(text) }
      return type == .string
    case .table:
      switch type {
      case .record, .list, .values: return true
      default: return false
      }
    case .function:
      if case .function = type { return true }
      return false
    default: return true
    }
  }

  private mutating func tell(_ number: Int, _ type: ReferenceType, _ subject: Subject) {
    let words = Self.words(in: type)
    if case .string(let text) = program.kind(number), !words.isEmpty {
      let guess = LikelyWord.question(text, among: words)
      let list = guess.isEmpty ? "; write one of \(words.joined(separator: ", "))" : guess
      error("unknown \(subject.name) '\(text)'\(list)", at: place(number))
    } else {
      error(
        "\(subject.name) in \(subject.owner) has to be \(type.words), not \(literalWords(number))",
        at: place(number))
    }
  }

  private static func words(in type: ReferenceType) -> [String] {
    switch type {
    case .words(let words): words
    case .either(let types): types.flatMap(words)
    default: []
    }
  }

  private func literalWords(_ number: Int) -> String {
    switch program.kind(number) {
    case .nothing: "nil"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .table: "a table"
    default: "a function"
    }
  }

  // MARK: Tables

  mutating func checkTable(
    _ items: [LuaProgram.Item], _ record: ReferenceRecord, _ place: LuaPlace
  ) {
    var seen: Set<String> = []
    var isComplete = true
    if record.name == "at_most", let second = items.first(where: { $0.key.place == 2 }) {
      return error("at_most: write { 5, per = 60 }: five in sixty seconds", at: second.place)
    }
    for item in items {
      switch item.key {
      case .computed: isComplete = false
      case .place(let number):
        seen.insert("\(number)")
        checkPlaced(item, "\(number)", record)
      case .name(let name):
        if !seen.insert(name).inserted { remark("'\(name)' stands twice", at: item.place) }
        checkNamed(item, name, record)
      }
    }
    guard isComplete else { return }
    for field in record.fields where !field.isOptional && !seen.contains(field.name) {
      let key = field.name == "1" ? "a number first" : field.name
      error("\(Self.title(record)) needs \(key)", at: place)
    }
  }

  /// As sentences name it: `region.ibeacon` is `ibeacon`.
  private static func title(_ record: ReferenceRecord) -> String {
    if record.name == "decoded" { return "what decode returns" }
    return record.name.split(separator: ".").last.map(String.init) ?? record.name
  }

  private mutating func checkPlaced(
    _ item: LuaProgram.Item, _ name: String, _ record: ReferenceRecord
  ) {
    guard let field = record.fields.first(where: { $0.name == name }) else {
      error(
        "\(Self.title(record)) takes no value without a key; write key = value", at: item.place)
      return
    }
    checkValue(item.value, field.type, Subject(field.name, in: Self.title(record)))
  }

  private mutating func checkNamed(
    _ item: LuaProgram.Item, _ name: String, _ record: ReferenceRecord
  ) {
    let title = Self.title(record)
    guard let field = record.fields.first(where: { $0.name == name }) else {
      if record.name == "region", let kind = RegionTable.owner(of: name) {
        return error(RegionTable.sentence(name, kind), at: item.place)
      }
      let question = LikelyWord.question(name, among: record.fields.map(\.name))
      let list =
        question.isEmpty
        ? "; it has \(record.fields.map(\.name).joined(separator: ", "))" : question
      error("unknown key '\(name)' in \(title)\(list)", at: item.place)
      return
    }
    // A region is read as `--region` is: there everything is text.
    if record.name.split(separator: ".").first == "region", isNumberAsText(item.value, field.type) {
      return
    }
    checkValue(item.value, field.type, Subject(name, in: title))
  }

  /// `major = "9"`
  private func isNumberAsText(_ number: Int, _ type: ReferenceType) -> Bool {
    guard let text = program.string(number) else { return false }
    let types = if case .either(let types) = type { types } else { [type] }
    return types.contains { type in
      type == .number && Double(text) != nil || type == .integer && Int(text) != nil
    }
  }

  // MARK: What only a whole table shows

  /// What decoders return.
  mutating func checkReturns() {
    guard let record = Reference.record("decoded") else { return }
    for (function, value) in program.returns {
      guard roles.roles[function]?.contains(.decode) == true else { continue }
      if program.items(value) != nil {
        checkValue(value, .record(record.name), Subject("what decode returns", in: "decoder"))
      } else if case .nothing = program.kind(value) {
        continue
      } else if isLiteral(value) {
        error("decode has to return a table with an id, or nil", at: place(value))
      }
    }
  }

  /// A number that is written out has to be above 0.
  mutating func checkPositive(_ number: Int?, _ name: String) {
    guard let number else { return }
    let isPositive =
      switch program.kind(number) {
      case .number(let value, _): value > 0
      // Whatever stands before it: -5 and ~5 are below 0, and nothing else is a number.
      case .unary(_, let inner): if case .number = program.kind(inner) { false } else { true }
      default: true
      }
    if !isPositive { error("\(name) has to be a number above 0", at: place(number)) }
  }

  mutating func checkMeaning(_ call: LuaProgram.GlobalCall) {
    guard let items = program.items(call.arguments.last) else { return }
    let names = items.compactMap { item -> String? in
      if case .name(let name) = item.key { return name }
      return nil
    }
    let isComplete = names.count == items.count
    switch call.name {
    case "alert":
      checkSameness(call, names, items)
      checkPositive(program.item("once_per", of: items), "once_per")
      if let most = program.items(program.item("at_most", of: items)) {
        checkPositive(program.item("per", of: most), "per in at_most")
        let count = most.first { if case .place(1) = $0.key { true } else { false } }
        checkPositive(count?.value, "the number in at_most")
      }
    case "region":
      let kinds = names.filter(RegionKeys.kinds.contains)
      if kinds.count > 1 {
        error(
          "a region is of one kind, not of \(kinds.joined(separator: " and ")); define several",
          at: call.place)
      } else if isComplete, kinds.isEmpty, !names.contains("address"), !names.contains("contains") {
        error(
          "region needs one of \(RegionKeys.kinds.joined(separator: ", ")), address, or contains",
          at: call.place)
      }
    case "decoder":
      let kinds = names.filter(["company", "service", "ad_type"].contains)
      if kinds.count > 1 || (isComplete && kinds.isEmpty) {
        error(
          "decoder needs one of company, service and ad_type"
            + (kinds.count > 1 ? ", not \(kinds.count) of them" : ""), at: call.place)
      }
    case "option":
      if isComplete, !names.contains("default"), !names.contains("type") {
        error("option needs default or type", at: call.place)
      }
      checkLimits(items)
      let name = program.string(call.first ?? call.arguments.first)
      if let name, Reference.reservedOptions.contains(name) {
        error("'\(name)' is an option of every plugin; choose another name", at: call.place)
      }
    default: return
    }
  }
}
