local TAG = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local REGION = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

test "a long stay is told when it has become one" {
  options = { after_s = 120 },
  sightings = {
    { at = 0, ["until"] = 500, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e", rssi = -80 },
    { at = 100, ["until"] = 300, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 120, region = "edd1ebeac04e5defa017", severity = "notice" },
    { at = 220, title = "In " .. REGION .. " for 120 s", region = REGION,
      text = "Since 00:01:40 UTC." },
  },
}

test "a short one is not, nor two short ones" {
  options = { after_s = 120, region = REGION },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 150, ["until"] = 210, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e" },
  },
  alerts = {},
}

test "a stay goes on behind a restart" {
  options = { after_s = 120, region = REGION },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 150, ["until"] = 300, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 300, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e" },
    { at = 200, restart = 5 },
  },
  -- The second one, not that in the other region.
  alerts = { { at = 270, title = "In " .. REGION .. " for 120 s", region = REGION } },
}

test "one that ends while nothing runs is over" {
  options = { after_s = 150, region = REGION },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 300, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e" },
    { at = 61, restart = 50 },
  },
  alerts = {},
}

test "one that has been told is not told again" {
  options = { after_s = 120 },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e" },
    { at = 130, restart = 3 },
  },
  alerts = { { at = 120, region = "edd1ebeac04e5defa017" } },
  finish = function(state) assert(next(state.stays) == nil) end,
}

test "the duplicate filter makes exits of who stays, which is said" {
  options = { after_s = 120, region = REGION },
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 0, ["until"] = 600, every = 60, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = {},
  print = { "test filters duplicates, which makes exits of who stays: long stays there may not be told" },
}
