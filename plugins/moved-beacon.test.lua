local A, A_ADDRESS = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7", "c2:35:33:30:25:50"

-- A beacon that is heard once a second, its signal spread as signals are: each span is from, to, dBm.
local SPREAD = { 0, -4, 3, 1, -2, 5, -7, 2, -1, 4, -3 }
local function heard(spans, address, more)
  local list = {}
  for _, span in ipairs(spans) do
    for at = span[1], span[2] do
      local it = {
        at = at, ibeacon = A, address = address or A_ADDRESS,
        rssi = span[3] + SPREAD[at % #SPREAD + 1],
      }
      for key, value in pairs(more or {}) do it[key] = value end
      it.measured_power = span[4]
      list[#list + 1] = it
    end
  end
  return list
end

test "a signal that changes for good" {
  sightings = heard { { 0, 900, -65 }, { 901, 1800, -85 } },
  alerts = {
    { severity = "warning", title = A .. " is heard at -85 dBm, before at -65 dBm",
      fields = { rssi = -85, before_rssi = -65 } },
  },
}

test "and back: both are told" {
  sightings = heard { { 0, 600, -65 }, { 601, 1200, -85 }, { 1201, 1800, -66 } },
  alerts = {
    { fields = { rssi = -85 },
      text = "Since 00:10:09 UTC, for 4 min 53 s: it, or the receiver, was moved or turned, or something stands before "
        .. "it." },
    { fields = { before_rssi = -85 },
      text = "Since 00:19:57 UTC, for 4 min 53 s: it, or the receiver, was moved or turned, or what stood before it is "
        .. "gone." },
  },
}

test "somebody stops before it for a few minutes, and single signals are off by far" {
  sightings = heard {
    { 0, 600, -65 }, { 601, 800, -80 }, { 801, 1000, -65 }, { 1001, 1003, -30 }, { 1004, 1500, -65 },
  },
  alerts = {},
}

test "a small change is none, and one of 6 dB where that counts" {
  sightings = heard { { 0, 600, -65 }, { 601, 1200, -71 } },
  alerts = {},
}

test "what counts can be set" {
  options = { db = 5, lasting_s = 120 },
  sightings = heard { { 0, 600, -65 }, { 601, 1200, -72 } },
  alerts = { { fields = { rssi = -72, before_rssi = -65 } } },
}

test "to whoever walks about nothing is usual" {
  sightings = heard {
    { 0, 60, -95 }, { 61, 120, -80 }, { 121, 180, -60 }, { 181, 240, -75 }, { 241, 300, -90 },
    { 301, 360, -60 }, { 361, 420, -85 }, { 421, 480, -70 }, { 481, 540, -95 }, { 541, 600, -62 },
    { 601, 660, -80 }, { 661, 720, -64 }, { 721, 780, -92 },
  },
  alerts = {},
}

test "a pause of the radio is no time in which it lasted" {
  sightings = heard { { 0, 600, -65 }, { 601, 660, -85 }, { 1500, 1560, -85 }, { 1561, 2000, -65 } },
  alerts = {},
}

test "one that was moved in a pause" {
  sightings = heard { { 0, 600, -65 }, { 1500, 2000, -85 } },
  alerts = { { fields = { rssi = -85, since = "2026-01-01T00:25:00.000000000Z" } } },
}

test "a copy elsewhere is another beacon" {
  sightings = {
    { at = 0, ["until"] = 1500, every = 1, ibeacon = A, address = A_ADDRESS, rssi = -65 },
    { at = 700, ["until"] = 1500, every = 0.1, ibeacon = A, address = "e3:60:59:21:80:65", rssi = -90 },
  },
  alerts = {},
}

test "what was usual before a restart is behind it" {
  regions = { "shelf=ibeacon:" .. A },
  sightings = {
    { at = 595.5, restart = 2 },
    table.unpack(heard { { 0, 590, -65 }, { 600, 1000, -85 } }),
  },
  alerts = { { title = "shelf (f782…893e:1:7) is heard at -85 dBm, before at -65 dBm" } },
}

local UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
local B, C, D = { ibeacon = UUID .. ":1:9" }, { ibeacon = UUID .. ":1:11" }, { ibeacon = UUID .. ":1:13" }
local function together(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

local WEAKER, SAME = { { 0, 600, -65 }, { 601, 1200, -85 } }, { { 0, 1200, -65 } }

test "all change together: the receiver was moved, and that is told once" {
  sightings = together(
    heard(WEAKER), heard({ { 0, 605, -75 }, { 606, 1200, -60 } }, "c2:35:33:30:25:51", B),
    heard(WEAKER, "c2:35:33:30:25:52", C), heard(SAME, "c2:35:33:30:25:53", D)),
  alerts = {
    { severity = "warning", title = "3 of 4 beacons are heard otherwise by test", fields = { changed = 3, heard = 4 },
      text = "Since about 00:10:09 UTC: the receiver was moved or turned, its antenna is another one, or something "
        .. "stands before it or no longer. Or all of these were moved: " .. C.ibeacon .. " -85 dBm, before -65 dBm; "
        .. A .. " -85 dBm, before -65 dBm; " .. B.ibeacon .. " -60 dBm, before -75 dBm." },
  },
}

test "one of several changes: the receiver stayed; so do two identities of one device" {
  sightings = together(
    heard(WEAKER), heard(WEAKER, A_ADDRESS, B), heard(SAME, "c2:35:33:30:25:52", C),
    heard(SAME, "c2:35:33:30:25:53", D)),
  alerts = {
    { title = A .. " is heard at -85 dBm, before at -65 dBm",
      text = "Since 00:10:09 UTC, for 4 min 53 s: it was moved or turned, or something stands before it." },
    { title = B.ibeacon .. " is heard at -85 dBm, before at -65 dBm" },
  },
}

test "the power that it states explains it, or a part of it" {
  sightings = together(
    heard { { 0, 600, -65, -59 }, { 601, 1200, -85, -77 } },
    heard({ { 0, 600, -55, -59 }, { 601, 1200, -85, -65 } }, "c2:35:33:30:25:51", B),
    heard(SAME, "c2:35:33:30:25:52", C)),
  alerts = {
    { severity = "notice", title = A .. " is heard at -85 dBm, before at -65 dBm",
      text = "Since 00:10:09 UTC, for 4 min 53 s: it states -77 dBm, before -59 dBm: its power was set otherwise." },
    { severity = "warning",
      text = "Since 00:10:09 UTC, for 4 min 53 s: it was moved or turned, or something stands before it; it states "
        .. "-65 dBm, before -59 dBm, which explains a part of that at most." },
  },
}

test "a battery that fell may be why" {
  sightings = together(heard(WEAKER), heard(SAME, "c2:35:33:30:25:52", C), {
    { at = 0, ["until"] = 600, every = 10, address = A_ADDRESS, eddystone_tlm = { battery_mv = 2900 } },
    { at = 610, ["until"] = 1200, every = 10, address = A_ADDRESS, eddystone_tlm = { battery_mv = 2450 } },
  }),
  alerts = {
    { severity = "notice", fields = { battery_mv = 2450 },
      text = "Since 00:10:09 UTC, for 4 min 53 s: its battery is at 2450 mV, before at 2900 mV, which may be why; if "
        .. "not, it was moved or turned, or something stands before it." },
  },
}

test "so where its telemetry is encrypted" {
  sightings = together(heard(WEAKER), {
    { at = 0, key = "shelf", address = A_ADDRESS },
    { at = 1, ["until"] = 600, every = 10, address = A_ADDRESS, eddystone_tlm = { battery_mv = 2900, key = "shelf" } },
    { at = 611, ["until"] = 1000, every = 10, address = A_ADDRESS,
      eddystone_tlm = { battery_mv = 2450, key = "shelf" } },
  }),
  alerts = { { severity = "notice", fields = { battery_mv = 2450 } } },
}

test "one that changes two minutes after the others is told for itself, and since when" {
  sightings = together(
    heard(WEAKER), heard(WEAKER, "c2:35:33:30:25:51", B),
    heard({ { 0, 720, -50 }, { 721, 1400, -90 } }, "c2:35:33:30:25:52", C)),
  alerts = {
    { title = "2 of 3 beacons are heard otherwise by test" },
    { title = C.ibeacon .. " is heard at -90 dBm, before at -50 dBm",
      fields = { since = "2026-01-01T00:11:54.000000000Z" } },
  },
}

test "of those that change together it is said since when, where that is not about the same" {
  sightings = together(
    heard(WEAKER), heard(WEAKER, "c2:35:33:30:25:51", B),
    heard({ { 0, 630, -65 }, { 631, 1200, -85 } }, "c2:35:33:30:25:52", C)),
  alerts = {
    { title = "3 of 3 beacons are heard otherwise by test",
      text = "Since about 00:10:09 UTC: the receiver was moved or turned, its antenna is another one, or something "
        .. "stands before it or no longer. Or all of these were moved: " .. C.ibeacon .. " -85 dBm since 00:10:30 UTC, "
        .. "before -65 dBm; " .. A .. " -85 dBm, before -65 dBm; " .. B.ibeacon .. " -85 dBm, before -65 dBm." },
  },
}

-- Heard each half of a minute, from a moment on.
local function seldom(from, changes, to, id, address)
  return {
    { at = from, ["until"] = changes, every = 30, ibeacon = id, address = address, rssi = -65 },
    { at = from + math.ceil((changes - from) / 30) * 30, ["until"] = to, every = 30, ibeacon = id, address = address,
      rssi = -85 },
  }
end

test "beacons that are seldom heard change together within the time that their signals are gathered for" {
  sightings = together(
    seldom(1, 1500, 3000, A, A_ADDRESS), seldom(62, 1500, 3000, B.ibeacon, "c2:35:33:30:25:51"),
    seldom(123, 1500, 3000, C.ibeacon, "c2:35:33:30:25:52")),
  alerts = { { title = "3 of 3 beacons are heard otherwise by test" } },
}
