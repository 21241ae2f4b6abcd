import Beacons

/// What may stand behind a region's specification as `key=value`.
package enum RegionOptions {
  private struct Option: Sendable {
    let name: String
    let set: @Sendable (String, inout Region) throws(SettingProblem) -> Void
    /// nil where the region has what it has without the option.
    let write: @Sendable (Region) -> String?
  }

  /// All keys: those of the region itself, and numbers of the profile that may differ in a region.
  package static var names: [String] { own.map(\.name) + ProfileSetting.ofRegions.map(\.name) }

  static func set(_ key: String, _ value: String, _ region: inout Region) throws(SettingProblem) {
    if let option = own.first(where: { $0.name == key }) { return try option.set(value, &region) }
    guard let setting = ProfileSetting.ofRegions.first(where: { $0.name == key }) else {
      if ProfileSetting.all.contains(where: { $0.name == key }) {
        throw SettingProblem(
          "'\(key)' cannot differ from region to region", allowed: "set it for the profile")
      }
      throw SettingProblem.unknown("key", key, among: names)
    }
    region.overrides.append(try ProfileOverride(setting, value))
  }

  /// What only all options together show.
  static func check(_ region: Region, _ seen: Set<String>) throws(SettingProblem) {
    if seen.contains("leave_rssi"), !seen.contains("min_rssi") {
      throw SettingProblem("leave_rssi without min_rssi", allowed: "give min_rssi as well")
    }
    if seen.contains("leave_within"), !seen.contains("within") {
      throw SettingProblem("leave_within without within", allowed: "give within as well")
    }
    if let gate = region.gate.minRSSI, gate.leave > gate.enter {
      throw SettingProblem(
        "leave_rssi is above min_rssi",
        allowed: "leave_rssi must not be harder to reach than min_rssi")
    }
    if case .metres(let gate) = region.gate.within, gate.leave < gate.enter {
      throw SettingProblem(
        "leave_within is below within", allowed: "leave_within must be at least within")
    }
    if seen.contains("within"), case .identity(let prefix) = region.condition,
      prefix.kind == .device
    {
      throw SettingProblem(
        "'within' says nothing of a device by itself, which states no power",
        allowed:
          "give min_rssi, or name the beacon that it sends, with address=\(region.devices[0])")
    }
    if region.isCircle, let key = names.first(where: { seen.contains($0) && isOfSignals($0) }) {
      throw SettingProblem(
        "'\(key)' says nothing of a circle",
        allowed: "a circle takes notify_on_entry, notify_on_exit and "
          + "notify_entry_state_on_display")
    }
  }

  private static func isOfSignals(_ key: String) -> Bool { !key.hasPrefix("notify_") }

  static func written(_ region: Region) -> [(String, String)] {
    own.compactMap { option in option.write(region).map { (option.name, $0) } }
      + region.overrides.map { ($0.name, $0.value) }
  }

  private static let own: [Option] = [
    Option(
      name: "address",
      set: { value, region throws(SettingProblem) in
        switch try Advertiser(value) {
        case .address(let address): region.address = address
        case .device(let name): region.device = name
        }
      },
      write: { $0.address.map(SettingText.text(address:)) ?? $0.device }),
    Option(
      name: "min_rssi",
      set: { value, region throws(SettingProblem) in
        let enter = try SettingText.decimal(value, "min_rssi", in: -127...20)
        // A leave threshold that came before stays.
        let leave = region.gate.minRSSI?.leave ?? enter - RegionGate.leaveDecibels
        region.gate.minRSSI = Hysteresis(enter: enter, leave: leave)
      },
      write: { $0.gate.minRSSI.map { "\($0.enter)" } }),
    Option(
      name: "leave_rssi",
      set: { value, region throws(SettingProblem) in
        let leave = try SettingText.decimal(value, "leave_rssi", in: -132...20)
        region.gate.minRSSI = Hysteresis(enter: region.gate.minRSSI?.enter ?? leave, leave: leave)
      },
      write: { $0.gate.minRSSI.map { "\($0.leave)" } }),
    Option(
      name: "within",
      set: { value, region throws(SettingProblem) in
        region.gate.within = try within(value, leave: leave(region.gate.within))
      },
      write: { region in
        switch region.gate.within {
        case .metres(let gate): "\(gate.enter)"
        case .zone(let zone, _): zone.rawValue
        case nil: nil
        }
      }),
    Option(
      name: "leave_within",
      set: { value, region throws(SettingProblem) in
        let leave = try metres(value, "leave_within")
        switch region.gate.within {
        case .metres(let gate):
          region.gate.within = .metres(Hysteresis(enter: gate.enter, leave: leave))
        case .zone(let zone, _): region.gate.within = .zone(zone, leave: leave)
        case nil: region.gate.within = .metres(Hysteresis(enter: leave, leave: leave))
        }
      },
      write: { leave($0.gate.within).map { "\($0)" } }),
    flag(
      "notify_on_entry", normally: true, { $0.notifiesOnEntry }, { $0.notifiesOnEntry = $1 }),
    flag("notify_on_exit", normally: true, { $0.notifiesOnExit }, { $0.notifiesOnExit = $1 }),
    flag(
      "notify_entry_state_on_display", normally: false, { $0.notifiesEntryOnDisplay },
      { $0.notifiesEntryOnDisplay = $1 }),
  ]

  private static func flag(
    _ name: String, normally: Bool, _ get: @escaping @Sendable (Region) -> Bool,
    _ set: @escaping @Sendable (inout Region, Bool) -> Void
  ) -> Option {
    Option(
      name: name,
      set: { value, region throws(SettingProblem) in
        set(&region, try SettingText.flag(value, name))
      },
      write: { get($0) == normally ? nil : get($0) ? "yes" : "no" })
  }

  private static func leave(_ within: RegionGate.Within?) -> Double? {
    switch within {
    case .metres(let gate): gate.leave
    case .zone(_, let leave): leave
    case nil: nil
    }
  }

  private static func within(_ text: String, leave: Double?) throws(SettingProblem)
    -> RegionGate.Within
  {
    if let zone = RegionGate.Zone(rawValue: text) { return .zone(zone, leave: leave) }
    let enter = try metres(text, "within")
    return .metres(Hysteresis(enter: enter, leave: leave ?? enter * RegionGate.leaveFactor))
  }

  private static func metres(_ text: String, _ field: String) throws(SettingProblem) -> Double {
    let isZoned = field == "within"
    let number = text.hasSuffix("m") ? String(text.dropLast()) : text
    guard let value = Double(number), value > 0, value <= 10_000 else {
      throw SettingProblem(
        "\(field) '\(text)' is no distance",
        allowed: "write metres above 0 as 2.5" + (isZoned ? ", or immediate, near or far" : ""))
    }
    return value
  }
}
