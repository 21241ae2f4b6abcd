local KNOWN = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local ROGUE = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:9:9"
local OTHER = "a495bb10-c5b1-4b44-b512-1370f02d74de:1:1"

local SIGHTINGS = {
  { at = 0, ["until"] = 20, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
  { at = 5, ["until"] = 20, every = 1, ibeacon = ROGUE, address = "e3:60:59:21:80:65", rssi = -70 },
  { at = 6, ["until"] = 20, every = 1, ibeacon = OTHER, address = "d0:35:33:33:44:03" },
}
local REGIONS = { "lobby=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1" }

test "what lies in no region is told once" {
  regions = REGIONS,
  sightings = SIGHTINGS,
  alerts = {
    { at = 7, severity = "warning", title = "Unknown beacon " .. ROGUE },
    { at = 8, title = "Unknown beacon " .. OTHER },
  },
}

test "only those that claim to be the site's" {
  regions = REGIONS,
  options = { uuid = "F7826DA6-4FA2-4E98-8024-BC5B71E0893E" },
  sightings = SIGHTINGS,
  alerts = { { at = 7, title = "Unknown beacon " .. ROGUE } },
}

test "three channels, and a packet that is there twice, are one sighting" {
  regions = REGIONS,
  sightings = {
    { at = 5, ["until"] = 8, every = 1, ibeacon = ROGUE, address = "e3:60:59:21:80:65" },
    { at = 5.001, ["until"] = 8, every = 1, ibeacon = ROGUE, address = "e3:60:59:21:80:65" },
    { at = 5.001, ["until"] = 8, every = 1, ibeacon = ROGUE, address = "e3:60:59:21:80:65" },
  },
  alerts = { { at = 7, title = "Unknown beacon " .. ROGUE } },
}

test "without a list nobody is unknown" {
  sightings = SIGHTINGS,
  alerts = {},
  print = { "nothing was judged: there is no list of the site's beacons: declare regions with --site or --region" },
}

test "a restart tells nobody again, and goes on counting" {
  regions = REGIONS,
  sightings = {
    { at = 0, ["until"] = 20, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    { at = 5, ["until"] = 20, every = 1, ibeacon = ROGUE, address = "e3:60:59:21:80:65" },
    { at = 6, ["until"] = 7, every = 1, ibeacon = OTHER, address = "d0:35:33:33:44:03" },
    { at = 10.5, restart = 0 },
    { at = 12, ibeacon = OTHER, address = "d0:35:33:33:44:03" },
  },
  alerts = {
    { at = 7, title = "Unknown beacon " .. ROGUE }, { at = 12, title = "Unknown beacon " .. OTHER },
  },
}

local UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
local LISTED = {
  "shelf=ibeacon:" .. UUID .. ":1:7,address=c2:35:33:30:25:50", "other=ibeacon:" .. UUID .. ":1:8",
}

test "a copy is told, the one in the list is not, whoever is heard first" {
  regions = LISTED,
  sightings = {
    { at = 0, ["until"] = 60, every = 20, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42", rssi = -81 },
    { at = 10, ["until"] = 60, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = UUID .. ":1:8", address = "c2:35:33:30:25:51" },
  },
  alerts = {
    { at = 40, title = "Another device sends what shelf (f782…893e:1:7) does",
      text = "The site's list has it with another address; heard from e7:0d:5c:31:9a:42 at -81 dBm.",
      fields = { address = "e7:0d:5c:31:9a:42" } },
  },
}

test "a copy that comes later is told, too" {
  regions = LISTED,
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    { at = 30.5, ["until"] = 60, every = 1, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42" },
  },
  alerts = { { at = 32.5, title = "Another device sends what shelf (f782…893e:1:7) does" } },
}

test "addresses that a device changes by itself are one" {
  regions = REGIONS,
  sightings = {
    { at = 0, ["until"] = 20, every = 1, ibeacon = ROGUE, address = "5a:60:59:21:80:65" },
    { at = 21, ["until"] = 40, every = 1, ibeacon = ROGUE, address = "6b:35:33:33:44:03" },
  },
  alerts = { { at = 2 } },
}

test "a copy that was told before a restart is not told again" {
  regions = LISTED,
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    { at = 0.5, ["until"] = 60, every = 1, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42" },
    { at = 30.2, restart = 0.1 },
  },
  alerts = { { at = 2.5 } },
}

test "a copy behind a restart is known for one, though the other was heard before it alone" {
  regions = LISTED,
  sightings = {
    { at = 0, ["until"] = 20, every = 1, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    { at = 20.5, restart = 0.1 },
    { at = 30, ["until"] = 40, every = 1, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42" },
  },
  alerts = {
    { at = 32, text = "The site's list has it with another address; heard from e7:0d:5c:31:9a:42 at -60 dBm." },
  },
}

local PLAN = {
  "depot 4-9=ibeacon:" .. UUID .. ":4:9,address=c4:00:00:00:04:09",
  "gallery 2-7=ibeacon:" .. UUID .. ":2:7,address=c4:00:00:00:02:07",
  "gallery 2-8=ibeacon:" .. UUID .. ":2:8,address=c4:00:00:00:02:08",
}

test "one that the list has by its address, with another identity, is told by its name" {
  regions = PLAN,
  sightings = {
    { at = 0, ["until"] = 5, every = 1, ibeacon = UUID .. ":9:4", address = "c4:00:00:00:04:09", rssi = -70 },
    { at = 0, ["until"] = 9, every = 1, ibeacon = UUID .. ":2:7", address = "c4:00:00:00:02:07" },
    { at = 3, ["until"] = 9, every = 1, ibeacon = UUID .. ":2:7", address = "c4:00:00:00:02:08", rssi = -70 },
    -- Something else that it sends beside is not on the list.
    { at = 7, ["until"] = 9, every = 1, url = "https://example.com/", address = "c4:00:00:00:02:08" },
  },
  alerts = {
    { at = 2, severity = "warning", title = "depot 4-9 sends 9:4 (major and minor swapped)",
      text = "By the site's list c4:00:00:00:04:09 is depot 4-9, which is to send " .. UUID .. ":4:9: set it "
        .. "again; heard from c4:00:00:00:04:09 at -70 dBm.",
      fields = { planned = "depot 4-9" } },
    { at = 5, title = "gallery 2-8 sends what gallery 2-7 (f782…893e:2:7) does",
      fields = { planned = "gallery 2-8" } },
    { at = 9, title = "Unknown beacon https://example.com/" },
  },
}

test "one that took another one's place, and is not in the list yet, is told as that" {
  regions = LISTED,
  sightings = {
    { at = 0, ["until"] = 5, every = 1, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42", rssi = -60 },
    { at = 0.5, ["until"] = 5, every = 1, ibeacon = UUID .. ":1:8", address = "c2:35:33:30:25:51" },
  },
  alerts = {
    { at = 2, title = "Another device sends what shelf is to send",
      text = "The site's list has it with c2:35:33:30:25:50: if that was replaced, put the new address into the list; "
        .. "heard from e7:0d:5c:31:9a:42 at -60 dBm.",
      fields = { replaces = "shelf" } },
  },
}

test "where nobody has the UUID that is asked for, that is said" {
  regions = REGIONS,
  options = { uuid = "F7826DA6-4FA2-4E98-8024-BC5B71E0893F" },
  sightings = { { at = 0, ["until"] = 5, every = 1, ibeacon = ROGUE, address = "c2:35:33:30:25:51" } },
  alerts = {},
  print = {
    "nothing was judged: nobody was heard with the UUID or namespace 'f7826da6-4fa2-4e98-8024-bc5b71e0893f'",
  },
}

-- So many identities in half a minute, none of them twice.
local function flood(count, others)
  for number = 1, count do
    others[#others + 1] = {
      at = 30 * number / count, ibeacon = UUID .. (":9:%d"):format(number),
      address = ("c2:00:00:00:%02x:%02x"):format(number // 256, number % 256),
    }
  end
  return others
end

test "a flood of invented identities is told once, and hides no copy" {
  regions = LISTED,
  sightings = flood(30000, {
    { at = 0, ["until"] = 30, every = 3, ibeacon = KNOWN, address = "c2:35:33:30:25:50" },
    -- From one to the next more are heard than a map remembers.
    { at = 1.05, ["until"] = 30, every = 12, ibeacon = KNOWN, address = "e7:0d:5c:31:9a:42" },
  }),
  alerts = {
    { at = 0.3, severity = "warning", title = "300 unknown beacons within a minute" },
    { at = 25.05, severity = "warning", title = "Another device sends what shelf (f782…893e:1:7) does" },
  },
}

test "fewer are no flood" {
  regions = LISTED,
  options = { flood_per_minute = 401 },
  sightings = flood(400, {}),
  alerts = {},
}
