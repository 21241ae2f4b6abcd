local ID, ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"

test "from ten a second to one a second" {
  sightings = {
    { at = 0, ["until"] = 10, every = 0.1, ibeacon = ID, address = ADDRESS },
    { at = 11, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
  },
  alerts = {
    { severity = "notice", title = ID .. " sends every 1000 ms, before every 100 ms",
      text = "A change of +900 % since 00:00:10 UTC.",
      fields = { before_ms = 100, since = "2026-01-01T00:00:10.000000000Z" } },
  },
}

test "an interval that stays" {
  sightings = { { at = 0, ["until"] = 100, every = 0.5, ibeacon = ID, address = ADDRESS } },
  alerts = {},
}

test "one that is heard badly for a while does not change" {
  sightings = {
    { at = 0, ["until"] = 20, every = 0.1, ibeacon = ID, address = ADDRESS },
    -- Every third and every fourth arrive.
    { at = 20, ["until"] = 80, every = 0.3, ibeacon = ID, address = ADDRESS },
    { at = 20.1, ["until"] = 80, every = 0.4, ibeacon = ID, address = ADDRESS },
    { at = 80.1, ["until"] = 100, every = 0.1, ibeacon = ID, address = ADDRESS },
  },
  alerts = {},
}

test "a change during a restart" {
  sightings = {
    { at = 0, ["until"] = 10, every = 0.1, ibeacon = ID, address = ADDRESS },
    { at = 10.5, restart = 0.2 },
    { at = 11, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
  },
  alerts = { { title = ID .. " sends every 1000 ms, before every 100 ms" } },
}

local FILTERS = " filters duplicates: intervals there are those of the filter, and were not judged"

test "the duplicate filter is no change, and one behind it is" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 100, scan = "on", filters_duplicates = true },
    { at = 110, ["until"] = 6000, every = 60, ibeacon = ID, address = ADDRESS },
    { at = 6000, scan = "on" },
    { at = 6001, ["until"] = 6100, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 6101, ["until"] = 6300, every = 3, ibeacon = ID, address = ADDRESS },
  },
  alerts = { { title = ID .. " sends every 3000 ms, before every 1000 ms" } },
  print = { "test" .. FILTERS },
}

local PARTLY = " listens a part of the time: intervals there are those of its windows, too, and were not judged"

test "a radio that listens a tenth of the time is no change, and one behind that is" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 100.5, scan = "on", radio_share = 0.1 },
    { at = 105, ["until"] = 1000, every = 5, ibeacon = ID, address = ADDRESS },
    { at = 1000.5, scan = "on" },
    { at = 1001, ["until"] = 1100, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 1101, ["until"] = 1300, every = 3, ibeacon = ID, address = ADDRESS },
  },
  alerts = { { title = ID .. " sends every 3000 ms, before every 1000 ms" } },
  print = { "test" .. PARTLY },
}

-- Some milliseconds of chance before each advertisement, as the standard has it.
local function sends(from, to, interval, seed)
  local list, at, chance = {}, from, seed
  while at < to do
    list[#list + 1] = { at = at, ibeacon = ID, address = ADDRESS }
    chance = (chance * 1103515245 + 12345) % 2147483648
    at = at + interval + chance % 100 / 1e4
  end
  return list
end

local function together(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

local TURNS = ID .. " sounds as if two devices sent it from " .. ADDRESS
  .. " in turn: its interval is not judged meanwhile"

test "a copy that comes and goes is no other interval, with chance in it, too" {
  sightings = together(sends(0, 300, 1, 7), sends(100.3, 200, 1, 99)),
  alerts = {},
  print = { TURNS },
}

test "so where it is there from the beginning, and without chance" {
  sightings = together(sends(0, 300, 1, 7), {
    { at = 0.35, ["until"] = 100, every = 1.005, ibeacon = ID, address = ADDRESS },
  }),
  alerts = {},
  print = { TURNS },
}

test "an interval that became shorter may be another device, and is told as both" {
  sightings = together(sends(0, 100, 1, 7), sends(100, 200, 0.5, 7)),
  alerts = {
    { title = ID .. " sends every 502 ms, before every 1001 ms",
      text = "A change of -50 % since 00:01:39 UTC. Or another device sends the same from its address." },
  },
}

-- A beacon that sends `other` in each third of its advertisements.
local function slots(from, to, interval, other)
  local list = sends(from, to, interval, 7)
  for number = 3, #list, 3 do
    list[number].ibeacon = nil
    for key, value in pairs(other) do list[number][key] = value end
  end
  return list
end

-- What is no beacon's frame.
local SILENT = { adv_data = "0201060303aafe" }
local SLOWER = {
  title = ID .. " sends every 1503 ms, before every 502 ms", text = "A change of +199 % since 00:03:18 UTC.",
}

test "a beacon that sends telemetry in each third advertisement is one device, whose interval is judged" {
  sightings = together(
    slots(0, 200, 0.5, { eddystone_tlm = { battery_mv = 3000 } }),
    slots(200, 500, 1.5, { eddystone_tlm = { battery_mv = 3000 } })),
  alerts = { SLOWER },
  print = {},
}

test "so is one whose other frames say nothing" {
  sightings = together(slots(0, 200, 0.5, SILENT), slots(200, 500, 1.5, SILENT)),
  alerts = { SLOWER },
  print = {},
}

test "and one that sends two other frames and one in turn" {
  sightings = (function()
    local list = sends(0, 200, 0.5, 7)
    for number, it in ipairs(list) do
      if number % 5 ~= 1 and number % 5 ~= 3 then it.ibeacon, it.url = nil, "https://example.com/" end
    end
    return list
  end)(),
  alerts = {},
  print = {},
}

test "a copy whose frames happen to lie at a third is no other interval, nor is its end" {
  sightings = together(sends(0, 300, 1, 7), sends(100.333, 200, 1, 7)),
  alerts = {},
  print = { TURNS },
}

test "nor where it was there from the beginning" {
  sightings = {
    { at = 0, ["until"] = 300, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 0.333, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
  },
  alerts = {},
}

test "a change while nothing was recorded was between the two recordings" {
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = ID, address = ADDRESS },
    { at = 100, recording = "off" },
    { at = 90000, recording = "on" },
    { at = 90001, ["until"] = 90200, every = 2, ibeacon = ID, address = ADDRESS },
  },
  alerts = {
    { title = ID .. " sends every 2000 ms, before every 1000 ms",
      text = "A change of +100 % between 2026-01-01 00:01:40 UTC and 01:00:01 UTC.", evidence = { 100, 90001, 90119 },
      fields = { since = "2026-01-01T00:01:40.000000000Z", at_latest = "2026-01-02T01:00:01.000000000Z" } },
  },
}

test "three gaps of a third, of which two sightings are missed, are none of before" {
  sightings = {
    { at = 0, ["until"] = 100, every = 0.9, ibeacon = ID, address = ADDRESS },
    { at = 600, ["until"] = 603, every = 0.9, ibeacon = ID, address = ADDRESS },
    { at = 603.3, ["until"] = 610, every = 0.3, ibeacon = ID, address = ADDRESS },
    { at = 610.8, ["until"] = 612, every = 0.9, ibeacon = ID, address = ADDRESS },
    { at = 612, ["until"] = 640, every = 0.3, ibeacon = ID, address = ADDRESS },
  },
  alerts = {
    { title = ID .. " sends every 300 ms, before every 900 ms",
      text = "A change of -67 % between 00:01:39 UTC and 00:10:02 UTC. Or another device sends the same from its "
        .. "address." },
  },
}

test "where the beacon went on as before behind a pause, it changed then" {
  sightings = {
    { at = 0, ["until"] = 100, every = 0.9, ibeacon = ID, address = ADDRESS },
    { at = 600, ["until"] = 650, every = 0.9, ibeacon = ID, address = ADDRESS },
    { at = 650, ["until"] = 680, every = 0.3, ibeacon = ID, address = ADDRESS },
  },
  alerts = {
    { text = "A change of -67 % since 00:10:49 UTC. Or another device sends the same from its address." },
  },
}

test "two devices of one address that state different powers are judged each by itself" {
  sightings = {
    { at = 0, ["until"] = 120, every = 0.3, ibeacon = ID, address = ADDRESS, measured_power = -59 },
    { at = 30.11, ["until"] = 120, every = 0.301, ibeacon = ID, address = ADDRESS, measured_power = -30 },
  },
  alerts = {},
}
