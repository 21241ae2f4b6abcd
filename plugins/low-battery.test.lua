local BEACON = "c2:35:33:30:25:50"

test "a low battery is told once" {
  sightings = {
    { at = 0, ["until"] = 300, every = 10, address = BEACON,
      eddystone_tlm = { battery_mv = 2300, temperature_c = 20.5 } },
  },
  alerts = {
    { at = 0, severity = "warning", title = "Battery of c2:35:33:30:25:50 at 2300 mV",
      fields = { battery_mv = 2300 } },
  },
}

test "a good one is not" {
  sightings = {
    { at = 0, ["until"] = 60, every = 10, address = BEACON, eddystone_tlm = { battery_mv = 2999 } },
  },
  alerts = {},
}

test "becoming critical is told again, and the next day once more" {
  options = { below_mv = 2500 },
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { battery_mv = 2450 } },
    { at = 60, address = BEACON, eddystone_tlm = { battery_mv = 1950 } },
    { at = 86470, address = BEACON, eddystone_tlm = { battery_mv = 1940 } },
  },
  alerts = {
    { at = 0, severity = "warning" },
    { at = 60, severity = "critical", text = "It may stop at any time." },
    { at = 86470, severity = "critical" },
  },
}

test "a beacon that does not measure its battery says nothing" {
  sightings = { { at = 0, address = BEACON, eddystone_tlm = { temperature_c = 21 } } },
  alerts = {},
}

test "under the name that the site has for it" {
  regions = { "climate 3=eddystone:edd1ebeac04e5defa017:0000fdd1549a" },
  sightings = {
    { at = 0, eddystone = "edd1ebeac04e5defa017:0000fdd1549a", address = BEACON },
    { at = 1, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 2, address = "e3:60:59:21:80:65", eddystone_tlm = { battery_mv = 2300 } },
  },
  alerts = {
    { at = 1, title = "Battery of climate 3 (edd1…a017:0000fdd1549a) at 2300 mV" },
    { at = 2, title = "Battery of e3:60:59:21:80:65 at 2300 mV" },
  },
}

test "what is critical is told, whatever counts as low" {
  options = { below_mv = 2400, critical_mv = 2600 },
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { battery_mv = 2650 } },
    { at = 10, address = BEACON, eddystone_tlm = { battery_mv = 2550 } },
  },
  alerts = { { at = 10, severity = "critical" } },
}

test "without a list by who it is" {
  sightings = {
    { at = 0, eddystone = "edd1ebeac04e5defa017:0000fdd1549a", address = BEACON },
    { at = 1, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
  },
  alerts = {
    { at = 1, title = "Battery of edd1ebeac04e5defa017:0000fdd1549a at 2300 mV",
      text = "Change it soon. Its address is c2:35:33:30:25:50." },
  },
}
