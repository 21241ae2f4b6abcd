import Analysis
import Beacons
import Regions

/// `name_of(s)`
extension PluginFunction {
  static let nameOf = PluginFunction(name: "name_of") { plugin, arguments throws(LuaMessage) in
    guard case .sighting? = arguments.first, let judged = plugin.sighting,
      let view = plugin.moment.view
    else {
      throw LuaMessage(
        "name_of: the sighting that is being handled is needed, not "
          + (arguments.first ?? .none).shown)
    }
    let sender = view.transmitters[judged.brief.transmitter]
    let identity = view.identities[sender.identity]
    let id = BeaconFormats.format(identity.kind).identityText(view.identities.bytes(of: identity))
    // Of several that are as narrow the one that was defined first.
    var narrowest: Region?
    for region in plugin.regions.holding(
      sender.address, identity, view.identities, of: view.regions)
    where region.isOfBeacons && region.narrowness > narrowest?.narrowness ?? -1 {
      narrowest = region
    }
    guard let name = narrowest?.identifier, name != id else { return .text(id) }
    return .text("\(name) (\(ShortIdentity.text(id)))")
  }
}
