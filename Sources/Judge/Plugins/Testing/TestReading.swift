import Analysis
import Regions

extension PluginTest {
  static let keys = [
    "options", "site", "regions", "keys", "profile", "set", "sightings", "capture", "captures",
    "alerts",
    "print", "errors", "finish",
  ]

  /// - Parameter folder: of the test's file: files are looked for there.
  init(_ name: String, _ definition: LuaValue, folder: String) throws(LuaMessage) {
    let reader = try DeclarationReader(definition, "test '\(name)'", keys: Self.keys)
    let path = { (file: String) in file.hasPrefix("/") ? file : folder + file }
    self.init(name: name, input: try Self.input(reader, path))
    options = try Self.settings(reader, "options")
    site = try reader.text("site").map(path)
    regions = try Self.regions(reader)
    keys = try Self.keys(reader, input)
    profile = try Self.profile(reader)
    guard !reader.table["alerts"].isNone else {
      throw LuaMessage(
        "\(reader.what): alerts is missing; write alerts = {} where none must come")
    }
    for (number, value) in try reader.list("alerts").enumerated() {
      alerts.append(try ExpectedAlert(value, "\(reader.what), alerts[\(number + 1)]"))
    }
    if !reader.table["print"].isNone { lines = try reader.texts("print") }
    errors = try reader.integer("errors", in: 0...1_000_000) ?? 0
    finish = try reader.function("finish")
  }

  private static func input(_ reader: DeclarationReader, _ path: (String) -> String)
    throws(LuaMessage) -> Input
  {
    let given = ["sightings", "capture", "captures"].filter { !reader.table[$0].isNone }
    guard given.count == 1 else {
      throw LuaMessage(
        given.isEmpty
          ? "\(reader.what): nothing is heard; write sightings = { … } or capture = \"FILE\""
          : "\(reader.what): \(given[0]) and \(given[1]) exclude each other")
    }
    if let capture = try reader.textIfGiven("capture", given[0]) {
      return .captures([path(capture)])
    }
    if given[0] == "captures" { return .captures(try reader.texts("captures").map(path)) }
    var sightings: [TestSighting] = []
    var count = 0
    for (number, value) in try reader.list("sightings").enumerated() {
      let sighting = try TestSighting(
        value, "\(reader.what), sightings[\(number + 1)]", place: number)
      count += sighting.count
      guard count <= TestSighting.most else {
        throw LuaMessage(
          "\(reader.what): more than \(TestSighting.most) sightings; keep it shorter")
      }
      sightings.append(sighting)
    }
    guard sightings.count(where: \.isRestart) <= TestSighting.mostRestarts else {
      throw LuaMessage(
        "\(reader.what): more than \(TestSighting.mostRestarts) restarts; keep it shorter")
    }
    return .sightings(sightings)
  }

  /// Values as `--set` has them, in the order of their names.
  private static func settings(_ reader: DeclarationReader, _ key: String) throws(LuaMessage)
    -> [String: String]
  {
    let value = reader.table[key]
    if value.isNone { return [:] }
    guard case .table(let table) = value else { throw reader.wrong(key, value, "a table") }
    var settings: [String: String] = [:]
    for (name, value) in table.pairs {
      guard let name = name.text else {
        throw LuaMessage("\(reader.what): write \(key) = { name = value }")
      }
      guard let text = value.setting else {
        throw LuaMessage(
          "\(reader.what): \(key).\(name) is \(value.shown); write a string, a number, true or false"
        )
      }
      settings[name] = text
    }
    return settings
  }

  private static func regions(_ reader: DeclarationReader) throws(LuaMessage) -> [Region] {
    var regions: [Region] = []
    for text in try reader.texts("regions") {
      do throws(SettingProblem) {
        regions.append(try Region.parse(text))
      } catch {
        throw LuaMessage("\(reader.what): \(error.description)")
      }
    }
    return regions
  }

  private static func keys(_ reader: DeclarationReader, _ input: Input) throws(LuaMessage)
    -> [KeyLine]
  {
    let texts = try reader.texts("keys")
    if !texts.isEmpty, case .sightings = input {
      throw LuaMessage(
        "\(reader.what): keys are of captures; in sightings key = \"NAME\" has one that is made up")
    }
    var keys: [KeyLine] = []
    do throws(SettingProblem) {
      for text in texts { keys.append(try KeyLine.parse(text)) }
      _ = try KeyLine.ring(keys)
    } catch {
      throw LuaMessage("\(reader.what): keys: \(error.description)")
    }
    return keys
  }

  private static func profile(_ reader: DeclarationReader) throws(LuaMessage) -> Profile {
    let numbers = try settings(reader, "set").sorted { $0.key < $1.key }
    let name = try reader.text("profile")
    do throws(SettingProblem) {
      var overrides: [ProfileOverride] = []
      for (name, text) in numbers { overrides.append(try ProfileOverride(name: name, text)) }
      return try
        (name.map { name throws(SettingProblem) in try Profiles.named(name) }
        ?? Profiles.site).with(overrides)
    } catch {
      throw LuaMessage("\(reader.what): \(error.description)")
    }
  }
}

extension ExpectedAlert {
  init(_ value: LuaValue, _ what: String) throws(LuaMessage) {
    let reader = try DeclarationReader(value, what, keys: Self.keys)
    at = try reader.number("at")
    heldBack = try reader.integer("held_back", in: 0...Int(Int32.max))
    for key in Self.textKeys {
      if let text = try reader.text(key) { texts.append((key, text)) }
    }
    let severities = Alert.Severity.allCases.map(\.rawValue)
    if let word = try reader.text("severity"), !severities.contains(word) {
      throw LuaMessage("\(what): " + UnknownWord.sentence("severity", word, among: severities))
    }
    if !reader.table["evidence"].isNone { evidence = try reader.numbers("evidence") }
    let value = reader.table["fields"]
    guard !value.isNone else { return }
    guard case .table(let table) = value else { throw reader.wrong("fields", value, "a table") }
    for (name, value) in table.pairs {
      guard let name = name.text, value.setting != nil else {
        throw LuaMessage(
          "\(what): write fields = { name = value }, values being strings, numbers, true or false")
      }
      fields.append((name, value))
    }
  }
}

extension LuaValue {
  /// As `--set` has it; nil for what no option can be.
  fileprivate var setting: String? {
    switch self {
    case .flag(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .number(let number): integer.map { "\($0)" } ?? "\(number)"
    case .bytes: text
    default: nil
    }
  }
}

extension DeclarationReader {
  /// A list without names: of what may be left out, an empty one.
  func list(_ key: String) throws(LuaMessage) -> [LuaValue] {
    let value = table[key]
    if value.isNone { return [] }
    guard case .table(let table) = value, table.names.isEmpty else {
      throw wrong(key, value, "a list: { …, … }")
    }
    let list = table.list
    guard list.count == table.pairs.count else {
      throw LuaMessage("\(what): \(key) has a nil in it")
    }
    return list
  }

  func texts(_ key: String) throws(LuaMessage) -> [String] {
    var texts: [String] = []
    for value in try list(key) {
      guard let text = value.text else { throw wrong(key, value, "a list of strings") }
      texts.append(text)
    }
    return texts
  }

  fileprivate func numbers(_ key: String) throws(LuaMessage) -> [Double] {
    var numbers: [Double] = []
    for value in try list(key) {
      guard let number = value.number, number.isFinite else {
        throw wrong(key, value, "a list of seconds: when the cited frames were received")
      }
      numbers.append(number)
    }
    return numbers
  }

  fileprivate func textIfGiven(_ key: String, _ given: String) throws(LuaMessage) -> String? {
    given == key ? try text(key) : nil
  }
}
