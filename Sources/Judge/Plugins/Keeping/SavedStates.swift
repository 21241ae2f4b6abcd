import CaptureReader

/// What plugins save beyond a run: the keys of `state` that they name with `state.save`.
///
/// As text it is JSON, the same bytes for the same values:
/// `{"format":"beacontrace-state","version":1,"sha256":"…","plugins":[{"name":"…","state":…}]}`. The
/// digest is that of what stands behind `"plugins":`. `StateText` says how values are written.
package struct SavedStates: Sendable, Equatable {
  /// By plugin's name. Those of plugins that do not run are kept as they are.
  var tables: [String: LuaTable] = [:]
  /// By plugin's name: which alerts have been told, so that they are held back (`AlertGate`).
  var gates: [String: LuaTable] = [:]

  static let format = "beacontrace-state"
  static let version = 1
  /// What every text of it begins with.
  package static let beginning = "{\"format\":\"\(format)\",\"version\":"

  /// Of a run that is the first.
  package init() {}

  package var isEmpty: Bool { tables.isEmpty && gates.isEmpty }

  /// Loads a plugin with what it saved.
  func load(_ plugin: Plugin) throws(PluginProblem) {
    if let gate = gates[plugin.file.name].flatMap(AlertGate.init) { plugin.record.gate = gate }
    guard let table = tables[plugin.file.name] else { return try plugin.load() }
    do throws(PluginProblem) {
      try plugin.load(with: EarlierRun.marked(table))
    } catch {
      throw PluginProblem(
        "\(error.description) (loading with the state that it saved in an earlier run)")
    }
  }

  package var text: [UInt8] {
    let plugins = pluginsText
    var text = StateText()
    text.write("\(Self.beginning)\(Self.version),\"sha256\":\"")
    text.write(Digest.sha256(plugins))
    text.write("\",\"plugins\":")
    return text.bytes + plugins + Array("}\n".utf8)
  }

  private var pluginsText: [UInt8] {
    var text = StateText()
    text.write("[")
    for (place, name) in Set(tables.keys).union(gates.keys).sorted().enumerated() {
      text.write(place == 0 ? "\n" : ",\n")
      text.write("{\"name\":")
      text.write(.text(name))
      text.write(",\"state\":")
      text.write(.table(tables[name] ?? LuaTable()))
      if let gate = gates[name] {
        text.write(",\"alerts\":")
        text.write(.table(gate))
      }
      text.write("}")
    }
    text.write("]")
    return text.bytes
  }

  /// - Parameter name: what messages call the text, such as its path.
  /// - Throws: where it is damaged, or something else: the whole sentence.
  package init(reading bytes: [UInt8], name: String) throws(PluginProblem) {
    do throws(LuaMessage) {
      var reader = StateReader(bytes)
      try take(try reader.document())
    } catch {
      throw PluginProblem(
        "\(name): \(error.text); nothing is restored from it. Remove it to begin anew")
    }
  }

  private mutating func take(_ document: StateJSON) throws(LuaMessage) {
    let fields = document.fields
    guard fields["format"] == .text(Self.format) else {
      throw LuaMessage("this is no saved state of plugins")
    }
    guard case .integer(let version)? = fields["version"], version == Self.version else {
      throw LuaMessage(
        "the saved state is of another version of beacontrace: this one reads version "
          + "\(Self.version)")
    }
    guard case .list(let plugins)? = fields["plugins"], case .bytes(let digest)? = fields["sha256"]
    else { throw LuaMessage("the saved state is damaged: plugins or sha256 is missing") }
    for plugin in plugins {
      let fields = plugin.fields
      guard case .bytes(let bytes)? = fields["name"], let state = fields["state"],
        let name = String(validating: bytes, as: UTF8.self),
        case .table(let table) = try state.value, tables[name] == nil, gates[name] == nil
      else { throw LuaMessage("the saved state is damaged: a plugin has no name or no state") }
      if !table.pairs.isEmpty || fields["alerts"] == nil { tables[name] = table }
      guard let alerts = fields["alerts"] else { continue }
      guard case .table(let gate) = try alerts.value, AlertGate(gate) != nil else {
        throw LuaMessage("the saved state is damaged: a plugin's alerts are none")
      }
      gates[name] = gate
    }
    guard Array(Digest.sha256(pluginsText).utf8) == digest else {
      throw LuaMessage("the saved state is damaged: its values have another SHA-256 than it says")
    }
  }
}
