extension Scenarios {
  /// For tests: a minute with a bit of everything.
  static let workshop = """
    {
      "name": "workshop",
      "summary": "a minute with every kind of beacon, extended advertising and a clock that is set",
      "duration_s": 60,
      "radio": {"exponent": 2.2, "noise_db": 4, "sensitivity_dbm": -92, "loss": 0.05},
      "rooms": [
        {"name": "bench", "corner": [0, 0], "size": [8, 6], "wall_db": 6,
          "region": "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1"},
        {"name": "yard", "corner": [12, 0], "size": [10, 10], "wall_db": 6,
          "region": "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:2"}
      ],
      "observer": [[0, 2, 3], [20, 6, 3], [40, 16, 4]],
      "scan": {"commands": "extended", "active": true, "interval_ms": 60, "window_ms": 60,
        "reports_per_event": 3, "pauses": [[30, 33]]},
      "phones": {"count": 5, "stay_s": [10, 30]},
      "clock_steps": [{"at_s": 25, "step_s": 3600}, {"at_s": 45, "step_s": -2.5}],
      "beacons": [
        {"name": "bench", "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
          "major": 1, "minor": 1, "at": [1, 1], "interval_ms": 100, "telemetry_every": 20},
        {"name": "copy", "clone_of": "bench", "at": [20, 2], "interval_ms": 300},
        {"name": "trolley", "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
          "major": 2, "minor": 1, "path": [[0, 20, 1], [30, 3, 5], [60, 18, 8]],
          "interval_ms": 200, "address_rotation_s": 20, "connectable": true},
        {"name": "sign", "kind": "altbeacon", "id": "e2c56db5dffb48d2b060d0f5a71096e000010009",
          "address": "00:18:da:01:02:03", "address_type": "public", "at": [7, 5],
          "interval_ms": 250},
        {"name": "pump", "kind": "eddystone-uid", "namespace": "00010203040506070809",
          "instance": "aabbccddeeff", "at": [13, 2], "interval_ms": 300, "telemetry_every": 5,
          "battery_mv": 2971, "temperature_c": 21.5},
        {"name": "poster", "kind": "eddystone-url", "url": "https://www.example.com/hall",
          "at": [5, 2], "interval_ms": 500, "tx_power": -21},
        {"name": "locator", "kind": "eddystone-eid", "key": "0102030405060708090a111213141516",
          "exponent": 4, "clock_s": 600, "at": [14, 7], "interval_ms": 400,
          "telemetry_every": 4, "address_rotation_s": 16},
        {"name": "gauge", "kind": "ibeacon", "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
          "major": 3, "minor": 1, "at": [4, 4], "interval_ms": 700, "advertising": "extended"},
        {"name": "mast", "kind": "eddystone-uid", "namespace": "00010203040506070809",
          "instance": "aabbccddee01", "at": [18, 6], "interval_ms": 900, "advertising": "coded",
          "dies_s": 50}
      ]
    }

    """
}
