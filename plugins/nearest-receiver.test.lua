local A, A_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"
local B, B_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9", "e3:60:59:21:80:65"

-- Heard once a second by a receiver; each span is from, to, dBm. Its signal is spread as signals are.
local SPREAD = { 0, -3, 2, 1, -2, 4, -5, 2, -1, 3, -1 }
local function heard(list, observer, spans, beacon)
  for _, span in ipairs(spans) do
    for at = span[1], span[2] do
      list[#list + 1] = {
        at = at + (observer == "hall" and 0.3 or 0), ibeacon = beacon or A,
        address = beacon and B_ADDRESS or A_ADDRESS, observer = observer,
        rssi = span[3] + SPREAD[at % #SPREAD + 1],
      }
    end
  end
  return list
end

local function both(door, hall, others)
  local list = heard(heard({}, "door", door), "hall", hall)
  for observer, spans in pairs(others or {}) do heard(list, observer, spans, B) end
  table.sort(list, function(one, other) return one.at < other.at end)
  return list
end

test "somebody goes from the door to the hall, and back" {
  sightings = both(
    { { 0, 100, -60 }, { 101, 200, -85 }, { 201, 300, -60 } },
    { { 0, 100, -85 }, { 101, 200, -62 }, { 201, 300, -88 } }),
  alerts = {
    { severity = "info", title = A .. " is heard best by hall, before by door",
      fields = { from = "door", to = "hall", may_be_deaf = false } },
    { title = A .. " is heard best by door, before by hall", fields = { from = "hall", to = "door" } },
  },
}

test "out of one's hearing into another's" {
  sightings = both(
    { { 0, 100, -60 } }, { { 130, 200, -75 } }, { door = { { 0, 200, -70 } }, hall = { { 0, 200, -72 } } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door",
      text = "Heard there since 00:02:10 UTC, best since 00:02:14 UTC: -75 dBm there, not heard at door since "
        .. "00:01:40 UTC." },
  },
}

test "a receiver that hears nobody may be deaf" {
  sightings = both({ { 0, 100, -60 } }, { { 0, 200, -80 } }, { door = { { 0, 100, -70 } } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door, which may be deaf", fields = { may_be_deaf = true },
      text = "Heard there since 00:00:00 UTC, best since 00:02:00 UTC: -80 dBm there, "
        .. "not heard at door since 00:01:40 UTC. "
        .. "door may be deaf: it has heard nobody since 00:01:40 UTC." },
  },
}

test "a receiver that hears again had not heard who was there" {
  sightings = both({ { 0, 100, -60 }, { 300, 400, -60 } }, { { 0, 400, -80 } },
    { door = { { 0, 100, -70 }, { 300, 400, -70 } } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door, which may be deaf", fields = { may_be_deaf = true } },
    { title = A .. " is heard best by door, before by hall (door hears again)", fields = { may_be_deaf = true },
      text = "Heard there since 00:05:00 UTC: -60 dBm there, -80 dBm at hall. "
        .. "door had heard nobody from 00:01:40 UTC to 00:05:00 UTC: it may have been there before." },
  },
}

test "who comes long after the receiver hears again has come" {
  sightings = both({ { 0, 100, -60 }, { 500, 600, -60 } }, { { 0, 499, -80 }, { 500, 600, -90 } },
    { door = { { 0, 100, -70 }, { 300, 600, -70 } } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door, which may be deaf" },
    { title = A .. " is heard best by door, before by hall", fields = { may_be_deaf = false } },
  },
}

-- Somebody who is no beacon, heard once a second.
local function phone(list, observer, from, to)
  for at = from, to do
    list[#list + 1] = { at = at + 0.6, observer = observer, manufacturer = 76, data = "1005011c3a2b4c" }
  end
  table.sort(list, function(one, other) return one.at < other.at end)
  return list
end

test "a receiver that hears nobody but phones is not deaf" {
  sightings = phone(both({ { 0, 100, -60 } }, { { 0, 200, -80 } }), "door", 0, 200),
  alerts = { { title = A .. " is heard best by hall, before by door", fields = { may_be_deaf = false } } },
}

-- Each packet is heard by all, by one of them a moment before the others: in fast motion beside `hall`, then at rest
-- beside `store`.
local function packets(first, interval, count)
  local list = {}
  local function packet(at, signals)
    for observer, rssi in pairs(signals) do
      list[#list + 1] = {
        at = at + (observer == first and 0 or 0.002), ibeacon = A, address = A_ADDRESS, observer = observer,
        rssi = rssi,
      }
    end
  end
  for number = 1, 300 do packet(number * 0.2, { door = -80, hall = -60, store = -80 }) end
  for number = 1, count do packet(60 + number * interval, { door = -85, hall = -78, store = -60 }) end
  table.sort(list, function(one, other)
    if one.at ~= other.at then return one.at < other.at end
    return one.observer < other.observer
  end)
  return list
end

for _, first in ipairs { "door", "hall", "store", "nobody" } do
  for _, interval in ipairs { 60, 25, 15 } do
    local how = ("%d s, with %s the first to stamp it"):format(interval, first)
    test("who sends seldom is where it is heard best by several of its packets: each " .. how) {
      sightings = packets(first, interval, 20),
      alerts = {
        { title = A .. " is heard best by store, before by hall",
          fields = { from = "hall", to = "store", rssi = -60, before_rssi = -78 } },
      },
    }
  end
end

test "one packet that is heard badly, and one that is lost, move nobody who sends once a minute" {
  sightings = (function()
    local list = {}
    for number = 0, 20 do
      local is_bad = number == 10
      if number ~= 9 then
        list[#list + 1] = {
          at = number * 60, ibeacon = A, address = A_ADDRESS, observer = "door", rssi = is_bad and -95 or -60,
        }
      end
      list[#list + 1] = { at = number * 60 + 0.1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -80 }
    end
    return list
  end)(),
  alerts = {},
}

-- Without a strength.
local UNKNOWN = 127

local function without_strength(door, hall)
  local list = both(door, hall)
  for _, it in ipairs(list) do
    if it.rssi > 100 then it.rssi = UNKNOWN end
  end
  return list
end

test "who is heard without a strength where it was is not told to be elsewhere" {
  sightings = without_strength(
    { { 0, 100, -60 }, { 101, 300, 127 }, { 301, 400, -60 } }, { { 0, 400, -80 } }),
  alerts = {},
  print = { "door told of tags without a strength (RSSI 127): one that was there was not judged meanwhile" },
}

test "where another receiver hears it without a strength that is said" {
  sightings = (function()
    local list = both({ { 0, 100, -60 }, { 101, 200, -85 } }, { { 0, 100, -85 }, { 101, 200, -62 } })
    for at = 0, 200 do
      list[#list + 1] = { at = at + 0.5, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = UNKNOWN }
    end
    table.sort(list, function(one, other) return one.at < other.at end)
    return list
  end)(),
  alerts = {
    { title = A .. " is heard best by hall, before by door",
      text = "Heard there since 00:00:00 UTC, best since 00:01:51 UTC: -62 dBm there, -85 dBm at door. "
        .. "Heard without a strength (RSSI 127), perhaps nearer: by store." },
  },
  print = { "store told of tags without a strength (RSSI 127): one that was there was not judged meanwhile" },
}

test "halfway between both, and with somebody who passes for a few seconds, nothing changes" {
  sightings = both(
    { { 0, 100, -70 }, { 101, 200, -74 }, { 201, 210, -85 }, { 211, 300, -70 } },
    { { 0, 100, -80 }, { 101, 200, -71 }, { 201, 210, -60 }, { 211, 300, -80 } }),
  alerts = {},
}

test "how much, and for how long, can be set" {
  options = { by_db = 2, lasting_s = 5 },
  sightings = both(
    { { 0, 100, -70 }, { 101, 200, -76 } }, { { 0, 100, -80 }, { 101, 200, -70 } }),
  alerts = { { fields = { to = "hall" } } },
}

test "one receiver alone has nobody to be compared with" {
  sightings = heard({}, "door", { { 0, 60, -60 } }),
  alerts = {},
}

test "a restart goes on with where it was" {
  sightings = (function()
    local list = both({ { 0, 100, -60 } }, { { 0, 100, -85 }, { 108, 200, -62 } }, { door = { { 108, 200, -70 } } })
    list[#list + 1] = { at = 105, restart = 1 }
    table.sort(list, function(one, other) return one.at < other.at end)
    return list
  end)(),
  alerts = { { title = A .. " is heard best by hall, before by door" } },
}

test "a device is followed by its name while its address changes, and so is a beacon by its key" {
  sightings = (function()
    local list = {}
    for _, who in ipairs { { device = "guard" }, { key = "shelf-3", address = A_ADDRESS } } do
      for at = 0, 2000, 2 do
        local is_near = at <= 1000
        for observer, rssi in pairs { door = is_near and -60 or -85, hall = is_near and -85 or -60 } do
          list[#list + 1] = {
            at = at, observer = observer, rssi = rssi, device = who.device, key = who.key, address = who.address,
            manufacturer = who.device and 76, data = who.device and "1005011c3a2b4c",
          }
        end
      end
    end
    return list
  end)(),
  alerts = {
    { fields = { from = "door", to = "hall" } }, { fields = { from = "door", to = "hall" } },
  },
}

-- Begins a scan that tells of who is there once in so many seconds.
local FILTERS = { at = 0, scan = "on", filters_duplicates = true, observer = "store" }
local COUNTED = "store filters duplicates: what it told of a tag counted for 2 min 00 s"
local LEFT_OUT = "store filters duplicates, and was left out: it lets a tag pass too seldom"

test "a receiver that filters duplicates counts, and that a tag stands there is no change" {
  sightings = {
    FILTERS,
    { at = 0, ["until"] = 1200, every = 60, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -82 },
    { at = 0, ["until"] = 1200, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -94 },
  },
  alerts = {},
  print = { COUNTED },
}

test "a tag goes to a receiver that filters duplicates, and comes back" {
  sightings = {
    FILTERS,
    -- Who is there all the time: how often the filter lets him pass.
    { at = 0, ["until"] = 1500, every = 60, ibeacon = B, address = B_ADDRESS, observer = "store" },
    { at = 0, ["until"] = 600, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -60 },
    { at = 601, ["until"] = 1000, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -94 },
    { at = 1001, ["until"] = 1500, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -60 },
    { at = 610.5, ["until"] = 1000, every = 60, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -82 },
  },
  alerts = {
    { at = 632, title = A .. " is heard best by store, before by hall",
      text = "Heard there since 00:10:10 UTC, best since 00:10:11 UTC: -82 dBm there, -94 dBm at hall. "
        .. "store filters duplicates: it told of it at 00:10:10 UTC the last time." },
    { at = 1032, title = A .. " is heard best by hall, before by store",
      text = "Heard there since 00:00:00 UTC, best since 00:16:51 UTC: -60 dBm there, -82 dBm at store. "
        .. "store filters duplicates: it told of it at 00:16:10 UTC the last time." },
  },
  print = { COUNTED },
}

test "a receiver whose filter lets nobody pass twice is left out, and alerts of what it heard say so" {
  sightings = {
    FILTERS,
    { at = 50, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    table.unpack(both(
      { { 0, 100, -60 }, { 101, 200, -85 } }, { { 0, 100, -85 }, { 101, 200, -62 } })),
  },
  alerts = {
    { title = A .. " is heard best by hall, before by door",
      text = "Heard there since 00:00:00 UTC, best since 00:01:51 UTC: -62 dBm there, -85 dBm at door. "
        .. "Left out, for a filter that lets a tag pass too seldom: store." },
  },
  print = { LEFT_OUT },
}

test "where a receiver has come to filter it is not known whether the tag left it, and later that it did not" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    { at = 100, scan = "on", filters_duplicates = true, observer = "store" },
    { at = 110, ["until"] = 600, every = 60, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    { at = 0, ["until"] = 600, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -85 },
  },
  alerts = {},
  print = { COUNTED },
}

test "behind an absence it is heard since then" {
  sightings = both(
    { { 0, 100, -60 }, { 28800, 28830, -60 }, { 28831, 28900, -85 } },
    { { 0, 100, -85 }, { 28800, 28830, -85 }, { 28831, 28900, -60 } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door",
      text = "Heard there since 08:00:00 UTC, best since 08:00:41 UTC: -60 dBm there, -85 dBm at door." },
  },
}

test "the last packet of the recording counts" {
  sightings = both({ { 0, 40, -60 }, { 41, 71, -85 } }, { { 0, 40, -85 }, { 41, 71, -60 } }),
  alerts = { { title = A .. " is heard best by hall, before by door" } },
}
