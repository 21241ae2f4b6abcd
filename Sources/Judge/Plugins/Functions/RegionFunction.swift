import Beacons
import Regions

/// `local lobby = region "lobby" { ibeacon = { uuid = "…", major = 1 }, exit_after = 20 }`
extension PluginFunction {
  static let region = PluginFunction(name: "_region") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("region")
    guard let name = arguments.first?.text, !name.isEmpty, arguments.count > 1 else {
      throw LuaMessage("region: write region \"name\" { … }")
    }
    let kinds = RegionTable.kinds.map(\.key)
    try RegionTable.checkParts(arguments[1], of: name)
    let reader = try DeclarationReader(
      arguments[1], "region '\(name)'", keys: kinds + ["contains"] + RegionOptions.names)
    let table = RegionTable(reader)
    let contains = try reader.function("contains")
    let condition = try table.condition()
    do throws(SettingProblem) {
      let predicate = contains.map { LuaPredicate(plugin, $0, region: name) }
      guard let inside = condition ?? predicate.map(RegionCondition.custom) else {
        throw SettingProblem(
          "nothing says what is inside",
          allowed: "write one of \(kinds.joined(separator: ", ")), or "
            + "contains = function(s) … end; what is nil is not there, such as an option without a "
            + "default")
      }
      var region = try Region(
        identifier: name, inside, options: try table.options())
      if condition != nil { region.predicate = predicate }
      plugin.declared.regions.append(region)
    } catch {
      throw LuaMessage(error.inside("region '\(name)'").description)
    }
    return .text(name)
  }
}

/// A region's table in the words of `--region`: both mean the same.
struct RegionTable {
  /// A key, and how its value is written as a specification.
  struct Kind: Sendable {
    let key: String
    /// Fields of the table behind the key, in the order of the specification.
    let fields: [String]
    /// Parts the fields.
    let separator: String
  }

  static let kinds: [Kind] = [
    Kind(key: "ibeacon", fields: ["uuid", "major", "minor"], separator: ":"),
    Kind(key: "eddystone", fields: ["namespace", "instance"], separator: ":"),
    Kind(key: "url", fields: [], separator: ""),
    Kind(key: "eid", fields: [], separator: ""),
    Kind(key: "altbeacon", fields: ["id1", "id2", "id3"], separator: ":"),
    Kind(key: "address", fields: [], separator: ""),
    Kind(key: "circle", fields: ["latitude", "longitude", "radius"], separator: ","),
    Kind(key: "decoder", fields: ["name", "id"], separator: ":"),
  ]

  /// Parts of an identity stand in the table of their kind, not beside it.
  static func checkParts(_ value: LuaValue, of region: String) throws(LuaMessage) {
    guard case .table(let table) = value else { return }
    for name in table.names where RegionOptions.names.allSatisfy({ $0 != name }) {
      guard let kind = owner(of: name), kinds.allSatisfy({ $0.key != name }) else { continue }
      throw LuaMessage("region '\(region)': \(sentence(name, kind))")
    }
  }

  /// The kind that has a part of that name.
  static func owner(of part: String) -> Kind? { kinds.first { $0.fields.contains(part) } }

  /// `'major' is a part of ibeacon: write ibeacon = { uuid = …, major = … }`
  static func sentence(_ part: String, _ kind: Kind) -> String {
    let fields = kind.fields.prefix(through: kind.fields.firstIndex(of: part) ?? 0)
    return "'\(part)' is a part of \(kind.key): write \(kind.key) = { "
      + fields.map { "\($0) = …" }.joined(separator: ", ") + " }"
  }

  private let reader: DeclarationReader

  init(_ reader: DeclarationReader) { self.reader = reader }

  /// Nil where none of the kinds is given. An address beside another kind narrows that one.
  func condition() throws(LuaMessage) -> RegionCondition? {
    var given = Self.kinds.filter { !reader.table[$0.key].isNone }
    if given.count > 1 { given.removeAll { $0.key == "address" } }
    guard given.count <= 1 else {
      throw LuaMessage(
        "\(reader.what): \(given[0].key) and \(given[1].key) exclude each other; write two regions")
    }
    guard let kind = given.first else { return nil }
    let spec = try spec(kind)
    do throws(SettingProblem) {
      return try RegionKinds.condition("\(kind.key):\(spec)")
    } catch {
      throw LuaMessage("\(reader.what): \(error.description)")
    }
  }

  private func spec(_ kind: Kind) throws(LuaMessage) -> String {
    let value = reader.table[kind.key]
    if let text = value.text { return text }
    guard case .table = value, !kind.fields.isEmpty else {
      throw reader.wrong(kind.key, value, kind.fields.isEmpty ? "a string" : "a table or a string")
    }
    let inner = try DeclarationReader(value, "\(reader.what), \(kind.key)", keys: kind.fields)
    var parts: [String] = []
    var missing: String?
    for field in kind.fields {
      let value = inner.table[field]
      if value.isNone {
        missing = missing ?? field
        continue
      }
      if let missing {
        throw LuaMessage("\(inner.what): \(field) without \(missing)")
      }
      guard let part = value.text ?? Self.number(value) else {
        throw inner.wrong(field, value, "a string or a number")
      }
      parts.append(part)
    }
    guard !parts.isEmpty else {
      throw LuaMessage("\(inner.what): \(kind.fields[0]) is missing")
    }
    return parts.joined(separator: kind.separator)
  }

  /// What else the table says, as text.
  func options() throws(SettingProblem) -> [(key: String, value: String)] {
    let kinds = Self.kinds.map(\.key)
    let isAddressKind = !kinds.contains { $0 != "address" && !reader.table[$0].isNone }
    var options: [(key: String, value: String)] = []
    for (key, value) in reader.table.pairs {
      guard let name = key.text, RegionOptions.names.contains(name) else { continue }
      if name == "address" && isAddressKind { continue }
      guard let text = Self.option(value) else {
        throw SettingProblem(
          "\(name) is \(value.shown)", allowed: "write a number, a string, true or false")
      }
      options.append((name, text))
    }
    return options
  }

  private static func option(_ value: LuaValue) -> String? {
    if case .flag(let flag) = value { return flag ? "yes" : "no" }
    return value.text ?? number(value)
  }

  /// Decimal, never with an exponent where settings take none.
  private static func number(_ value: LuaValue) -> String? {
    if let integer = value.integer { return "\(integer)" }
    return value.number.map { "\($0)" }
  }
}
