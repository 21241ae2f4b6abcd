import Analysis
import Beacons
import Regions

/// `regions_of(s)`
extension PluginFunction {
  static let regionsOf = PluginFunction(name: "regions_of") {
    plugin, arguments throws(LuaMessage) in
    guard case .sighting? = arguments.first, let judged = plugin.sighting,
      let view = plugin.moment.view
    else {
      throw LuaMessage(
        "regions_of: the sighting that is being handled is needed, not "
          + (arguments.first ?? .none).shown)
    }
    let number = judged.brief.transmitter
    if let known = plugin.regions.memberships[number] { return known }
    let transmitter = view.transmitters[number]
    let identity = view.identities[transmitter.identity]
    // A region that is nothing but a rule may hold anything: what it takes is asked later.
    let names = plugin.regions.holding(
      transmitter.address, identity, view.identities, of: view.regions)
    let list = LuaValue.table(LuaTable(list: names.map { .text($0.identifier) }))
    plugin.regions.memberships[number] = list
    return list
  }
}
