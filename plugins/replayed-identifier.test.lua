-- What the beacon itself sends for two hours: another identifier every 1024 s.
local function beacon(...)
  local sightings = { { at = 0, ["until"] = 7200, every = 10, key = "gate", address = "c2:00:00:00:00:01" } }
  for _, sighting in ipairs { ... } do sightings[#sightings + 1] = sighting end
  return sightings
end

test "a beacon whose clock runs is nothing odd, at one receiver or several" {
  sightings = beacon(
    { at = 5, ["until"] = 7200, every = 10, key = "gate", observer = "yard", address = "c2:00:00:00:00:01" },
    { at = 3, ["until"] = 7200, every = 900, key = "cart", address = "c2:00:00:00:00:02" }),
  alerts = {},
}

test "an identifier that comes back is told once" {
  sightings = beacon {
    at = 5001, ["until"] = 5500, every = 10, key = "gate", clock_s = 1048600, clock_stands = true,
    address = "c6:00:00:00:00:09",
  },
  alerts = {
    { at = 5001, severity = "warning", title = "gate: an identifier is behind the others", evidence = { 5000, 5001 },
      fields = { key = "gate", lasts_s = 1024, address = "c6:00:00:00:00:09", ahead_s = -4097 } },
  },
}

test "one that was never heard here, and a beacon that is not heard again" {
  sightings = {
    { at = 0, ["until"] = 600, every = 10, key = "gate", address = "c2:00:00:00:00:01" },
    { at = 700, ["until"] = 900, every = 10, key = "gate", clock_s = 500000, address = "c2:00:00:00:00:01" },
  },
  alerts = { { at = 700, title = "gate: an identifier is behind the others", evidence = { 600, 700 } } },
}

test "one from the future is the odd one, not the beacon" {
  sightings = beacon {
    at = 3001, ["until"] = 3300, every = 10, key = "gate", clock_s = 1148576, clock_stands = true,
    address = "c6:00:00:00:00:09",
  },
  alerts = {
    { at = 3010, title = "gate: an identifier is ahead of the others",
      fields = { address = "c6:00:00:00:00:09" }, evidence = { 3001, 3010 } },
  },
}

test "one that is sent for longer than it lasts, where nothing else is heard" {
  sightings = {
    { at = 0, ["until"] = 3000, every = 10, key = "gate", clock_stands = true, address = "c6:00:00:00:00:09" },
  },
  alerts = {
    { at = 2070, title = "gate: an identifier is sent for longer than it lasts", evidence = { 0, 2070 },
      fields = { sent_for_s = 2070, lasts_s = 1024 } },
  },
}

test "also where it is heard seldom" {
  sightings = {
    { at = 0, ["until"] = 9000, every = 2500, key = "gate", clock_stands = true, address = "c6:00:00:00:00:09" },
  },
  alerts = { { at = 5000, title = "gate: an identifier is sent for longer than it lasts" } },
}

test "what another receiver hears at the time is compared" {
  sightings = beacon {
    at = 5001, ["until"] = 5500, every = 10, key = "gate", clock_s = 1048600, observer = "yard",
    address = "c6:00:00:00:00:09",
  },
  alerts = {
    { at = 5001, title = "gate: an identifier is behind the others", fields = { address = "c6:00:00:00:00:09" } },
  },
}

test "receivers whose clocks may differ by as much prove nothing" {
  options = { clocks_within_s = 5400 },
  sightings = beacon {
    at = 5001, ["until"] = 5500, every = 10, key = "gate", clock_s = 1048600, observer = "yard",
    address = "c6:00:00:00:00:09",
  },
  alerts = {},
}

test "a receiver that hears the beacon again after hours is nothing odd" {
  sightings = {
    { at = 0, ["until"] = 600, every = 10, key = "gate", address = "c2:00:00:00:00:01" },
    { at = 90000, ["until"] = 90600, every = 10, key = "gate", address = "c2:00:00:00:00:01" },
  },
  alerts = {},
}

-- Each recorded an hour and more before the one before it.
local function recordings(count)
  local sent, alerts = {}, {}
  for i = 1, count do
    local from = ("c6:00:00:00:01:%02x"):format(i)
    sent[i] = { at = 4000 + 30 * i, ["until"] = 4010 + 30 * i, every = 10, key = "gate", clock_s = 1048600 - 4096 * i,
      address = from }
    alerts[i] = { at = 4000 + 30 * i, title = "gate: an identifier is behind the others", fields = { address = from } }
  end
  return sent, alerts
end

local many, told = recordings(24)
local future = "c6:00:00:00:00:09"
many[#many + 1] = {
  at = 5001, ["until"] = 5050, every = 10, key = "gate", clock_s = 1148576, clock_stands = true, address = future,
}
told[#told + 1] = { at = 5010, title = "gate: an identifier is ahead of the others", fields = { address = future } }

test "the beacon's own clock is known behind more recordings than are kept: who is ahead of it is the odd one" {
  sightings = beacon(table.unpack(many)),
  alerts = told,
}
