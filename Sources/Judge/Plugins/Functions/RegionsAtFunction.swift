import Analysis
import Beacons
import FrameDecoder
import Regions

/// `regions_at(s)`, `regions_at("c2:35:33:30:25:50")`
extension PluginFunction {
  static let regionsAt = PluginFunction(name: "regions_at") {
    plugin, arguments throws(LuaMessage) in
    let (address, device) = try sender(arguments.first ?? .none, plugin)
    let own = (plugin.moment.view?.regions ?? []).filter {
      plugin.regions.isDeclared($0.identifier) && $0.names(address, or: device)
    }
    return .table(LuaTable(list: own.map { .table(table($0)) }))
  }

  private static func sender(_ value: LuaValue, _ plugin: Plugin) throws(LuaMessage)
    -> (address: UInt64?, device: String?)
  {
    if let text = value.text { return (try? SettingText.address(text, "address"), text) }
    guard case .sighting = value, let judged = plugin.sighting, let view = plugin.moment.view else {
      throw LuaMessage(
        "regions_at: the sighting that is being handled, an address or the name of a device is needed, not "
          + value.shown)
    }
    let address = view.transmitters[judged.brief.transmitter].address
    return (address.address, view.identities.device(at: address))
  }

  private static func table(_ region: Region) -> LuaTable {
    var table = LuaTable()
    table.set("region", .text(region.identifier))
    let planned: (kind: BeaconKind, id: String?)
    switch region.condition {
    case .identity(let prefix):
      if prefix.kind == .device { return table }
      planned = (prefix.kind, prefix.wholeText)
    case .text(let kind, let text, let isPrefix): planned = (kind, isPrefix ? nil : text)
    case .address, .circle, .custom: return table
    }
    table.set("kind", .text("\(BeaconFormats.format(planned.kind).name)"))
    if let id = planned.id { table.set("id", .text(id)) }
    return table
  }
}

extension Region {
  /// Whether its definition says who sends, and it is this one.
  fileprivate func names(_ sender: UInt64?, or device: String?) -> Bool {
    if !devices.isEmpty { return device.map(devices.contains) ?? false }
    guard let sender else { return false }
    if case .address(let own) = condition { return own == sender }
    return address == sender
  }
}

extension IdentityPrefix {
  /// The identity as text; nil where only a part of it is given.
  fileprivate var wholeText: String? {
    let format = BeaconFormats.format(kind)
    let bytes = bytes
    guard format.textParts.allSatisfy({ $0.bytes.upperBound <= bytes.count }) else { return nil }
    return format.identityText(bytes)
  }
}
