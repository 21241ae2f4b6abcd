-- A beacon's signal has changed for good: it was moved, turned, or something stands before it, or no longer.
--
-- For a radio that stays where it is, and beacons that do: to whoever walks about all signals change.
-- Tags that are carried are told, too, once they have come to rest.
--
-- Single signals say little: they spread by 10 dB and more from one to the next. So the middle ones of
-- some twenty seconds each are compared, and a change counts when it has lasted: people who pass or stop
-- before a beacon go on again. A signal that does not hold still, before or afterwards, is not judged. A
-- pause of the radio is no time in which anything lasted.
--
-- A copy elsewhere is another beacon, where it has an address of its own; addresses that devices change
-- by themselves are taken as one. A restart with --state goes on with what was usual.

plugin { version = "1.0", about = "A beacon whose signal has changed lastingly (fixed receivers)" }

local recent = require "beacontrace.recent"
local stats = require "beacontrace.stats"
local words = require "beacontrace.words"

local least = option "db" { default = 10, min = 3, max = 60, help = "a change that counts, in dB" }
local lasting = option "lasting_s" { default = 300, min = 30, help = "so long, in seconds" }

-- A level is the middle of so many signals, in so many seconds, at least; so many levels are looked at.
local SIGNALS, SECONDS, LEVELS = 5, lasting / 15, 15
-- Addresses that a device keeps.
local STAYS = { public = true, random_static = true, public_identity = true, random_identity = true }
-- By observer, id and address: what is usual, what differs from it, and the signals of the level that
-- is being heard.
local beacons = recent.map("beacons")

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, beacon in beacons:each() do beacon.last, beacon.first, beacon.begins = nil, nil, nil end
end)

-- Levels are kept with the seconds that each was heard for: pauses do not count.
local function add(list, level, seconds)
  list[#list + 1] = { level = level, seconds = seconds }
  if #list > LEVELS then table.remove(list, 1) end
end

-- The middle of levels that have held still for long enough; nil of others.
local function steady(list)
  local levels, seconds = {}, 0
  for number, entry in ipairs(list) do
    levels[number], seconds = entry.level, seconds + entry.seconds
  end
  if #levels < SIGNALS or seconds < lasting * 0.9 then return nil end
  if stats.quantile(levels, 0.9) - stats.quantile(levels, 0.1) >= least then return nil end
  return stats.median(levels)
end

-- What can have made it weaker, or stronger.
local function reasons(change)
  if change < 0 then return "it was moved or turned, or something stands before it" end
  return "it was moved or turned, or what stood before it is gone"
end

local function tell(beacon, level, s)
  local before, since = beacon.usual, beacon.since
  local evidence = { s }
  if beacon.first then table.insert(evidence, 1, beacon.first) end
  if beacon.last then table.insert(evidence, 1, beacon.last) end
  alert {
    severity = "warning",
    title = ("%s is heard at %.0f dBm, before at %.0f dBm"):format(name_of(s), level, before),
    text = ("Since %s, for %s: %s."):format(
      words.clock(since, s.time), words.duration(s.time - since), reasons(level - before)),
    evidence = evidence,
    fields = { rssi = level, before_rssi = before, since = utc(since) },
  }
end

-- A level has been heard, from `begun` on.
local function judge(beacon, level, begun, first, s)
  if not beacon.usual then
    add(beacon.levels, level, s.time - begun)
    beacon.usual = steady(beacon.levels)
    if beacon.usual then beacon.levels = {} end
    return
  end
  local change = level - beacon.usual
  -- As usual; or on the other side of it than before.
  if math.abs(change) < least or (beacon.since and change * beacon.change < 0) then
    beacon.levels, beacon.since, beacon.first = {}, nil, nil
  end
  if math.abs(change) < least then
    beacon.last = { capture = s.capture, frame = s.frame }
    return
  end
  if not beacon.since then beacon.since, beacon.change, beacon.first = begun, change, first end
  add(beacon.levels, level, s.time - begun)
  local now = steady(beacon.levels)
  if not now then return end
  tell(beacon, now, s)
  beacon.usual, beacon.levels, beacon.since, beacon.first = now, {}, nil, nil
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local rssi, time = s.rssi, s.time
  if not rssi or not time then return end
  local key = s.observer .. "\n" .. s.id .. "\n" .. (STAYS[s.address_type] and s.address or "")
  local beacon = beacons:get(key) or beacons:set(key, { levels = {}, signals = {} })
  local signals = beacon.signals
  -- A pause: what was heard before it belongs to another level.
  if #signals > 0 and (time < beacon.latest or time - beacon.latest > lasting / 2) then signals = {} end
  if #signals == 0 then
    beacon.signals = signals
    beacon.begun, beacon.begins = time, { capture = s.capture, frame = s.frame }
  end
  signals[#signals + 1], beacon.latest = rssi, time
  if #signals < SIGNALS or time - beacon.begun < SECONDS then return end
  judge(beacon, stats.median(signals), beacon.begun, beacon.begins, s)
  beacon.signals = {}
end)
