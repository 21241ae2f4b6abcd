local BEACON, OTHER = "c2:35:33:30:25:50", "e3:60:59:21:80:65"

-- Telemetry every ten seconds of a beacon that was switched on at a moment of the test.
local function telemetry(address, from, to, switched_on)
  local list = {}
  for at = from, to, 10 do
    list[#list + 1] = {
      at = at, address = address,
      eddystone_tlm = { uptime_s = at - switched_on, adv_count = (at - switched_on) * 2 },
    }
  end
  return list
end

local function together(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

test "one begins anew, the other goes on" {
  sightings = together(
    telemetry(BEACON, 0, 300, -1000), telemetry(BEACON, 320, 600, 311), telemetry(OTHER, 0, 600, -50)),
  alerts = {
    { at = 320, severity = "warning", title = BEACON .. " has restarted",
      fields = { uptime_s = 9.0, before_uptime_s = 1300.0 } },
  },
}

test "by its count of advertisements alone" {
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { adv_count = 500 } },
    { at = 10, address = BEACON, eddystone_tlm = { adv_count = 520 } },
    { at = 20, address = BEACON, eddystone_tlm = { adv_count = 3 } },
  },
  alerts = { { at = 20, title = BEACON .. " has restarted", fields = { before_adv_count = 520 } } },
}

test "what fell is what is told" {
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { adv_count = 500 } },
    { at = 10, address = BEACON, eddystone_tlm = { adv_count = 520 } },
    { at = 20, address = BEACON, eddystone_tlm = { adv_count = 3 } },
  },
  alerts = {
    { at = 20, text = "Between 00:00:10 UTC and 00:00:20 UTC. It says that it has sent 3 times, and said 520 times "
        .. "before." },
  },
}

-- What a beacon says at moments: uptime, count.
local function counts(address, ...)
  local list = {}
  for _, it in ipairs { ... } do
    list[#list + 1] = { at = it[1], address = address, eddystone_tlm = { uptime_s = it[2], adv_count = it[3] } }
  end
  return list
end

test "a counter that falls while the uptime goes on is told once, and a restart is known by the uptime" {
  sightings = counts(BEACON,
    { 0, 100, 500 }, { 10, 110, 520 }, { 20, 120, 3 }, { 30, 130, 23 }, { 40, 140, 1 }, { 50, 150, 21 },
    { 70, 10, 20 }, { 80, 20, 40 }, { 90, 30, 2 }),
  alerts = {
    { at = 20, severity = "notice", title = "The counter of " .. BEACON .. " fell while its uptime went on",
      fields = { adv_count = 3, before_adv_count = 520, uptime_s = 120.0, before_uptime_s = 110.0 },
      evidence = { 10, 20 },
      text = "Between 00:00:10 UTC and 00:00:20 UTC: it says that it has sent 3 times, and said 520 times before, "
        .. "while it has been on for 2 min 00 s, and said 1 min 50 s before. That is no restart: it counts its "
        .. "advertisements wrongly." },
    { at = 70, severity = "warning", title = BEACON .. " has restarted",
      text = "At about 00:01:00 UTC. It says that it has been on for 10 s, and said 2 min 30 s before, 20 s earlier." },
  },
}

test "so one that counts down, from when it was switched on" {
  sightings = counts(BEACON, { 0, 0, 500 }, { 10, 10, 490 }, { 20, 20, 480 }, { 30, 30, 470 }, { 40, 40, 460 }),
  alerts = { { at = 10, title = "The counter of " .. BEACON .. " fell while its uptime went on" } },
}

test "of several receivers the first one tells it; and one that may have been off meanwhile has restarted" {
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { uptime_s = 100, adv_count = 500 } },
    { at = 0.1, address = BEACON, eddystone_tlm = { uptime_s = 100.1, adv_count = 500 }, observer = "hall" },
    { at = 10, address = BEACON, eddystone_tlm = { uptime_s = 110, adv_count = 490 } },
    { at = 10.1, address = BEACON, eddystone_tlm = { uptime_s = 110.1, adv_count = 490 }, observer = "hall" },
    { at = 1, address = OTHER, eddystone_tlm = { uptime_s = 100, adv_count = 500 } },
    { at = 901, address = OTHER, eddystone_tlm = { uptime_s = 110, adv_count = 490 } },
  },
  alerts = {
    { at = 10, observer = "test" },
    { at = 901, title = OTHER .. " has restarted" },
  },
}

-- Telemetry each half minute of one that never comes far.
local function faulty(address, from, to)
  local list = {}
  for at = from, to, 30 do
    local up = (at - from) % 60 // 30 * 30 + 1
    list[#list + 1] = { at = at, address = address, eddystone_tlm = { uptime_s = up, adv_count = up } }
  end
  return list
end

-- Alerts of it, each minute.
local function each_minute(from, count, ...)
  local list = {}
  for number = 0, count - 1 do
    list[#list + 1] = { at = from + number * 60, title = BEACON .. " has restarted" }
  end
  return table.move({ ... }, 1, select("#", ...), #list + 1, list)
end

test "one that restarts all the time is told ten times an hour, and hides no other one" {
  sightings = together(
    faulty(BEACON, 0, 3720), telemetry(OTHER, 2, 1000, -5000), telemetry(OTHER, 1022, 3700, 1011)),
  alerts = each_minute(60, 10,
    { at = 1022, title = OTHER .. " has restarted", held_back = 0 },
    { at = 3660, title = BEACON .. " has restarted", held_back = 50 },
    { at = 3720, title = BEACON .. " has restarted", held_back = 0 }),
}

test "so behind a restart of ours" {
  sightings = together(faulty(BEACON, 0, 900), { { at = 755, restart = 5 }, { at = 365, restart = 5 } }),
  alerts = each_minute(60, 10),
}

local KEY_ADDRESSES = { "42:35:33:30:25:50", "53:35:33:30:25:51" }

-- Encrypted telemetry of the beacon of a key, and what says whose its address is.
local function encrypted(key, address, from, to, switched_on)
  local list = telemetry(address, from + 1, to, switched_on)
  for _, it in ipairs(list) do it.eddystone_tlm.key = key end
  list[#list + 1] = { at = from, address = address, key = key }
  return list
end

test "encrypted telemetry is read, and one that changes its address meanwhile is the same" {
  sightings = together(
    encrypted("climate", KEY_ADDRESSES[1], 0, 300, -1000), encrypted("climate", KEY_ADDRESSES[2], 310, 600, 302),
    encrypted("lobby", BEACON, 3, 300, -2000), encrypted("lobby", OTHER, 313, 600, -2000)),
  alerts = { { at = 311, title = "climate has restarted", fields = { uptime_s = 9.0, before_uptime_s = 1291.0 } } },
}

test "under the name that the site has for what else its address sends" {
  regions = { "shelf=eddystone:edd1ebeac04e5defa017:0000fdd1549a" },
  sightings = together(
    encrypted("climate", BEACON, 0, 100, -1000), encrypted("climate", BEACON, 110, 200, 102),
    { { at = 0, ["until"] = 200, every = 5, eddystone = "edd1ebeac04e5defa017:0000fdd1549a", address = BEACON } }),
  alerts = { { title = "shelf (edd1…a017:0000fdd1549a) has restarted" } },
}

test "a frame that the list has not does not hide the one that it has" {
  regions = { "shelf=eddystone:edd1ebeac04e5defa017:0000fdd1549a" },
  sightings = together(telemetry(BEACON, 2, 100, -1000), telemetry(BEACON, 121, 200, 111), {
    { at = 0, ["until"] = 200, every = 5, url = "https://example.com/", address = BEACON },
    { at = 1, ["until"] = 200, every = 5, eddystone = "edd1ebeac04e5defa017:0000fdd1549a", address = BEACON },
  }),
  alerts = { { title = "shelf (edd1…a017:0000fdd1549a) has restarted" } },
}

test "a device whose key is known is the same at its next address" {
  sightings = {
    { at = 800, device = "watch", eddystone_tlm = { uptime_s = 5000, adv_count = 9000 } },
    { at = 1000, device = "watch", eddystone_tlm = { uptime_s = 50, adv_count = 90 } },
  },
  alerts = { { at = 1000, title = "watch has restarted" } },
}

test "each restart is told, under the name that the site has for it" {
  regions = { "climate=eddystone:edd1ebeac04e5defa017:0000fdd1549a" },
  sightings = together(
    telemetry(BEACON, 1, 100, -1000), telemetry(BEACON, 121, 200, 111),
    telemetry(BEACON, 221, 300, 211), { {
      at = 0, ["until"] = 300, every = 5, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = BEACON,
    } }),
  alerts = {
    { at = 121, title = "climate (edd1…a017:0000fdd1549a) has restarted" },
    { at = 221, title = "climate (edd1…a017:0000fdd1549a) has restarted" },
  },
}

test "one that was not heard for a while has not restarted" {
  sightings = together(telemetry(BEACON, 0, 100, -1000), telemetry(BEACON, 900, 1000, -1000)),
  alerts = {},
}

test "a beacon that restarts while we do" {
  sightings = together(
    telemetry(BEACON, 0, 90, -1000), telemetry(BEACON, 110, 200, 105), { { at = 95, restart = 5 } }),
  alerts = { { at = 110, title = BEACON .. " has restarted" } },
}

-- Others, heard all the while.
local function others(from, to)
  return { at = from, ["until"] = to, every = 2, address = OTHER, url = "https://example.com/" }
end

test "one that has been on for longer than before, and not for as long as has passed" {
  sightings = together(
    telemetry(BEACON, 0, 100, -20), telemetry(BEACON, 1000, 1060, 500), { others(0, 1060) }),
  alerts = {
    { at = 1000, fields = { uptime_s = 500.0, before_uptime_s = 120.0 },
      text = "At about 00:08:20 UTC. It says that it has been on for 8 min 20 s, and said 2 min 00 s before, "
        .. "15 min 00 s earlier." },
  },
}

-- Nothing is recorded in between.
local function pause(from, to) return { at = from, recording = "off" }, { at = to, recording = "on" } end

test "between two recordings one whose uptime fell has; one that lags may have met a clock of ours that was set" {
  sightings = together(
    telemetry(BEACON, 0, 100, -20), telemetry(BEACON, 1000, 1060, 500),
    telemetry(OTHER, 0, 100, -1000), telemetry(OTHER, 1001, 1060, 900), { pause(110, 990) }),
  alerts = { { at = 1001, title = OTHER .. " has restarted" } },
}

test "a clock of ours that was set forward by an hour between two recordings restarts nobody" {
  sightings = together(
    telemetry(BEACON, 0, 100, -50000), telemetry(BEACON, 3710, 3800, -46400),
    telemetry(OTHER, 1, 100, -20), telemetry(OTHER, 3711, 3800, 3580), { pause(110, 3700) }),
  alerts = {},
}

test "behind a step of our clock a restart is known again" {
  sightings = together(
    telemetry(BEACON, 0, 100, -20), telemetry(BEACON, 710, 900, 580), telemetry(BEACON, 2000, 2060, 1500),
    { others(0, 108), others(708, 2060) }),
  alerts = { { at = 2000, fields = { uptime_s = 500.0 } } },
}

-- Telemetry each quarter of a minute.
local function seldom(from, to, switched_on)
  local list = {}
  for at = from, to, 15 do
    list[#list + 1] = { at = at, address = BEACON, eddystone_tlm = { uptime_s = at - switched_on, adv_count = at } }
  end
  return list
end

test "also where hardly anybody is heard" {
  sightings = together(seldom(0, 90, -20), seldom(300, 400, 170), {
    { at = 0, ["until"] = 400, every = 40, address = OTHER, url = "https://example.com/" },
  }),
  alerts = { { at = 300, fields = { uptime_s = 130.0 } } },
}

test "a clock of ours that is set forward restarts nobody" {
  sightings = together(telemetry(BEACON, 0, 100, -20), telemetry(BEACON, 3710, 3800, 3580), {
    others(0, 108), others(3708, 3800),
  }),
  alerts = {},
}

-- A beacon that counts in other units.
local function slow(from, to)
  local list = telemetry(BEACON, from, to, 0)
  for _, it in ipairs(list) do it.eddystone_tlm.uptime_s = it.at * 0.1 end
  return list
end

test "one whose seconds are others than ours, or whose clock is poor, has not restarted" {
  sightings = together(slow(0, 100), slow(2000, 2060), { others(0, 2060) }),
  alerts = {},
}

-- A beacon whose seconds are too long, heard at some moments.
local function at_seven_tenths(first, ...)
  local list = {}
  for _, at in ipairs { ... } do
    list[#list + 1] = { at = at, address = BEACON, eddystone_tlm = { uptime_s = first + at * 0.7, adv_count = at } }
  end
  return list
end

test "one that counts seven tenths of a second has not restarted, long on or not" {
  sightings = at_seven_tenths(1000, 0, 5, 25, 45, 200),
  alerts = {},
}

test "so where it was just switched on" {
  sightings = at_seven_tenths(1, 0, 5, 105, 125, 300),
  alerts = {},
}

test "where it cannot have been switched on in so short a time that is said" {
  sightings = together(telemetry(BEACON, 0, 100, -1000), telemetry(BEACON, 110, 150, -300)),
  alerts = {
    { at = 110, title = BEACON .. " counts from less than before",
      text = "It says that it has been on for 6 min 50 s, and said 18 min 20 s before, 10 s earlier. "
        .. "It was unheard for less than it claims to be on: its counts may have been set, or two devices send "
        .. "from its address." },
  },
}

test "two devices of one address restart nobody: that is told once" {
  sightings = together(telemetry(BEACON, 0, 300, -1000), telemetry(BEACON, 55, 305, -400)),
  alerts = {
    { at = 55, title = BEACON .. " counts from less than before" },
    { at = 65, title = "Two devices send the telemetry of " .. BEACON, evidence = { 55, 60, 65 },
      text = "One says that it has been on for 7 min 45 s, the other one said 17 min 40 s at 00:01:00 UTC, and both go "
        .. "on: that counts fall is no restart." },
  },
}

test "nor where the one that has been on for less is heard first, and one of two that restarts is told" {
  sightings = together(
    telemetry(BEACON, 5, 305, -400), telemetry(BEACON, 0, 190, -100), telemetry(BEACON, 220, 300, 211)),
  alerts = {
    { at = 15, title = "Two devices send the telemetry of " .. BEACON },
    { at = 220, title = BEACON .. " has restarted" },
  },
}

-- What a beacon says at moments: uptime, count. In its own bytes, as tests do not count that far.
local function says(...)
  local list = {}
  for _, it in ipairs { ... } do
    list[#list + 1] = {
      at = it[1], address = BEACON,
      adv_data = ("0303aafe1116aafe2000" .. "0bb81500" .. "%08x%08x"):format(it[3], math.floor(it[2] * 10 + 0.5)),
    }
  end
  return list
end

test "counts that have come to their end go on from nought" {
  sightings = says(
    { 0, 429496700, 4294967200 }, { 10, 429496710, 4294967220 }, { 20, 429496720, 4294967240 },
    { 30, 0.4, 4294967260 }, { 40, 10.4, 4294967280 }, { 60, 30.4, 24 }, { 70, 40.4, 44 }),
  alerts = {},
}

test "so of one that counts thousandths; and one that falls to nought long before its end has restarted" {
  sightings = together(says(
    { 0, 429490000, 1000 }, { 10, 429491000, 1020 }, { 30, 429493000, 1060 }, { 60, 429496000, 1120 },
    { 70, 270.4, 1140 }, { 80, 1270.4, 1160 }, { 90, 5, 2 }), { others(0, 90) }),
  alerts = { { at = 90, title = BEACON .. " has restarted" } },
}

test "what two radios hear in another order is no restart" {
  sightings = says(
    { 0, 1000, 2000 }, { 10, 1010, 2020 }, { 10.2, 1009, 2018 }, { 10.4, 1010, 2020 }, { 10.6, 1009.5, 2019 },
    { 20, 1020, 2040 }),
  alerts = {},
}

test "one frame that is late by seconds, or states a wrong uptime, is no second device" {
  sightings = together(telemetry(BEACON, 0, 300, -5000), telemetry(OTHER, 0, 300, -5000), {
    { at = 100.1, address = BEACON, eddystone_tlm = { uptime_s = 5097, adv_count = 10194 } },
    { at = 100.1, address = OTHER, eddystone_tlm = { uptime_s = 10, adv_count = 10194 } },
  }),
  alerts = {
    { at = 100.1, title = BEACON .. " counts from less than before" },
    { at = 100.1, title = OTHER .. " counts from less than before" },
  },
}
