local ID = "a1b2c3d4e5f60718293a:000000000307"

-- A room's beacons, each of which tells its temperature every ten seconds, and whatever else is given.
local function room(degrees, ...)
  local sightings = { ... }
  for number, temperature_c in ipairs(degrees) do
    sightings[#sightings + 1] = {
      at = number, ["until"] = 200, every = 10, address = ("c2:00:00:00:00:%02x"):format(number),
      eddystone_tlm = { battery_mv = 3000, temperature_c = temperature_c },
    }
  end
  return sightings
end

local LIKE = { 21, 21.5, 22, 20.5, 21 }

test "what is far from the others is told once, whichever was heard first" {
  sightings = room(LIKE, {
    at = 0, ["until"] = 200, every = 10, address = "c4:00:00:00:00:01", eddystone_tlm = { temperature_c = -19.5 },
  }, { at = 1, eddystone = ID, address = "c4:00:00:00:00:01" }),
  alerts = {
    { at = 60, severity = "warning", title = ID .. " measures -19.5 °C",
      text = "The middle of 6 at test is 21.0 °C. Its address is c4:00:00:00:00:01.", evidence = { 50 } },
  },
}

test "beyond the limits it needs no others" {
  sightings = {
    { at = 1, address = "c4:00:00:00:00:01", eddystone_tlm = { temperature_c = 61 } },
    { at = 2, address = "c4:00:00:00:00:02", eddystone_tlm = { temperature_c = -40 } },
    { at = 3, address = "c4:00:00:00:00:03", eddystone_tlm = { temperature_c = 45 } },
  },
  alerts = {
    { at = 3, title = "c4:00:00:00:00:01 measures 61.0 °C", text = "That is above 50 °C.", evidence = { 1 } },
    { at = 3, title = "c4:00:00:00:00:02 measures -40.0 °C", text = "That is below -20 °C.", evidence = { 2 } },
  },
}

test "the limits are options" {
  options = { above_c = 30, below_c = 0, apart_c = 5 },
  sightings = room { 21, 21.5, 22, 20.5, 21, 31, -1, 27, 21.5 },
  alerts = {
    { title = "c2:00:00:00:00:06 measures 31.0 °C" }, { title = "c2:00:00:00:00:07 measures -1.0 °C" },
    { title = "c2:00:00:00:00:08 measures 27.0 °C" },
  },
}

test "a room that is cold altogether is nothing odd" {
  sightings = room { -12, -11, -13, -12, -11, -10 },
  alerts = {},
}

test "others that differ much, as those of a house and its yard do, are no measure" {
  sightings = room { 21, 21, 22, -2, -1, -2, -3, 22, 30 },
  alerts = {},
}

test "many that send 0 for want of a sensor do not make the others odd" {
  sightings = room { 0, 0, 0, 0, 0, 0, 0, 21, 21.5 },
  alerts = {},
}

test "four others are few" {
  sightings = room { 21, 21, 22, 21, -10 },
  alerts = {},
}

test "who measures nothing, or sends 0 in place of that, is not compared" {
  sightings = room(LIKE,
    { at = 1, ["until"] = 200, every = 10, address = "c4:00:00:00:00:01", eddystone_tlm = { battery_mv = 3000 } },
    { at = 2, ["until"] = 200, every = 10, address = "c4:00:00:00:00:02", eddystone_tlm = { temperature_c = 0 } }),
  alerts = {},
}

test "others at another receiver, and such as were heard long ago, are none" {
  sightings = {
    { at = 0, address = "c2:00:00:00:00:01", eddystone_tlm = { temperature_c = 21 } },
    { at = 1, address = "c2:00:00:00:00:02", eddystone_tlm = { temperature_c = 21 } },
    { at = 2, address = "c2:00:00:00:00:03", eddystone_tlm = { temperature_c = 21 } },
    { at = 3, address = "c2:00:00:00:00:04", eddystone_tlm = { temperature_c = 21 } },
    { at = 4, address = "c2:00:00:00:00:05", eddystone_tlm = { temperature_c = 21 } },
    { at = 5, address = "c4:00:00:00:00:01", observer = "yard", eddystone_tlm = { temperature_c = -10 } },
    { at = 1200, address = "c4:00:00:00:00:01", eddystone_tlm = { temperature_c = -10 } },
  },
  alerts = {},
}

test "by the list's names, of which some may be left out" {
  regions = {
    "freezer 1=eddystone:" .. ID, "oven=eddystone:a1b2c3d4e5f60718293a:000000000308,address=c4:00:00:00:00:02",
    "shelf=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e",
  },
  options = { except = "cellar, freezer" },
  sightings = {
    { at = 0, url = "https://example.com/", address = "c4:00:00:00:00:01" },
    { at = 1, address = "c4:00:00:00:00:01", eddystone_tlm = { temperature_c = -40 } },
    { at = 2, eddystone = ID, address = "c4:00:00:00:00:01" },
    { at = 3, address = "c4:00:00:00:00:02", eddystone_tlm = { temperature_c = 80 } },
  },
  alerts = { { title = "oven measures 80.0 °C", fields = { temperature_c = 80, limit_c = 50 } } },
}

test "one that changes its addresses is told once" {
  sightings = {
    { at = 0, eddystone = ID, address = "42:35:33:30:25:50" },
    { at = 1, address = "42:35:33:30:25:50", eddystone_tlm = { temperature_c = 61 } },
    { at = 900, eddystone = ID, address = "53:35:33:30:25:51" },
    { at = 901, address = "53:35:33:30:25:51", eddystone_tlm = { temperature_c = 61 } },
  },
  alerts = { { at = 60, title = ID .. " measures 61.0 °C" } },
}
