import CaptureReader
import Foundation

/// `utc_offset(e.time, "Europe/Berlin")`
extension PluginFunction {
  static let utcOffset = PluginFunction(name: "utc_offset") {
    plugin, arguments throws(LuaMessage) in
    guard let seconds = arguments.first?.number, let time = Timestamp(luaSeconds: seconds) else {
      throw LuaMessage(
        "utc_offset: a time in seconds since 1970 is needed, not "
          + (arguments.first ?? .none).shown)
    }
    let zone = arguments.count > 1 ? arguments[1] : .none
    guard case .bytes(let name) = zone else {
      throw LuaMessage(
        "utc_offset: the name of a time zone is needed, such as 'Europe/Berlin', not \(zone.shown)")
    }
    return .integer(Int64(try plugin.zones.offset(of: time, in: name)))
  }
}

/// Time zones that a plugin asked for, by the tables that come with the program, not by the machine's:
/// what a rule tells must not hang on where it runs.
struct TimeZones {
  private var zones: [[UInt8]: TimeZone] = [:]

  /// By how many seconds clocks there are before UTC.
  mutating func offset(of time: Timestamp, in name: [UInt8]) throws(LuaMessage) -> Int {
    let date = Date(timeIntervalSince1970: Double(time.nanoseconds) / 1e9)
    if let known = zones[name] { return known.secondsFromGMT(for: date) }
    let text = String(decoding: name.prefix(60), as: UTF8.self)
    guard let zone = TimeZone(identifier: text) else {
      throw LuaMessage(
        "utc_offset: there is no time zone '\(text)'; write UTC or a name such as 'Europe/Berlin'")
    }
    zones[name] = zone
    return zone.secondsFromGMT(for: date)
  }
}
