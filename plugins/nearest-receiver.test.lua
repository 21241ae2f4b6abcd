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
      text = "Since 00:02:10 UTC: -75 dBm there, not heard at door." },
  },
}

test "a receiver that hears nobody may be deaf" {
  sightings = both({ { 0, 100, -60 } }, { { 0, 200, -80 } }, { door = { { 0, 100, -70 } } }),
  alerts = {
    { title = A .. " is heard best by hall, before by door", fields = { may_be_deaf = true },
      text = "Since 00:02:00 UTC: -80 dBm there, not heard at door. "
        .. "door may be deaf: it has heard nobody since 00:01:40 UTC." },
  },
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

local FILTERS = " filters duplicates, and is left out: how it hears a tag now is not known"

test "a receiver that filters duplicates is left out" {
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true, observer = "store" },
    { at = 0, ["until"] = 600, every = 60, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    { at = 0, ["until"] = 600, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -93 },
  },
  alerts = {},
  print = { "store" .. FILTERS },
}

test "where a receiver has come to filter it is not known whether the tag left it" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    { at = 100, scan = "on", filters_duplicates = true, observer = "store" },
    { at = 110, ["until"] = 600, every = 60, ibeacon = A, address = A_ADDRESS, observer = "store", rssi = -60 },
    { at = 0, ["until"] = 600, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall", rssi = -85 },
  },
  alerts = {},
  print = { "store" .. FILTERS },
}
