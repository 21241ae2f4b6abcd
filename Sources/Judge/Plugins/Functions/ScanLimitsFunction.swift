import FrameDecoder

extension PluginFunction {
  /// `scan_limits(s.observer).filters_duplicates`
  static let scanLimits = PluginFunction(name: "scan_limits") {
    plugin, arguments throws(LuaMessage) in
    guard let observer = arguments.first?.text else {
      throw LuaMessage(
        "scan_limits: the name of an observer is needed, not \((arguments.first ?? .none).shown)")
    }
    var table = LuaTable()
    for (name, value) in plugin.moment.scans.limits(of: observer).fields { table.set(name, value) }
    table.set("radio_share", plugin.moment.scans.share(of: observer).map { .number($0) })
    return .table(table)
  }
}
