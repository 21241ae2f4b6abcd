local BEACON = "c2:35:33:30:25:50"

test "a low battery is told once" {
  sightings = {
    { at = 0, ["until"] = 300, every = 10, address = BEACON,
      eddystone_tlm = { battery_mv = 2300, temperature_c = 20.5 } },
  },
  alerts = {
    { at = 30, severity = "warning", title = "Battery of c2:35:33:30:25:50 at 2300 mV",
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
    { at = 86501, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", address = "c2:00:00:00:00:01" },
  },
  alerts = {
    { at = 30, severity = "warning" },
    { at = 90, severity = "critical", text = "It may stop at any time." },
    { at = 86500, severity = "critical" },
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

local ID = "edd1ebeac04e5defa017:0000fdd1549a"
local RPA = { "42:35:33:30:25:50", "53:35:33:30:25:51", "64:35:33:30:25:52" }

test "one that changes its addresses is told once, whichever comes first of its frames" {
  sightings = {
    { at = 0, eddystone = ID, address = RPA[1] },
    { at = 1, address = RPA[1], eddystone_tlm = { battery_mv = 2300 } },
    { at = 900, address = RPA[2], eddystone_tlm = { battery_mv = 2300 } },
    { at = 901, eddystone = ID, address = RPA[2] },
    { at = 1800, address = RPA[3], eddystone_tlm = { battery_mv = 1900 } },
    { at = 1801, eddystone = ID, address = RPA[3] },
  },
  alerts = {
    { at = 1, title = "Battery of " .. ID .. " at 2300 mV" },
    { at = 1801, severity = "critical", title = "Battery of " .. ID .. " at 1900 mV", evidence = { 1800 } },
  },
}

test "where nobody knows whose it is it is told of each address, and that it may be the same" {
  sightings = {
    { at = 0, address = RPA[1], eddystone_tlm = { battery_mv = 2300 } },
    { at = 20, address = RPA[1], eddystone_tlm = { battery_mv = 2290 } },
    { at = 900, address = RPA[2], eddystone_tlm = { battery_mv = 2300 } },
  },
  alerts = {
    { at = 30, title = "Battery of 42:35:33:30:25:50 at 2290 mV", evidence = { 20 },
      text = "Change it soon. Who it is is not known, and it changes its addresses: it may have been told before." },
    { at = 900, title = "Battery of 53:35:33:30:25:51 at 2300 mV" },
  },
}

test "a device whose key is known is one, and encrypted telemetry is read" {
  sightings = {
    { at = 0, device = "watch", eddystone_tlm = { battery_mv = 2300 } },
    { at = 2000, device = "watch", eddystone_tlm = { battery_mv = 2300 } },
    { at = 2001, key = "climate", address = RPA[1] },
    { at = 2002, address = RPA[1], eddystone_tlm = { battery_mv = 2200, key = "climate" } },
  },
  alerts = { { at = 0 }, { at = 2002, title = "Battery of climate at 2200 mV" } },
}

local ID_OF_SITE = "climate 3=eddystone:" .. ID

test "by the address that the list has for it, whatever else it sends" {
  regions = { ID_OF_SITE .. ",address=" .. BEACON },
  sightings = { { at = 0, ["until"] = 60, every = 10, address = BEACON, eddystone_tlm = { battery_mv = 1950 } } },
  alerts = {
    { at = 0, severity = "critical", title = "Battery of climate 3 at 1950 mV",
      text = "It may stop at any time. Its address is c2:35:33:30:25:50." },
  },
}

test "an identity that comes soon names it, and one that comes later once more" {
  regions = { ID_OF_SITE },
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { battery_mv = 1950 } },
    { at = 28, eddystone = ID, address = BEACON },
    { at = 100, address = "c2:00:00:00:00:02", eddystone_tlm = { battery_mv = 2300 } },
    { at = 150, address = "c2:00:00:00:00:02", eddystone_tlm = { battery_mv = 2290 } },
    { at = 190, ["until"] = 230, every = 10, eddystone = ID, address = "c2:00:00:00:00:02" },
    { at = 215, ["until"] = 300, every = 10, address = "c2:00:00:00:00:02", eddystone_tlm = { battery_mv = 2290 } },
  },
  alerts = {
    { at = 28, severity = "critical", title = "Battery of climate 3 (edd1…a017:0000fdd1549a) at 1950 mV",
      evidence = { 0 } },
    { at = 130, title = "Battery of c2:00:00:00:00:02 at 2300 mV" },
    { at = 190, title = "Battery of climate 3 (edd1…a017:0000fdd1549a) at 2290 mV", evidence = { 150, 190 },
      text = "Change it soon. Its address is c2:00:00:00:00:02. It was told by its address before." },
  },
}

test "a frame that the list has not does not hide the one that it has" {
  regions = { ID_OF_SITE },
  sightings = {
    { at = 0, url = "https://example.com/", address = BEACON },
    { at = 1, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 2, eddystone = ID, address = BEACON },
  },
  alerts = { { at = 2, title = "Battery of climate 3 (edd1…a017:0000fdd1549a) at 2300 mV" } },
}

test "one that goes on sending before its name comes is told by it all the same" {
  regions = { ID_OF_SITE },
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 10, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 40, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 50, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 55, eddystone = ID, address = BEACON },
  },
  alerts = {
    { at = 30, title = "Battery of c2:35:33:30:25:50 at 2300 mV" },
    { at = 55, title = "Battery of climate 3 (edd1…a017:0000fdd1549a) at 2300 mV" },
  },
}

test "a battery that was changed meanwhile is not told by its name" {
  regions = { ID_OF_SITE },
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { battery_mv = 2300 } },
    { at = 600, address = BEACON, eddystone_tlm = { battery_mv = 3000 } },
    { at = 601, eddystone = ID, address = BEACON },
  },
  alerts = { { at = 30, title = "Battery of c2:35:33:30:25:50 at 2300 mV" } },
}

test "one that changes its addresses, and was told without a name, is told by it once" {
  sightings = {
    { at = 0, address = RPA[1], eddystone_tlm = { battery_mv = 2300 } },
    { at = 100, eddystone = ID, address = RPA[1] },
    { at = 900, address = RPA[2], eddystone_tlm = { battery_mv = 2300 } },
    { at = 901, eddystone = ID, address = RPA[2] },
  },
  alerts = {
    { at = 30, title = "Battery of 42:35:33:30:25:50 at 2300 mV" },
    { at = 100, title = "Battery of " .. ID .. " at 2300 mV" },
  },
}

test "one that the list has not, and that changes its addresses, is told once" {
  regions = { "hall=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e" },
  sightings = {
    { at = 0, eddystone = ID, address = RPA[1] },
    { at = 1, address = RPA[1], eddystone_tlm = { battery_mv = 2300 } },
    { at = 900, address = RPA[2], eddystone_tlm = { battery_mv = 2300 } },
    { at = 901, eddystone = ID, address = RPA[2] },
  },
  alerts = {
    { at = 31, title = "Battery of 42:35:33:30:25:50 at 2300 mV", text = "Change it soon." },
  },
}
