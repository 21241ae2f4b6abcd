/// `local below = option "below_mv" { default = 2400, min = 0, help = "…" }`
extension PluginFunction {
  static let option = PluginFunction(name: "_option") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("option")
    guard let name = arguments.first?.text, arguments.count > 1 else {
      throw LuaMessage("option: write option \"name\" { default = … }")
    }
    guard !name.isEmpty, name.utf8.allSatisfy(PluginFile.isOfName) else {
      throw LuaMessage("option '\(name)': a name has letters, digits and _ only")
    }
    guard !PluginLimits.names.contains(name) else {
      throw LuaMessage("option '\(name)': every plugin has an option of this name")
    }
    guard !plugin.declared.options.contains(where: { $0.name == name }) else {
      throw LuaMessage("option '\(name)' is declared twice")
    }
    let reader = try DeclarationReader(
      arguments[1], "option '\(name)'",
      keys: ["default", "type", "min", "max", "choices", "help"])
    var option = try OptionDeclaration(name, reader)
    if let setting = plugin.settings[name] { option.value = try option.read(setting) }
    plugin.declared.options.append(option)
    return option.value
  }
}

extension OptionDeclaration {
  fileprivate init(_ name: String, _ reader: DeclarationReader) throws(LuaMessage) {
    let initial = reader.table["default"]
    let choices = reader.table["choices"]
    var list: [LuaValue] = []
    if case .table(let table) = choices {
      list = table.list
    } else if !choices.isNone {
      throw reader.wrong("choices", choices, "a list")
    }
    self.init(
      name: name, kind: try Self.kind(initial, reader), initial: initial,
      least: try reader.number("min"), most: try reader.number("max"), choices: list,
      help: try reader.text("help") ?? "", value: initial)
    guard kind == .number || kind == .integer || (least == nil && most == nil) else {
      throw LuaMessage(
        "\(reader.what): min and max are of numbers, and this is a \(kind.rawValue): write default = 60, say"
      )
    }
    if let least, let most, least > most {
      throw LuaMessage("\(reader.what): min is above max")
    }
    if !initial.isNone { try check(initial, "default", reader.what) }
  }

  private static func kind(_ initial: LuaValue, _ reader: DeclarationReader) throws(LuaMessage)
    -> Kind
  {
    if let word = try reader.text("type") {
      guard let kind = Kind(rawValue: word) else {
        throw LuaMessage(
          "\(reader.what): "
            + UnknownWord.sentence("type", word, among: Kind.allCases.map(\.rawValue)))
      }
      return kind
    }
    switch initial {
    case .integer, .number: return .number
    case .bytes: return .string
    case .flag: return .boolean
    default:
      throw LuaMessage("\(reader.what): neither default nor type says what values it has")
    }
  }

  private func check(_ value: LuaValue, _ key: String, _ what: String) throws(LuaMessage) {
    let isOfKind =
      switch kind {
      case .number: value.number != nil
      case .integer: value.integer != nil
      case .string, .region: value.text != nil
      case .boolean: if case .flag = value { true } else { false }
      }
    guard isOfKind else {
      throw LuaMessage("\(what): \(key) is \(value.shown), which is no \(kind.form)")
    }
    if let number = value.number {
      if let least, number < least {
        throw LuaMessage("\(what): \(key) is \(value.shown); at least \(Self.text(least))")
      }
      if let most, number > most {
        throw LuaMessage("\(what): \(key) is \(value.shown); at most \(Self.text(most))")
      }
    }
    if !choices.isEmpty && !choices.contains(value) {
      throw LuaMessage(
        "\(what): \(key) is \(value.shown); choose one of "
          + choiceTexts.joined(separator: ", "))
    }
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// A value from the command line.
  fileprivate func read(_ text: String) throws(LuaMessage) -> LuaValue {
    let value: LuaValue? =
      switch kind {
      case .string, .region: .text(text)
      case .integer: Int64(text).map { .integer($0) }
      case .number:
        Int64(text).map { .integer($0) }
          ?? Double(text).flatMap { $0.isFinite ? .number($0) : nil }
      case .boolean:
        ["yes": true, "true": true, "no": false, "false": false][text].map { .flag($0) }
      }
    guard let value else {
      let allowed = kind == .boolean ? "yes or no" : "a value of the type \(kind.rawValue)"
      throw LuaMessage("option '\(name)': '\(text)' was set; write \(allowed)")
    }
    try check(value, "what was set", "option '\(name)'")
    return value
  }
}
