local A = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local B = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9"

test "one falls silent while the other goes on, and comes back" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 300, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 180, severity = "warning", title = A .. " is silent" },
    { at = 300, severity = "info", title = A .. " is back" },
  },
}

test "nobody is missed while nobody is heard" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 900, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 900, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "what was heard once is not missed" {
  sightings = {
    { at = 0, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "only the beacon that is asked for" {
  options = { id = B, after_s = 30 },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 200, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "a pause of the recording, or of the scan, is no silence" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0.5, ["until"] = 60.5, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 900, ["until"] = 950, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 905, ["until"] = 950, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 950, scan = "off" },
    { at = 1200, scan = "on" },
    { at = 1201, ["until"] = 1400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 1300, ["until"] = 1400, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {},
}

test "a beacon with long gaps is missed later" {
  sightings = {
    { at = 0, ["until"] = 500, every = 100, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = { { at = 800, title = A .. " is silent", fields = { sightings = 6 } } },
}

test "silence goes on behind a restart, and is told once" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 100.5, restart = 5 },
    { at = 250.5, restart = 5 },
    { at = 300, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 180.5, title = A .. " is silent", fields = { sightings = 61 } },
    { at = 300, title = A .. " is back" },
  },
}

test "behind a long restart it begins then" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 70, restart = 80.5 },
  },
  alerts = { { at = 271.5, title = A .. " is silent" } },
}
