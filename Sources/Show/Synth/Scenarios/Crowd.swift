extension Scenarios {
  /// For measuring: nothing but very many beacons in the open.
  static let crowd = """
    {
      "name": "crowd",
      "summary": "beacons that pass by in the open (--identities, --in-range); for measuring",
      "duration_s": 60,
      "radio": {"noise_db": 2, "sensitivity_dbm": -98},
      "crowd": {"identities": 1000, "frames_per_s": 1000}
    }

    """
}
