local FINDMY = "1219" .. ("00"):rep(25)

test "half an hour together" {
  sightings = {
    { at = 0, ["until"] = 2400, every = 20, manufacturer = 0x004C, data = FINDMY,
      address = "c2:35:33:30:25:50", rssi = -60 },
  },
  alerts = {
    { at = 1800, severity = "warning", title = "A findmy tracker has been near for 30 minutes",
      text = "c2:35:33:30:25:50, heard 91 times since 00:00:00 UTC.",
      fields = { address = "c2:35:33:30:25:50", sightings = 91, since = "2026-01-01T00:00:00.000000000Z" } },
  },
}

test "now and then, and somebody else's earphones" {
  sightings = {
    { at = 0, ["until"] = 2400, every = 400, manufacturer = 0x004C, data = FINDMY,
      address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 2400, every = 10, manufacturer = 0x004C, data = "0719" .. ("00"):rep(25),
      address = "d2:35:33:30:25:50" },
  },
  alerts = {},
}

test "one that is a region of ours" {
  regions = { "mine=address:c2:35:33:30:25:50" },
  sightings = {
    { at = 0, ["until"] = 2400, every = 20, manufacturer = 0x004C, data = FINDMY,
      address = "c2:35:33:30:25:50" },
  },
  alerts = {},
}

test "half an hour, with a restart in it" {
  sightings = {
    { at = 0, ["until"] = 2400, every = 20, manufacturer = 0x004C, data = FINDMY,
      address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 200, every = 10, manufacturer = 0x004C, data = FINDMY,
      address = "d2:35:33:30:25:50" },
    { at = 610, restart = 15 },
    { at = 2000, restart = 15 },
  },
  alerts = { { at = 1800, fields = { address = "c2:35:33:30:25:50", sightings = 90 } } },
}
