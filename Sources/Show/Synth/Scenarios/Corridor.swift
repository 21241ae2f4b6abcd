extension Scenarios {
  /// For visits: rooms that do not hear each other, each entered and left twice.
  static let corridor = """
    {
      "name": "corridor",
      "summary": "five rooms behind thick walls, walked through there and back; for visits",
      "duration_s": 900,
      "radio": {"exponent": 2.2, "noise_db": 2, "sensitivity_dbm": -92, "loss": 0.1},
      "rooms": [
        {"name": "office", "corner": [0, 4], "size": [8, 6], "wall_db": 30,
          "region": "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:1"},
        {"name": "lab", "corner": [20, 4], "size": [8, 6], "wall_db": 30,
          "region": "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:2"},
        {"name": "store", "corner": [40, 4], "size": [8, 6], "wall_db": 30,
          "region": "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6:3"},
        {"name": "library", "corner": [60, 4], "size": [8, 6], "wall_db": 30,
          "region": "eddystone-uid:8b0ca750e54c6e4d1a2f"},
        {"name": "archive", "corner": [80, 4], "size": [8, 6], "wall_db": 30,
          "region": "altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600050001"}
      ],
      "observer": [
        [0, -40, 1], [30, 4, 1], [35, 4, 7], [85, 5, 6], [90, 4, 1],
        [140, 24, 1], [145, 24, 7], [195, 25, 6], [200, 24, 1],
        [250, 44, 1], [255, 44, 7], [275, 45, 6], [280, 44, 1],
        [330, 64, 1], [335, 64, 7], [385, 65, 6], [390, 64, 1],
        [440, 84, 1], [445, 84, 7], [465, 85, 6], [470, 84, 1],
        [560, 44, 1], [565, 44, 7], [625, 45, 6], [630, 44, 1],
        [700, 4, 1], [705, 4, 7], [805, 5, 6], [810, 4, 1], [860, -40, 1]
      ],
      "beacons": [
        {"name": "office", "kind": "ibeacon", "uuid": "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6",
          "major": 1, "minor": 1, "at": [4, 8], "interval_ms": 500, "signal_dbm": -62},
        {"name": "office printer", "kind": "ibeacon",
          "uuid": "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6",
          "major": 1, "minor": 2, "at": [7, 9], "interval_ms": 1000, "signal_dbm": -62},
        {"name": "lab", "kind": "ibeacon", "uuid": "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6",
          "major": 2, "minor": 1, "at": [24, 8], "interval_ms": 350, "signal_dbm": -62},
        {"name": "store", "kind": "ibeacon", "uuid": "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6",
          "major": 3, "minor": 1, "at": [44, 8], "interval_ms": 1000, "signal_dbm": -62},
        {"name": "library", "kind": "eddystone-uid", "namespace": "8b0ca750e54c6e4d1a2f",
          "instance": "000000000001", "at": [64, 8], "interval_ms": 700, "signal_dbm": -62,
          "telemetry_every": 10},
        {"name": "archive", "kind": "altbeacon",
          "id": "2f234454cf6d4a0fadf2f4911ba9ffa600050001", "at": [84, 8], "interval_ms": 300,
          "signal_dbm": -62}
      ]
    }

    """
}
