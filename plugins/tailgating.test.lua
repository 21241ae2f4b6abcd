local A, A_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"
local B, B_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9", "e3:60:59:21:80:65"
local C, C_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:11", "d0:35:33:33:44:03"

test "two tags within two seconds" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -85 },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -85 },
    { at = 30.2, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 30.7, ibeacon = A, address = A_ADDRESS, rssi = -48 },
    { at = 32.2, ibeacon = B, address = B_ADDRESS, rssi = -52 },
  },
  alerts = {
    { at = 32.2, severity = "warning", title = B .. " passed 2.0 s behind " .. A,
      fields = { seconds = 2.0 }, evidence = { 30.2, 32.2 } },
  },
}

test "of tags and a receiver alone" {
  options = { id = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:", at = "door" },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -85, observer = "door" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -85, observer = "door" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -85, observer = "hall" },
    { at = 30.2, ibeacon = A, address = A_ADDRESS, rssi = -50, observer = "door" },
    { at = 31.2, ibeacon = "5a4bcfce-174e-4bac-a814-092e77f6b7e5:2:1", rssi = -50, observer = "door" },
    { at = 32.2, ibeacon = B, address = B_ADDRESS, rssi = -52, observer = "door" },
    { at = 32.3, ibeacon = A, address = A_ADDRESS, rssi = -50, observer = "hall" },
    { at = 33.2, ibeacon = B, address = B_ADDRESS, rssi = -52, observer = "hall" },
  },
  alerts = { { at = 32.2, title = B .. " passed 2.0 s behind " .. A } },
}

test "one after the other is fine, and so is one tag alone" {
  sightings = {
    { at = 10, ["until"] = 14, every = 0.5, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 24, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = 40, ibeacon = B, address = B_ADDRESS, rssi = -90 },
  },
  alerts = {},
}

test "tags that lie at the door from the beginning have not passed" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 0.5, ["until"] = 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = {},
}

test "tags that come out of nowhere have" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, url = "https://example.com/", address = "d0:35:33:33:44:03" },
    { at = 40, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 41, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = { { at = 41, title = B .. " passed 1.0 s behind " .. A } },
}

test "what makes no difference any more is forgotten" {
  sightings = {
    { at = 0, ["until"] = 620, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 0, ["until"] = 50, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -85 },
    { at = 55, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = {},
  finish = function(state)
    local _, door = next(state.doors)
    assert(door.latest.id == B and door.heard - door.latest.time == 565)
    assert(door.at_door[A] == door.heard and not door.at_door[B] and next(door.away) == nil)
  end,
}

test "a short restart lies between the two, and whoever lies at the door has not passed" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -85 },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = 0, ["until"] = 60, every = 1, ibeacon = C, address = C_ADDRESS, rssi = -85 },
    { at = 40.2, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 41.1, restart = 0.5 },
    { at = 42.2, ibeacon = C, address = C_ADDRESS, rssi = -52 },
  },
  alerts = { { at = 42.2, title = C .. " passed 2.0 s behind " .. A } },
}

test "behind a longer one nobody knows who passed meanwhile" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -85 },
    { at = 0, ["until"] = 60, every = 1, ibeacon = C, address = C_ADDRESS, rssi = -85 },
    { at = 40.2, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 40.5, restart = 20 },
    { at = 60.6, ibeacon = C, address = C_ADDRESS, rssi = -52 },
  },
  alerts = {},
}

test "behind a time without a capture who lies at the door has not passed either" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, url = "https://example.com/", address = C_ADDRESS },
    { at = 60, recording = "off" },
    { at = 3600, recording = "on" },
    { at = 3600, ["until"] = 3660, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 3600.5, ["until"] = 3660, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = {},
}

test "who lies at a door whose receiver filters duplicates does not pass it again and again" {
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 60, ["until"] = 600, every = 60, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 61, ["until"] = 600, every = 60, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = {},
  print = { "test filters duplicates: who passes there is not known, and was not told" },
}

-- Both lie at the door, and are heard until a moment, and from another one on.
local function at_door(from, to)
  return { at = 0, ["until"] = from, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 0.5, ["until"] = from, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = to, ["until"] = to + 60, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = to + 0.5, ["until"] = to + 60, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 }
end

test "behind a scan that was off who lies at the door has not passed it" {
  sightings = { { at = 60, scan = "off" }, { at = 100, scan = "on" }, at_door(60, 100.1) },
  alerts = {},
}

test "nor behind a clock that was set, or a time that was not recorded" {
  sightings = { at_door(60, 3600) },
  alerts = {},
}

test "a scan that begins anew at once changes nothing, and who comes behind a longer pause passes" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, url = "https://example.com/", address = "d0:35:33:33:44:03" },
    { at = 39.5, scan = "off" }, { at = 39.6, scan = "on" },
    { at = 40, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 41, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = 200, ["until"] = 205, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -80 },
    { at = 200, ["until"] = 205, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -80 },
    { at = 206, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 208, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = { { at = 41 }, { at = 208 } },
}

test "of a radio that listens a tenth of the time nobody knows who passes" {
  sightings = {
    { at = 0, scan = "on", radio_share = 0.1 },
    { at = 0, ["until"] = 200, every = 10, url = "https://example.com/", address = "d0:35:33:33:44:03" },
    { at = 5, ["until"] = 200, every = 35, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 6, ["until"] = 200, every = 35, ibeacon = B, address = B_ADDRESS, rssi = -50 },
  },
  alerts = {},
  print = { "test listens a part of the time: who passes there is not known, and was not told" },
}

-- One each second.
local function group(from, to)
  local list = {}
  for at = from, to do
    list[#list + 1] = {
      at = at, ibeacon = ("f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:%d"):format(at), rssi = -50,
    }
  end
  return table.unpack(list)
end

test "a group is told by its first ones, and hides none at another door" {
  sightings = {
    { at = 0, ["until"] = 120, every = 1, url = "https://example.com/", address = "d0:35:33:33:44:03" },
    { at = 0, ["until"] = 120, every = 1, url = "https://example.com/", address = "d0:35:33:33:44:03",
      observer = "gate" },
    { at = 50.5, restart = 0.2 },
    { at = 52, ibeacon = A, address = A_ADDRESS, rssi = -50, observer = "gate" },
    { at = 53, ibeacon = B, address = B_ADDRESS, rssi = -50, observer = "gate" },
    { at = 104, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 105, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    group(40, 54),
  },
  alerts = {
    { at = 41 }, { at = 42 }, { at = 43 }, { at = 44 }, { at = 45 }, { at = 46 }, { at = 47 }, { at = 48 }, { at = 49 },
    { at = 50 }, { at = 53, observer = "gate", title = B .. " passed 1.0 s behind " .. A, held_back = 0 },
    { at = 105, observer = "test", held_back = 4 },
  },
}

-- A scan that is on and off in turn, and somebody far away who is heard while it is on.
local function in_turn(to, on, off, ...)
  local list = { ... }
  for at = 0, to - 1, on + off do
    list[#list + 1] = { at = at, scan = "on" }
    list[#list + 1] = { at = at + on, scan = "off" }
    list[#list + 1] = {
      at = at + 0.1, ["until"] = at + on - 0.1, every = 0.5, url = "https://example.com/", address = C_ADDRESS,
    }
  end
  return list
end

local OFTEN = "test stops listening again and again: who passes there is hardly known, and was mostly not told"

test "behind short breaks of the scan who passes is told, but not who came meanwhile, nor who lies at the door" {
  sightings = in_turn(300, 25, 5,
    { at = 105, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 106, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    -- The scan begins at 150.
    { at = 150.5, ["until"] = 174, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 151.5, ["until"] = 174, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = 180.2, ["until"] = 204, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 180.7, ["until"] = 204, every = 1, ibeacon = B, address = B_ADDRESS, rssi = -50 },
    { at = 240.2, ibeacon = A, address = A_ADDRESS, rssi = -80 },
    { at = 240.4, ibeacon = B, address = B_ADDRESS, rssi = -80 },
    { at = 241, ibeacon = A, address = A_ADDRESS, rssi = -50 },
    { at = 242, ibeacon = B, address = B_ADDRESS, rssi = -50 }),
  alerts = { { at = 106, title = B .. " passed 1.0 s behind " .. A }, { at = 242 } },
  print = {},
}

test "a scan that is broken off before anybody could pass is remarked" {
  sightings = in_turn(300, 2, 5),
  alerts = {},
  print = { OFTEN },
}

test "so is one whose breaks are long" {
  sightings = in_turn(400, 25, 25),
  alerts = {},
  print = { OFTEN },
}
