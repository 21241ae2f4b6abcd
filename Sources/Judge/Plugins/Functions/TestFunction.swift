extension PluginFunction {
  /// `test "name" { … }`, in the file of a plugin's tests alone.
  static let test = PluginFunction(name: "_test") { plugin, arguments throws(LuaMessage) in
    guard plugin.role == .tests else {
      throw LuaMessage("test belongs into \(plugin.file.name).test.lua, beside the plugin")
    }
    try plugin.needLoading("test")
    guard let name = arguments.first?.text, arguments.count > 1 else {
      throw LuaMessage("test: write test \"name\" { … }")
    }
    guard !plugin.tests.contains(where: { $0.name == name }) else {
      throw LuaMessage("there are two tests called '\(name)'")
    }
    plugin.tests.append(try PluginTest(name, arguments[1], folder: plugin.file.folder))
    return .none
  }

  /// What a file of tests may call: rules there would never run.
  func needInTests(_ plugin: Plugin) throws(LuaMessage) {
    guard ["_test", "utc"].contains(name) else {
      let shown = name.hasPrefix("_") ? String(name.dropFirst()) : name
      throw LuaMessage("\(shown) belongs into \(plugin.file.name).lua; here are its tests alone")
    }
  }
}
