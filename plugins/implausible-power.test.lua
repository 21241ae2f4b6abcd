local ID, ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"

test "a power of zero" {
  sightings = {
    { at = 0, ["until"] = 10, every = 1, ibeacon = ID, address = ADDRESS, measured_power = 0 },
  },
  alerts = {
    { at = 0, severity = "notice", text = "It states 0 dBm at one metre.",
      fields = { measured_power = 0 } },
  },
}

test "louder than it can be" {
  sightings = {
    { at = 0, ["until"] = 5, every = 1, ibeacon = ID, address = ADDRESS, rssi = -70,
      measured_power = -77 },
    { at = 6, ibeacon = ID, address = ADDRESS, rssi = -30, measured_power = -77 },
  },
  alerts = {
    { at = 6, text = "It states -77 dBm at one metre and is heard at -30 dBm." },
  },
}

test "a usual beacon" {
  sightings = {
    { at = 0, ["until"] = 10, every = 1, ibeacon = ID, address = ADDRESS, rssi = -60,
      measured_power = -59 },
    { at = 0, ["until"] = 10, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e", rssi = -70, tx_power = -18 },
  },
  alerts = {},
}

test "a restart does not tell it again" {
  sightings = {
    { at = 0, ["until"] = 20, every = 1, ibeacon = ID, address = ADDRESS, measured_power = 0 },
    { at = 10, restart = 0 },
  },
  alerts = { { at = 0 } },
}
