import CaptureReader

extension PluginFunction {
  /// `heard_anybody_at(s.observer)`
  static let heardAnybodyAt = PluginFunction(name: "heard_anybody_at") {
    plugin, arguments throws(LuaMessage) in
    guard let observer = arguments.first?.text else {
      throw LuaMessage(
        "heard_anybody_at: the name of an observer is needed, not "
          + (arguments.first ?? .none).shown)
    }
    return LuaValue(plugin.moment.heardAnybody(observer))
  }
}
