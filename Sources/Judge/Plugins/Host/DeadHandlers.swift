import Regions

/// What of a run's settings decides whether handlers can be called at all.
package struct RunNames: Sendable {
  /// Of devices, and of the keys of Eddystone-EIDs.
  let devices: [String]
  let keys: [String]
  /// Positions are told (`--positions`).
  let hasPositions: Bool

  package init(devices: [String], keys: [String], hasPositions: Bool) {
    self.devices = devices
    self.keys = keys
    self.hasPositions = hasPositions
  }
}

/// Handlers that nothing in a run can call. A plugin may be for other runs, too, so that it is no error; but a
/// rule that is silent for that looks like a site where all is well.
extension PluginHost {
  /// To be called before the run; texts that come later are looked at then.
  package func tellDeadHandlers(_ names: RunNames) {
    runNames = names
    for plugin in plugins { tellDeadHandlers(of: plugin) }
  }

  func tellDeadHandlers(of plugin: Plugin) {
    guard let names = runNames else { return }
    var told: Set<String> = []
    for handler in plugin.handlers {
      for why in reasons(handler, names) {
        let sentence = "\(plugin.file.name): on(\"\(handler.event.rawValue)\"): \(why)"
        if told.insert(sentence).inserted { plugin.tell(sentence) }
      }
    }
  }

  private func reasons(_ handler: Handler, _ names: RunNames) -> [String] {
    if handler.event == .position, !names.hasPositions {
      return ["positions are told only with --positions, and a --track; it is never called"]
    }
    return handler.filter.wishes.flatMap { wish in
      wish.values.compactMap(\.text).compactMap { name in
        switch wish.key {
        case "device":
          return Self.unknown("device", name, names.devices, "--device or --keys")
        case "key": return Self.unknown("key", name, names.keys, "--keys")
        case "region": return silence(of: name, handler.event)
        default: return nil
        }
      }
    }
  }

  private static func unknown(_ sort: String, _ name: String, _ known: [String], _ option: String)
    -> String?
  {
    if known.contains(name) { return nil }
    guard known.isEmpty else { return UnknownWord.sentence(sort, name, among: known.sorted()) }
    return "there is no \(sort) '\(name)'; this run has none at all (\(option))"
  }

  /// What a region's settings keep back.
  private func silence(of name: String, _ event: HandledEvent) -> String? {
    guard let region = regions.last(where: { $0.identifier == name }) else { return nil }
    let key: String
    switch event {
    case .enter where !region.notifiesOnEntry && !region.notifiesEntryOnDisplay:
      key = "notify_on_entry"
    case .exit where !region.notifiesOnExit: key = "notify_on_exit"
    default: return nil
    }
    return "region '\(name)' has \(key) = false; it is never called for it"
  }
}
