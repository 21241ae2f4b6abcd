local A = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local B = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9"
local C = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:11"

test "one falls silent while the other goes on, and comes back" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 300, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 180, severity = "warning", title = A .. " is silent",
      text = "Not heard since 00:01:00 UTC, for 2 min 00 s; others were.",
      fields = { id = A, address = "c2:35:33:30:25:50", last_observer = "test" } },
    { at = 300, severity = "info", title = A .. " is back",
      text = "It was not heard for 4 min 00 s, since 00:01:00 UTC." },
  },
}

test "nobody is missed while nobody is heard" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 900, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 900, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "who is missed may be the only beacon, where others are heard who are none" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0.6, ["until"] = 400, every = 1, manufacturer = 76, data = "1005011c3a2b4c" },
    { at = 300, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 180, severity = "warning", title = A .. " is silent",
      text = "Not heard since 00:01:00 UTC, for 2 min 00 s; others were." },
    { at = 300, severity = "info", title = A .. " is back" },
  },
}

test "what was heard once is not missed" {
  sightings = {
    { at = 0, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "only the beacon that is asked for" {
  options = { id = B, after_s = 30 },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 200, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
}

test "a pause of the recording, or of the scan, is no silence" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0.5, ["until"] = 60.5, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 900, ["until"] = 950, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 905, ["until"] = 950, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 950, scan = "off" },
    { at = 1200, scan = "on" },
    { at = 1201, ["until"] = 1400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 1300, ["until"] = 1400, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {},
}

test "a beacon with long gaps is missed later" {
  sightings = {
    { at = 0, ["until"] = 500, every = 100, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = { { at = 803, title = A .. " is silent", fields = { sightings = 6 } } },
}

test "silence goes on behind a restart, and is told once" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 100.5, restart = 5 },
    { at = 250.5, restart = 5 },
    { at = 300, ibeacon = A, address = "c2:35:33:30:25:50" },
  },
  alerts = {
    { at = 180.5, title = A .. " is silent", fields = { sightings = 61 } },
    { at = 300, title = A .. " is back" },
  },
}

test "behind a long restart it begins then" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 400, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 70, restart = 80.5 },
  },
  alerts = { { at = 271.5, title = A .. " is silent" } },
}

-- A beacon that is heard every second but for some absences, each from, to.
local function flapping(last, absences)
  local list, from = {}, 0
  for _, absence in ipairs(absences) do
    list[#list + 1] = { at = from, ["until"] = absence[1], every = 1, ibeacon = A,
      address = "c2:35:33:30:25:50" }
    from = absence[2]
  end
  list[#list + 1] = { at = from, ["until"] = last, every = 1, ibeacon = A,
    address = "c2:35:33:30:25:50" }
  list[#list + 1] = { at = 0, ["until"] = last, every = 1, ibeacon = B,
    address = "e3:60:59:21:80:65" }
  return list
end

test "one that comes and goes does not hide its absences by being often away" {
  regions = { "shelf 1=ibeacon:" .. A },
  sightings = flapping(1200, { { 60, 120 }, { 180, 290 }, { 350, 520 }, { 580, 695 }, { 755, 1035 } }),
  alerts = {
    { at = 470, title = "shelf 1 (f782…893e:1:7) is silent" },
    { at = 520, severity = "info", title = "shelf 1 (f782…893e:1:7) is back" },
    { at = 520, severity = "warning", title = "shelf 1 (f782…893e:1:7) comes and goes",
      text = "It was away 3 times, 5 min 40 s in all, since 00:01:00 UTC; the longest time was "
        .. "2 min 50 s.",
      fields = { absences = 3, away_s = 340, longest_s = 170 } },
    { at = 875, title = "shelf 1 (f782…893e:1:7) is silent" },
    { at = 1035, title = "shelf 1 (f782…893e:1:7) is back" },
    { at = 1200, title = "shelf 1 (f782…893e:1:7) comes and goes",
      fields = { absences = 5, away_s = 735, longest_s = 280 } },
  },
}

test "of one that is away all day three absences an hour are told, and its end" {
  sightings = flapping(8100, {
    { 100, 300 }, { 400, 600 }, { 700, 900 }, { 1000, 1200 }, { 1300, 1500 }, { 1600, 8001 },
  }),
  alerts = {
    { at = 220, title = A .. " is silent" }, { at = 300 }, { at = 520, title = A .. " is silent" },
    { at = 600 }, { at = 820, title = A .. " is silent" }, { at = 900, title = A .. " is back" },
    { at = 900, title = A .. " comes and goes" },
    { at = 3820, title = A .. " is silent" }, { at = 8001, title = A .. " is back" },
    { at = 8001, title = A .. " comes and goes", fields = { absences = 6 } },
  },
}

-- Heard by chance, one sighting of so many: the same each time.
local function chance(last, one_of)
  local list, number = {}, 12345
  for at = 0, last do
    number = (number * 1103515245 + 12345) % 2147483648
    if number // 65536 % one_of == 0 then
      list[#list + 1] = { at = at, ibeacon = A, address = "c2:35:33:30:25:50", rssi = -96 }
    end
  end
  list[#list + 1] = { at = 0, ["until"] = last, every = 1, ibeacon = B,
    address = "e3:60:59:21:80:65" }
  return list
end

test "gaps that chance makes are neither silences nor absences" {
  sightings = chance(6000, 20),
  alerts = {},
}

test "absences of before a restart count behind it" {
  sightings = {
    { at = 320.5, restart = 0.1 },
    table.unpack(flapping(600, { { 60, 120 }, { 180, 290 }, { 350, 420 } })),
  },
  alerts = {
    { at = 420, title = A .. " comes and goes", fields = { absences = 3, away_s = 240 } },
  },
}

test "behind a pause of the scan only what was listened to is told" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 61, scan = "off" },
    { at = 1200, scan = "on" },
    { at = 1201, ["until"] = 1500, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {
    { at = 1320, title = A .. " is silent", fields = { listened_s = 120 },
      text = "Last heard at 00:01:00 UTC; only since 00:20:00 UTC has the radio heard others without a break, "
        .. "for 2 min 00 s, and not this one." },
  },
}

-- A tag walks from receiver a to receiver b, and is switched off there; both go on hearing others.
local function walk(options, alerts)
  return {
    options = options,
    sightings = {
      { at = 0, ["until"] = 100, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
      { at = 90, ["until"] = 400, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
      { at = 0, ["until"] = 700, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
      { at = 0, ["until"] = 700, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
      { at = 650, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
    },
    alerts = alerts,
  }
end

test "each receiver tells of its own silence" (walk(nil, {
  { at = 220, title = A .. " is silent", observer = "a",
    text = "Not heard at a since 00:01:40 UTC, for 2 min 00 s; others were." },
  { at = 520, title = A .. " is silent", observer = "b",
    text = "Not heard at b since 00:06:40 UTC, for 2 min 00 s; others were." },
  { at = 650, title = A .. " is back", observer = "a",
    text = "It was not heard at a for 9 min 10 s, since 00:01:40 UTC." },
}))

test "of several receivers it is told whose radio paused, and where a beacon comes and goes" {
  sightings = {
    { at = 0, ["until"] = 900, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 60, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 100, ["until"] = 160, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 200, ["until"] = 260, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 300, ["until"] = 360, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 0, ["until"] = 360, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
    { at = 600, ["until"] = 800, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = {
    { at = 300, title = A .. " comes and goes", observer = "b",
      text = "It was away 3 times at b, 2 min 00 s in all, since 00:01:00 UTC; the longest time was 40 s." },
    { at = 720, title = A .. " is silent", observer = "b",
      text = "Last heard at b at 00:06:00 UTC; only since 00:10:00 UTC has the radio heard others without a break, "
        .. "for 2 min 00 s, and not this one." },
  },
}

test "with nowhere only what no receiver hears any more is told, by the one that heard it last" (walk(
  { nowhere = true }, {
    { at = 520, title = A .. " is silent", observer = "b",
      text = "Heard by no receiver since 00:06:40 UTC, for 2 min 00 s, and last by b; b has gone on hearing "
        .. "others. In its last two minutes b heard it at up to -60 dBm.",
      fields = { id = A, last_observer = "b", witness = "b" } },
    { at = 650, severity = "info", title = A .. " is back",
      text = "It was not heard for 4 min 10 s, since 00:06:40 UTC." },
  }))

test "with nowhere a receiver whose recording ends says nothing, and neither does who lost it before" {
  options = { nowhere = true },
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
    { at = 90, ["until"] = 400, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 401, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = {},
}

test "with nowhere a receiver far away, which hears it seldom, does not miss it where the near one ends" {
  options = { nowhere = true },
  sightings = {
    { at = 0, ["until"] = 1000, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "near" },
    { at = 0, ["until"] = 2400, every = 150, ibeacon = A, address = "c2:35:33:30:25:50", observer = "far" },
    { at = 0, ["until"] = 2500, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "far" },
  },
  alerts = {},
}

test "with nowhere it is about the one that heard it last, whoever is the witness, and says how strongly" {
  options = { nowhere = true },
  regions = { "shelf 1=ibeacon:" .. A },
  sightings = {
    { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "dock", rssi = -80 },
    { at = 290, ["until"] = 310, every = 10, ibeacon = A, address = "c2:35:33:30:25:50", observer = "gate",
      rssi = -67 },
    { at = 315, ibeacon = A, address = "c2:35:33:30:25:50", observer = "north", rssi = -96 },
    -- Longer ago it was nearer.
    { at = 150, ibeacon = A, address = "c2:35:33:30:25:50", observer = "north", rssi = -50 },
    { at = 0, ["until"] = 600, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "dock" },
    { at = 0, ["until"] = 600, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "gate" },
    { at = 0, ["until"] = 600, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "north" },
  },
  alerts = {
    { at = 435, title = "shelf 1 (f782…893e:1:7) is silent", observer = "north",
      text = "Heard by no receiver since 00:05:15 UTC, for 2 min 00 s, and last by north; dock, which heard it "
        .. "until 00:05:00 UTC, has gone on hearing others. In its last two minutes gate heard it at up to -67 dBm, "
        .. "dock at -80, north at -96.",
      fields = { id = A, last_observer = "north", witness = "dock" } },
  },
}

-- Begins a scan that tells of who is there once in so many seconds.
local function filtered(observer, from)
  return { at = from or 0, scan = "on", filters_duplicates = true, observer = observer }
end

local FILTERS = " filters duplicates: nobody is told to be silent there, as who is there is seldom heard"
local FILTERS_NOWHERE = " filters duplicates: who is heard by nobody else is not told to be silent"
local UNJUDGED = " filters duplicates: whether 1 beacon fell silent that it heard last is not judged: "

test "who is seldom heard by a receiver that filters duplicates is not silent, nor does he come and go" {
  sightings = {
    filtered(),
    { at = 0, ["until"] = 600, every = 60, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 600, ["until"] = 3000, every = 310, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 4000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {},
  print = { "test" .. FILTERS, "test" .. UNJUDGED .. A },
}

test "behind the filter silence counts again, from where it ended" {
  sightings = {
    filtered(),
    { at = 0, ["until"] = 600, every = 60, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 2000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 1000, scan = "on" },
  },
  alerts = { { at = 1120, title = A .. " is silent" } },
}

test "a restart knows of the filter, and so does the next recording" {
  sightings = {
    filtered(),
    { at = 0, ["until"] = 600, every = 60, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0, ["until"] = 4000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 610, restart = 5 },
    { at = 2000, recording = "off" },
    { at = 2010, recording = "on" },
  },
  alerts = {},
  print = { "test" .. FILTERS, "test" .. FILTERS, "test" .. UNJUDGED .. A },
}

test "with nowhere who is carried to a receiver that filters is not missed while it lets him pass" {
  options = { nowhere = true },
  sightings = {
    filtered("b"),
    { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
    { at = 310, ["until"] = 1000, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    -- Died between both.
    { at = 0, ["until"] = 300, every = 1, ibeacon = C, address = "d0:35:33:33:44:03", observer = "a" },
    { at = 0, ["until"] = 300, every = 60, ibeacon = C, address = "d0:35:33:33:44:03", observer = "b" },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 1000, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = { { title = C .. " is silent", observer = "a" } },
  print = { "b" .. FILTERS_NOWHERE },
}

test "with nowhere a receiver that filters, and heard it last, hides nobody for longer than three of its passes" {
  options = { nowhere = true },
  sightings = {
    filtered("b"),
    { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
    { at = 10, ["until"] = 310, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b", rssi = -90 },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 1000, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = {
    { at = 490, title = A .. " is silent", observer = "b",
      text = "Heard by no receiver since 00:05:10 UTC, for 3 min 00 s, and last by b; a, which heard it until "
        .. "00:05:00 UTC, has gone on hearing others. b filters duplicates, and usually tells of who is there every "
        .. "1 min 00 s. In its last two minutes a heard it at up to -60 dBm, b at -90.",
      fields = { id = A, last_observer = "b", witness = "a", listened_s = 190 } },
  },
}

test "with nowhere who is taken while the scan of his receiver is off, and one that filters hears him, is missed" {
  options = { nowhere = true },
  sightings = {
    filtered("b"),
    { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a", rssi = -67 },
    { at = 301, scan = "off", observer = "a" },
    { at = 900, scan = "on", observer = "a" },
    { at = 0, ["until"] = 480, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b", rssi = -95 },
    { at = 0, ["until"] = 300, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 901, ["until"] = 1200, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 1200, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = {
    { at = 1020, title = A .. " is silent", observer = "b",
      text = "Heard by no receiver since 00:08:00 UTC, for 9 min 00 s, and last by b; a, which heard it until "
        .. "00:05:00 UTC at up to -67 dBm, has heard others without a break only since 00:15:00 UTC, for 2 min 00 s, "
        .. "and not this one. b filters duplicates, and usually tells of who is there "
        .. "every 1 min 00 s. In its last two minutes b heard it at up to -95 dBm." },
  },
}

test "with nowhere a restart knows how often a filter lets a beacon pass" {
  options = { nowhere = true },
  sightings = {
    filtered("b"),
    { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
    { at = 10, ["until"] = 310, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 1000, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
    { at = 400.5, restart = 5 },
  },
  alerts = {
    { at = 490.5, title = A .. " is silent", observer = "b", fields = { last_observer = "b", witness = "a" } },
  },
}

test "with nowhere a filter that lets everybody pass whenever the scan is begun anew hides nobody for longer, either" {
  options = { nowhere = true },
  sightings = (function()
    local list = {
      { at = 0, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a" },
      { at = 1, ["until"] = 310, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
      { at = 0, ["until"] = 1000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
      { at = 2, ["until"] = 1000, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
    }
    for at = 0, 960, 60 do
      list[#list + 1] = filtered("b", at)
      list[#list + 1] = { at = at + 58, scan = "off", observer = "b" }
    end
    return list
  end)(),
  -- Heard by both at the end, and not for three minutes by b, which heard it last.
  alerts = { { at = 481, title = A .. " is silent", observer = "b" } },
}

test "with nowhere one that hears a beacon badly misses it, too, where one that filters heard it last" {
  options = { nowhere = true },
  sightings = {
    filtered("b"),
    { at = 0, ["until"] = 1800, every = 150, ibeacon = A, address = "c2:35:33:30:25:50", observer = "a", rssi = -95 },
    { at = 55, ["until"] = 1940, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    { at = 0, ["until"] = 3000, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 3000, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
  },
  alerts = { { title = A .. " is silent", observer = "b", fields = { witness = "a", sightings = 13 } } },
}

test "with nowhere who is heard by one alone that filters is not missed, nor where its filter lets nobody pass twice" {
  options = { nowhere = true },
  sightings = {
    filtered("b"), filtered("once"),
    { at = 0, ["until"] = 600, every = 60, ibeacon = A, address = "c2:35:33:30:25:50", observer = "b" },
    -- Carried from one to the other, who is never told of again.
    { at = 0, ["until"] = 300, every = 1, ibeacon = C, address = "d0:35:33:33:44:03", observer = "a" },
    { at = 310, ibeacon = C, address = "d0:35:33:33:44:03", observer = "once" },
    { at = 0, ["until"] = 1500, every = 1, ibeacon = B, address = "e3:60:59:21:80:65", observer = "a" },
    { at = 0, ["until"] = 1500, every = 60, ibeacon = B, address = "e3:60:59:21:80:65", observer = "b" },
    { at = 0, ibeacon = B, address = "e3:60:59:21:80:65", observer = "once" },
  },
  alerts = {},
  print = { "b" .. FILTERS_NOWHERE, "once" .. FILTERS_NOWHERE, "b" .. UNJUDGED .. A, "once" .. UNJUDGED .. C },
}

test "an id that nobody has is said" {
  options = { id = "F7826DA6" },
  sightings = {
    { at = 0, ["until"] = 10, every = 1, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
  },
  alerts = {},
  print = { "nothing was judged: no beacon was heard whose id begins with 'F7826DA6'" },
}

local PARTLY = "test listens a part of the time, and misses who is there: silences are told late there, or not at all"

-- The app goes to the background: of who sends every second few are heard, and nobody comes or goes.
local function background(until_A, alerts)
  return {
    sightings = {
      { at = 0, scan = "on" },
      { at = 0.5, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
      { at = 0.5, ["until"] = 300, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
      { at = 300, scan = "on", radio_share = 0.1 },
      { at = 305, ["until"] = until_A, every = 70, ibeacon = A, address = "c2:35:33:30:25:50" },
      { at = 310, ["until"] = until_A, every = 70, ibeacon = A, address = "c2:35:33:30:25:50" },
      { at = 345, ["until"] = until_A, every = 70, ibeacon = A, address = "c2:35:33:30:25:50" },
      { at = 302, ["until"] = 3000, every = 5, ibeacon = B, address = "e3:60:59:21:80:65" },
    },
    alerts = alerts,
    print = { PARTLY },
  }
end

test "a radio that listens a tenth of the time makes nobody come and go" (background(3000, {}))

test "nor is anybody silent before it is known how often it is heard then" (background(346, {
  -- Ten times as long as usual.
  { at = 1545, title = A .. " is silent" },
}))

test "who falls silent then is told when that is no chance" (background(1500, {
  { at = 1620, title = A .. " is silent" },
}))

test "who is not heard any more since the radio listens a tenth of the time may not be heard by chance" {
  sightings = {
    { at = 0, scan = "on" },
    { at = 0.5, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0.5, ["until"] = 300, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 300, scan = "on", radio_share = 0.1 },
    { at = 302, ["until"] = 1800, every = 5, ibeacon = B, address = "e3:60:59:21:80:65" },
  },
  alerts = {
    { at = 1500, title = A .. " is silent", fields = { listened_s = 120.0 },
      text = "Last heard at 00:04:59 UTC; only since 00:05:00 UTC has the radio heard others without a break, for "
        .. "20 min 00 s, and not this one. test listens 10 % of the time." },
  },
  print = { PARTLY },
}

-- A restart knows of no scan until one begins: what is usual stays so until then.
do
  local sightings = {
    { at = 0, scan = "on" },
    { at = 0.5, ["until"] = 300, every = 1, ibeacon = A, address = "c2:35:33:30:25:50" },
    { at = 0.5, ["until"] = 300, every = 1, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 300, scan = "on", radio_share = 0.1 },
    { at = 302, ["until"] = 6000, every = 5, ibeacon = B, address = "e3:60:59:21:80:65" },
    { at = 2860, restart = 2 },
  }
  for time = 310, 6000, 400 do
    for _, later in ipairs { 0, 40, 60, 130, 135, 205 } do
      sightings[#sightings + 1] = { at = time + later, ibeacon = A, address = "c2:35:33:30:25:50" }
    end
  end
  test "what is usual with a radio that listens a tenth of the time is so behind a restart" {
    sightings = sightings, alerts = {},
  }
end
