/// Units of a profile's numbers, which settings do not name.
enum SettingUnit {
  /// Every setting there is; those without a unit, too, so that a new one is not forgotten here.
  static let all: [(name: String, unit: String)] = [
    ("exit_after", "s"), ("cycle", "s"), ("scan_window", "s"), ("scan_interval", "s"),
    ("enter_on_first_sight", ""), ("limit", ""), ("smoothing", ""), ("ignore_unknown_rssi", ""),
    ("ranging_period", "s"), ("distance_model", ""), ("path_loss_exponent", ""),
    ("immediate_below", "m"),
    ("near_up_to", "m"), ("cushion", "m"), ("dwell", "s"), ("max_radius", "m"),
  ]

  private static func unit(_ name: String) -> String { all.first { $0.name == name }?.unit ?? "" }

  /// `_s`, as keys have it.
  static func suffix(_ name: String) -> String {
    unit(name).isEmpty ? "" : "_" + unit(name)
  }

  /// ` s`, as people read it.
  static func word(_ name: String) -> String { unit(name).isEmpty ? "" : " " + unit(name) }
}
