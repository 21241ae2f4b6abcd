extension Scenarios {
  /// For devices whose addresses change: two that somebody has the keys of, and others.
  static let visitors = """
    {
      "name": "visitors",
      "summary": "a door through which a phone, a tag and strangers come and go under private addresses",
      "duration_s": 2400,
      "radio": {"exponent": 2.2, "noise_db": 3, "sensitivity_dbm": -92, "loss": 0.1},
      "rooms": [
        {"name": "hall", "corner": [0, 0], "size": [10, 8], "wall_db": 25}
      ],
      "observer": [[0, 5, 4]],
      "phones": {"count": 3, "stay_s": [120, 600]},
      "beacons": [
        {"name": "door", "kind": "ibeacon", "uuid": "74278bda-b644-4520-8f0c-720eaf059935",
          "major": 1, "minor": 1, "address": "c4:a1:00:00:07:01", "at": [1, 4],
          "interval_ms": 1000, "signal_dbm": -62},
        {"name": "phone", "kind": "device", "irk": "ec0234a357c8ad05341010a60a397d9b",
          "address_rotation_s": 900, "connectable": true, "interval_ms": 1500, "signal_dbm": -60,
          "path": [[0, 60, 4], [240, 60, 4], [260, 4, 3], [1500, 6, 6], [1520, 60, 4],
            [2040, 60, 4], [2060, 5, 5], [2400, 5, 5]]},
        {"name": "tag", "kind": "ibeacon", "uuid": "74278bda-b644-4520-8f0c-720eaf059935",
          "major": 2, "minor": 7, "irk": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
          "address_rotation_s": 900, "interval_ms": 1000, "signal_dbm": -62,
          "path": [[0, 3, 3], [1500, 3, 3], [1520, 60, 4], [2400, 60, 4]]},
        {"name": "stranger", "kind": "ibeacon", "uuid": "74278bda-b644-4520-8f0c-720eaf059935",
          "major": 2, "minor": 8, "address_rotation_s": 900, "at": [8, 6], "interval_ms": 2000,
          "signal_dbm": -62}
      ]
    }

    """
}
