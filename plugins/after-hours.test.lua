local TAG = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local REGION = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
local OTHER = "d2:27:d8:7d:87:6c"

-- The first day is Thursday, 1 January 2026; Berlin is an hour ahead.
test "who comes before it opens, and who is there when it has closed" {
  options = { zone = "Europe/Berlin" },
  sightings = {
    { at = 0, ["until"] = 64000, every = 20, url = "https://example.com/", address = OTHER },
    { at = 21600, ["until"] = 21700, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 36000, ["until"] = 36100, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 60600, ["until"] = 62400, every = 5, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 21600, severity = "warning", title = "Somebody came into " .. REGION .. " after hours",
      region = REGION, text = "On 2026-01-01 at 07:00 (Europe/Berlin, UTC+1), inside since 06:00:00 UTC." },
    { at = 62100, title = "Somebody is still in " .. REGION .. " after hours" },
  },
}

test "on days on which it does not open nobody is to be there" {
  options = { days = "fri, Saturday" },
  sightings = {
    { at = 43200, ["until"] = 43300, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 43000, ["until"] = 130000, every = 20, url = "https://example.com/", address = OTHER },
    { at = 129600, ["until"] = 129700, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = { { at = 43200, title = "Somebody came into " .. REGION .. " after hours" } },
}

test "hours may go past midnight" {
  options = { opens = "22:00", closes = "06:00", days = "wed" },
  sightings = {
    { at = 0, ["until"] = 50000, every = 20, url = "https://example.com/", address = OTHER },
    { at = 1800, ["until"] = 1900, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 43200, ["until"] = 43300, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = { { at = 43200 } },
}

test "a stay that has been told is not told again behind a restart" {
  sightings = {
    { at = 0, ["until"] = 300, every = 5, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 100, restart = 2 },
  },
  alerts = { { at = 0, title = "Somebody is in " .. REGION .. " after hours" } },
}

test "who was inside before a restart is still known when it closes" {
  options = { opens = "00:00", closes = "00:05", grace_s = 60 },
  sightings = {
    { at = 0, ["until"] = 600, every = 5, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 100, restart = 2 },
  },
  -- Minutes count from the restart.
  alerts = { { at = 402, title = "Somebody is still in " .. REGION .. " after hours" } },
}

-- 25 October 2026: at 01:00 UTC the clocks of Berlin go from 03:00 back to 02:00.
test "an hour that is there twice is told by how far the clock is from UTC" {
  options = { zone = "Europe/Berlin", closes = "02:15", days = "sat sun" },
  sightings = {
    { at = 25660200, ["until"] = 25668000, every = 20, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 25662600, text = "On 2026-10-25 at 02:30 (Europe/Berlin, UTC+2), inside since 2026-10-24 23:50:00 UTC." },
    { at = 25666200, text = "On 2026-10-25 at 02:30 (Europe/Berlin, UTC+1), inside since 2026-10-24 23:50:00 UTC." },
  },
}

test "the duplicate filter makes nobody come again, and again" {
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 61200, ["until"] = 72000, every = 60, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 79000, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 79100, every = 20, url = "https://example.com/", address = OTHER },
  },
  alerts = {
    { at = 65700, title = "Somebody is still in " .. REGION .. " after hours" },
    { at = 79020, title = "Somebody is in " .. REGION .. " after hours" },
  },
}

test "who may have been there while the radio could not hear did not come" {
  options = { closes = "18:00", grace_s = 900 },
  sightings = {
    { at = 63000, scan = "on" },
    { at = 63000, ["until"] = 64700, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
    { at = 64700, scan = "off" },
    { at = 64900, scan = "on" },
    { at = 64901, ["until"] = 66000, every = 1, ibeacon = TAG, address = "c2:35:33:30:25:50" },
  },
  alerts = { { at = 65700, title = "Somebody is in " .. REGION .. " after hours" } },
}
