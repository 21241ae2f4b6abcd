import Analysis
import Beacons
import FrameDecoder
import Regions

/// `regions_at(s)`, `regions_at("c2:35:33:30:25:50")`, `regions_like(s)`
extension PluginFunction {
  static let regionsAt = PluginFunction(name: "regions_at") {
    plugin, arguments throws(LuaMessage) in
    let (address, device) = try sender(arguments.first ?? .none, plugin)
    let own = (plugin.moment.view?.regions ?? []).filter {
      $0.names(address, or: device) && plugin.regions.isDeclared($0.identifier)
    }
    return .table(LuaTable(list: own.map { .table(table($0)) }))
  }

  static let regionsLike = PluginFunction(name: "regions_like") {
    plugin, arguments throws(LuaMessage) in
    guard case .sighting? = arguments.first, let judged = plugin.sighting,
      let view = plugin.moment.view
    else {
      throw LuaMessage(
        "regions_like: the sighting that is being handled is needed, not "
          + (arguments.first ?? .none).shown)
    }
    let transmitter = view.transmitters[judged.brief.transmitter]
    let identity = view.identities[transmitter.identity]
    let id = BeaconFormats.format(identity.kind).identityText(view.identities.bytes(of: identity))
    let device = view.identities.device(at: transmitter.address)
    let like = plugin.regions.byWhatIsSent ?? byWhatIsSent(view.regions, plugin.regions)
    plugin.regions.byWhatIsSent = like
    let others = (like[RegionStates.Sent(kind: identity.kind, id: id)] ?? []).filter {
      !$0.names(transmitter.address.address, or: device)
    }
    return .table(LuaTable(list: others.map { .table(table($0)) }))
  }

  /// Those of one sender each, looked through once in a run.
  private static func byWhatIsSent(_ regions: [Region], _ states: RegionStates)
    -> [RegionStates.Sent: [Region]]
  {
    var all: [RegionStates.Sent: [Region]] = [:]
    for region in regions where region.namesSender && states.isDeclared(region.identifier) {
      guard let planned = region.planned, let id = planned.id else { continue }
      all[RegionStates.Sent(kind: planned.kind, id: id), default: []].append(region)
    }
    return all
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
    if let address = region.senderText { table.set("address", .text(address)) }
    guard let planned = region.planned else { return table }
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

  fileprivate var namesSender: Bool {
    if case .address = condition { return true }
    return address != nil || !devices.isEmpty
  }

  /// The address, or the device's name.
  fileprivate var senderText: String? {
    if let device = devices.first { return device }
    if case .address(let own) = condition { return SettingText.text(address: own) }
    return address.map { SettingText.text(address: $0) }
  }

  /// What is to be sent; nil: anything. The identity is nil where only a part of it is laid down.
  fileprivate var planned: (kind: BeaconKind, id: String?)? {
    switch condition {
    case .identity(let prefix): prefix.kind == .device ? nil : (prefix.kind, prefix.wholeText)
    case .text(let kind, let text, let isPrefix): (kind, isPrefix ? nil : text)
    case .address, .circle, .custom: nil
    }
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
