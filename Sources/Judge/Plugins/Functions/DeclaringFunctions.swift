import CaptureReader
import Regions
import TrackReader

extension PluginFunction {
  /// `plugin { version = "1.0", about = "…" }`
  static let plugin = PluginFunction(name: "plugin") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("plugin")
    let reader = try DeclarationReader(
      arguments.first ?? .none, "plugin", keys: ["version", "about"])
    guard !plugin.declared.hasPlugin else { throw LuaMessage("plugin is written twice") }
    plugin.declared.hasPlugin = true
    plugin.declared.version = try reader.text("version") ?? ""
    plugin.declared.about = try reader.text("about") ?? ""
    return .none
  }

  /// `message { beacon = "ibeacon:…", namespace = "…", type = "…", content = "…" }`
  static let message = PluginFunction(name: "message") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("message")
    let reader = try DeclarationReader(
      arguments.first ?? .none, "message", keys: ["beacon", "namespace", "type", "content"])
    let written = try reader.neededText("beacon")
    let beacon: MessageBeacon
    do throws(MessageBeaconProblem) {
      beacon = try MessageBeacon(written)
    } catch {
      throw LuaMessage("message: beacon \(error.text)")
    }
    guard case .bytes(let content) = reader.table["content"] else {
      throw reader.wrong("content", reader.table["content"], "a string")
    }
    plugin.declared.messages.append(
      BeaconMessage(
        beacon: beacon, namespace: try reader.neededText("namespace"),
        type: try reader.neededText("type"), content: Self.content(content)))
    return .none
  }

  private static func content(_ bytes: [UInt8]) -> BeaconMessage.Content {
    if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
    return .bytes(bytes)
  }

  /// `subscribe { namespace = "museum" }`
  static let subscribe = PluginFunction(name: "subscribe") { plugin, arguments throws(LuaMessage) in
    try plugin.needLoading("subscribe")
    let flags = ["ibeacon", "eddystone", "background", "low_power"]
    let reader = try DeclarationReader(
      arguments.first ?? .none, "subscribe", keys: ["namespace", "type"] + flags)
    var subscription = Subscription()
    subscription.namespace = try reader.text("namespace")
    subscription.type = try reader.text("type")
    for flag in flags {
      switch reader.table[flag] {
      case .none: break
      case .flag(let value): subscription.set(flag, value)
      case let other: throw reader.wrong(flag, other, "true or false")
      }
    }
    plugin.declared.subscriptions.append(subscription)
    return .none
  }

  /// `mark("display_on")` now, or while the file loads `mark("display_on", TIME)`.
  static let mark = PluginFunction(name: "mark") { plugin, arguments throws(LuaMessage) in
    guard case .bytes(let bytes)? = arguments.first, !bytes.isEmpty else {
      throw LuaMessage("mark: the kind has to be a string such as 'display_on'")
    }
    let kind = String(decoding: bytes, as: UTF8.self)
    let time: Timestamp
    switch arguments.count > 1 ? arguments[1] : .none {
    case .none:
      guard !plugin.isLoading else {
        throw LuaMessage(
          "mark: while the file loads a time is needed, such as 2026-05-19T10:00:00Z")
      }
      time = plugin.now
    case .bytes(let text):
      guard let reading = UTCTime.read(text), reading.hasZone else {
        throw LuaMessage(
          "mark: '\(String(decoding: text.prefix(60), as: UTF8.self))' is no time with a zone; "
            + "write it as 2026-05-19T10:00:00Z")
      }
      time = reading.time
    case let value:
      guard let seconds = value.number, let known = Timestamp(luaSeconds: seconds) else {
        throw LuaMessage("mark: the time has to be a number or a text, not \(value.shown)")
      }
      time = known
    }
    plugin.mark(Marker(time: time, kind: kind, line: 0))
    return .none
  }

  /// `utc(e.time)` → `2026-05-19T10:00:00.123456789Z`
  static let utc = PluginFunction(name: "utc") { _, arguments throws(LuaMessage) in
    guard let seconds = arguments.first?.number, let time = Timestamp(luaSeconds: seconds) else {
      throw LuaMessage(
        "utc: a time in seconds since 1970 is needed, not "
          + (arguments.first ?? .none).shown)
    }
    return .text(UTCTime.rfc3339(time))
  }

  /// `state.save("key", …)`
  static let save = PluginFunction(name: "_save") { plugin, arguments throws(LuaMessage) in
    for argument in arguments {
      guard case .bytes(let key) = argument else {
        throw LuaMessage("state.save: names of keys are needed, not \(argument.shown)")
      }
      plugin.savedKeys.insert(key)
    }
    return .none
  }
}
