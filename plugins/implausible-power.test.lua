local ID, ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"

test "a power of zero" {
  sightings = {
    { at = 0, ["until"] = 10, every = 1, ibeacon = ID, address = ADDRESS, measured_power = 0 },
  },
  alerts = {
    { at = 0, severity = "notice", text = "It states 0 dBm at one metre.",
      fields = { measured_power = 0 } },
  },
}

test "louder than it can be" {
  sightings = {
    { at = 0, ["until"] = 5, every = 1, ibeacon = ID, address = ADDRESS, rssi = -70,
      measured_power = -77 },
    { at = 6, ibeacon = ID, address = ADDRESS, rssi = -30, measured_power = -77 },
  },
  alerts = {
    { at = 6, text = "It states -77 dBm at one metre, and is heard at -30 dBm." },
  },
}

test "an Eddystone states its power at 0 m" {
  sightings = {
    { at = 0, ["until"] = 5, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a", address = "f2:7d:87:6c:82:3e",
      rssi = -65, tx_power = -59 },
  },
  alerts = {
    { at = 0, text = "It states -59 dBm at 0 m, which is -100 dBm at one metre, and is heard at -65 dBm." },
  },
}

test "a usual beacon" {
  sightings = {
    { at = 0, ["until"] = 10, every = 1, ibeacon = ID, address = ADDRESS, rssi = -60,
      measured_power = -59 },
    { at = 0, ["until"] = 10, every = 1, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = "f2:7d:87:6c:82:3e", rssi = -70, tx_power = -18 },
  },
  alerts = {},
}

test "a restart does not tell it again" {
  sightings = {
    { at = 0, ["until"] = 20, every = 1, ibeacon = ID, address = ADDRESS, measured_power = 0 },
    { at = 10, restart = 0 },
  },
  alerts = { { at = 0 } },
}

-- Beacons of one UUID, each with its power.
local function site(...)
  local list = {}
  for number, power in ipairs { ... } do
    list[number] = {
      at = number, ["until"] = math.max(100, number + 1), every = 10, rssi = -90, measured_power = power,
      ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:" .. number,
      address = ("c2:35:33:30:25:%02x"):format(number),
    }
  end
  return list
end

test "one that states something else than all others of its UUID is mentioned" {
  regions = { "shelf 2-2=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:2" },
  sightings = site(-59, -74, -59, -59, -60, -20, -59),
  alerts = {
    { at = 5, severity = "info", title = "shelf 2-2 (f782…893e:2:2) states another power than its like",
      text = "It states -74 dBm; of the 4 others of its UUID or namespace that were heard so far all state at least "
        .. "6 dB more or less.",
      fields = { power = -74, others = 4 } },
    { at = 6, severity = "info", fields = { power = -20 } },
  },
}

test "two makes, beacons that are calibrated one by one, and few beacons are fine" {
  sightings = site(-59, -59, -59, -72, -72, -72, -62, -65, -55),
  alerts = {},
}

test "two that were set wrongly do not hide one another, in whatever order they are heard" {
  sightings = site(-59, -74, -59, -59, -59, -59, -59, -59, -72),
  alerts = {
    { at = 5, fields = { power = -74, others = 4 } },
    { at = 9, fields = { power = -72, others = 8 },
      text = "It states -72 dBm; of the 8 others of its UUID or namespace that were heard so far 7 state at least "
        .. "6 dB more or less." },
  },
}

test "two that were set alike, and wrongly, are both told once nearly all others are known" {
  sightings = site(-74, -74, -59, -59, -59, -59, -59, -59, -59),
  alerts = { { at = 9, fields = { power = -74 } }, { at = 9, fields = { power = -74 } } },
}

-- So many of either power, those that are set wrongly first or last.
local function many(right, wrong, is_first)
  local powers = {}
  for at = 1, right + wrong do
    local is_wrong = at > right
    if is_first then is_wrong = at <= wrong end
    powers[at] = is_wrong and -74 or -59
  end
  return site(table.unpack(powers))
end

local function expected(count)
  local list = {}
  for at = 1, count do list[at] = { fields = { power = -74 } } end
  return list
end

test "of six that were set wrongly none is left out" { sightings = many(42, 6, false), alerts = expected(6) }

test "of eighteen neither, where many are right" { sightings = many(160, 18, false), alerts = expected(18) }

-- Of the first seven it is the seventh that differs.
test "whoever is heard first" {
  sightings = many(42, 6, true),
  alerts = { { fields = { power = -59 } }, table.unpack(expected(6)) },
}

test "where few others are known nobody differs" {
  sightings = site(-59, -74, -59, -59),
  alerts = {},
}

test "others of before a restart count behind it, and nothing is mentioned twice" {
  sightings = {
    { at = 50.5, restart = 0.1 },
    { at = 60, ["until"] = 90, every = 10, rssi = -90, measured_power = -40,
      ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:60", address = "c2:35:33:30:25:60" },
    table.unpack(site(-59, -59, -59, -59, -59, -74)),
  },
  alerts = { { at = 6, fields = { power = -74 } }, { at = 60, fields = { power = -40 } } },
}

-- Seven beacons, of which one states -59 dBm for a minute, and something else from then on.
local changed = site(-59, -59, -59, -59, -59, -59, -59)
changed[7]["until"] = 60
changed[8] = { at = 70, ["until"] = 100, every = 10, rssi = -90, measured_power = -75,
  ibeacon = changed[7].ibeacon, address = changed[7].address }

test "one that states something else than before is none of its own others" {
  sightings = changed,
  alerts = {
    { at = 70, text = "It states -75 dBm; of the 6 others of its UUID or namespace that were heard so far all "
      .. "state at least 6 dB more or less." },
  },
}

-- It and three others alone: with what it stated before they would be enough.
local few = { changed[4], changed[5], changed[6], changed[7], changed[8] }

test "what it stated before makes no others enough" { sightings = few, alerts = {} }

-- One that states -75 dBm while few others are known, then -59 like them, then -75 dBm for good.
local back = site(-59, -59, -59, -59, -59, -59, -59, -59, -59)
local ONE, FROM = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:99", "c2:35:33:30:25:99"
for _, part in ipairs { { 0, -75 }, { 1.5, -59 }, { 20, -75 } } do
  back[#back + 1] = { at = part[1], ["until"] = part[1] + 1, every = 1, rssi = -90, measured_power = part[2],
    ibeacon = ONE, address = FROM }
end

test "what it states again counts again" {
  sightings = back,
  alerts = { { at = 20, title = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:99 states another power than its like",
    fields = { power = -75, others = 9 } } },
}

-- One that states both in turn among many others.
local turns = site(-59, -59, -59, -59, -59, -59, -59, -59, -59)
for second = 10, 40 do
  turns[#turns + 1] = { at = second, rssi = -90, measured_power = second % 2 == 0 and -75 or -59, ibeacon = ONE,
    address = FROM }
end

test "powers in turn are told once" { sightings = turns, alerts = { { at = 10, fields = { power = -75 } } } }
