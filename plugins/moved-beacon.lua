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
-- What explains a change is said, as a notice: a beacon that states another power since (measured power, or that
-- of Eddystone), a battery that fell (telemetry of its address, encrypted too where its key is given). Where two thirds
-- and more of the beacons that a receiver hears changed together, it is likelier that the receiver was moved: that is
-- told once. Together is within some forty seconds, and of beacons that are seldom heard within the time that their
-- signals are gathered for: no change is known more exactly. One that changes a minute later is told for itself. Of a
-- single one that a receiver hears nobody knows which of the two was.
--
-- A copy elsewhere is another beacon, where it has an address of its own; addresses that devices change
-- by themselves are taken as one. A restart with --state goes on with what was usual.

plugin { version = "1.2", about = "A beacon whose signal has changed lastingly (fixed receivers)" }

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
-- By address: what its telemetry said last of its battery, mV. So much less may make a signal weaker; so little does.
local batteries = recent.map("batteries")
local FALL, LOW = 100, 2400
-- By observer: since when most of its beacons are heard otherwise, as was told, and how long the levels were that this
-- is known from.
state.save("receivers")
state.receivers = state.receivers or {}
local receivers = state.receivers

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, beacon in beacons:each() do
    beacon.last, beacon.first, beacon.begins, beacon.name = nil, nil, nil, nil
  end
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

-- By how much the power that it states has changed since its signal was usual.
local function power_change(beacon)
  return beacon.power and beacon.usual_power and beacon.power - beacon.usual_power or 0
end

local function is_of_power(beacon, change) return math.abs(change - power_change(beacon)) < least end

-- What can have made it weaker, or stronger; and whether that is its own doing.
local function reasons(beacon, change, is_only)
  local moved = (is_only and "it, or the receiver, was moved or turned, or " or "it was moved or turned, or ")
    .. (change < 0 and "something stands before it" or "what stood before it is gone")
  if power_change(beacon) ~= 0 then
    local states = ("it states %d dBm, before %d dBm"):format(beacon.power, beacon.usual_power)
    if is_of_power(beacon, change) then return states .. ": its power was set otherwise", true end
    moved = ("%s; %s, which explains a part of that at most"):format(moved, states)
  end
  local now, before = batteries:get(beacon.address), beacon.usual_mv
  if change < 0 and now and (now < LOW or before and before - now >= FALL) then
    return ("its battery is at %d mV%s, which may be why; if not, %s"):format(
      now, before and before > now and (", before at %d mV"):format(before) or "", moved), true
  end
  return moved, false
end

-- How long the levels are that it is known from when this one changed, seconds.
local function length(beacon) return beacon.levels[1] and beacon.levels[1].seconds or 0 end

-- Whether two changes, known from such levels, can have been one.
local function is_together(since, other, seconds) return math.abs(since - other) <= math.max(2 * SECONDS, seconds) end

-- The level that it has changed to; nil where the power that it states explains it.
local function changed_level(it)
  local levels = {}
  for number, entry in ipairs(it.levels) do levels[number] = entry.level end
  local level = stats.median(levels)
  return level and not is_of_power(it, level - it.usual) and level or nil
end

local function is_heard(it, beacon, time)
  return it.observer == beacon.observer and it.usual and time - it.latest <= lasting
end

-- Whether the observer heard no other device lately.
local function is_alone(beacon, time)
  for _, it in beacons:each() do
    if it.address ~= beacon.address and is_heard(it, beacon, time) then return false end
  end
  return true
end

-- Whether so many of the devices that an observer hears make it likelier that the observer was moved.
local function are_most(changed, count) return changed > 1 and changed * 3 >= count * 2 end

-- Of the devices that an observer heard lately, how many there are, and what has changed of them together with this:
-- of each the identity that comes first. nil where these are not most of them.
local function others_of(beacon, time)
  local seen, count, candidates, of_devices, seconds = {}, 0, {}, 0, length(beacon)
  for _, it in beacons:each() do
    if is_heard(it, beacon, time) then
      local address = it.address
      if seen[address] == nil then seen[address], count = false, count + 1 end
      if it.since and is_together(it.since, beacon.since, math.max(seconds, length(it))) then
        candidates[#candidates + 1] = it
        if not seen[address] then seen[address], of_devices = true, of_devices + 1 end
      end
    end
  end
  if not are_most(of_devices, count) then return nil end
  local devices, changed = {}, {}
  for _, it in ipairs(candidates) do
    local device, level = devices[it.address], changed_level(it)
    if level and not device then
      device = { beacon = it, level = level }
      devices[it.address], changed[#changed + 1] = device, device
    elseif level and it.id < device.beacon.id then
      device.beacon, device.level = it, level
    end
  end
  if not are_most(#changed, count) then return nil end
  table.sort(changed, function(one, other)
    if one.beacon.id ~= other.beacon.id then return one.beacon.id < other.beacon.id end
    return one.beacon.address < other.beacon.address
  end)
  return count, changed
end

-- The receiver was moved, and not all that it hears. Not in the name of who happens to be heard.
local MOST = 10

local function tell_receiver(beacon, s, count, changed)
  local parts, evidence, since = {}, {}, beacon.since
  for number = 1, math.min(#changed, MOST) do
    local it, level = changed[number].beacon, changed[number].level
    local own = math.abs(it.since - since) > SECONDS and (" since " .. words.clock(it.since, s.time)) or ""
    parts[number] = ("%s %.0f dBm%s, before %.0f dBm"):format(it.name or it.id, level, own, it.usual)
    if it.first then evidence[#evidence + 1] = it.first end
  end
  if #changed > MOST then parts[MOST + 1] = ("and %d more"):format(#changed - MOST) end
  evidence[#evidence + 1] = { capture = s.capture, frame = s.frame }
  local observer, time = beacon.observer, s.time
  receivers[observer] = { since = since, seconds = length(beacon) }
  after(0.001, function()
    alert {
      severity = "warning", observer = observer, evidence = evidence,
      title = ("%d of %d beacons are heard otherwise by %s"):format(#changed, count, observer),
      text = ("Since about %s: the receiver was moved or turned, its antenna is another one, or something stands "
        .. "before it or no longer. Or all of these were moved: %s."):format(
        words.clock(since, time), table.concat(parts, "; ")),
      fields = { changed = #changed, heard = count, since = utc(since) },
    }
  end)
end

local function tell(beacon, level, s)
  local before, since = beacon.usual, beacon.since
  if not is_of_power(beacon, level - before) then
    local told = receivers[beacon.observer]
    if told and is_together(since, told.since, math.max(told.seconds, length(beacon))) then return end
    local count, changed = others_of(beacon, s.time)
    if changed then return tell_receiver(beacon, s, count, changed) end
  end
  local evidence = { s }
  if beacon.first then table.insert(evidence, 1, beacon.first) end
  if beacon.last then table.insert(evidence, 1, beacon.last) end
  local why, is_own = reasons(beacon, level - before, is_alone(beacon, s.time))
  alert {
    severity = is_own and "notice" or "warning",
    title = ("%s is heard at %.0f dBm, before at %.0f dBm"):format(name_of(s), level, before),
    text = ("Since %s, for %s: %s."):format(words.clock(since, s.time), words.duration(s.time - since), why),
    evidence = evidence,
    fields = {
      rssi = level, before_rssi = before, since = utc(since), battery_mv = batteries:get(beacon.address),
      stated_power = beacon.power, before_stated_power = beacon.usual_power,
    },
  }
end

-- What is usual from here on, and what the beacon says of itself meanwhile.
local function settle(beacon, level)
  beacon.usual, beacon.levels = level, {}
  beacon.usual_power, beacon.usual_mv = beacon.power, batteries:get(beacon.address)
end

-- A level has been heard, from `begun` on.
local function judge(beacon, level, begun, first, s)
  if not beacon.usual then
    add(beacon.levels, level, s.time - begun)
    local usual = steady(beacon.levels)
    if usual then settle(beacon, usual) end
    return
  end
  local change = level - beacon.usual
  -- As usual; or on the other side of it than before.
  if math.abs(change) < least or (beacon.since and change * beacon.change < 0) then
    beacon.levels, beacon.since, beacon.first = {}, nil, nil
  end
  if math.abs(change) < least then
    beacon.last = { capture = s.capture, frame = s.frame }
    beacon.usual_power = beacon.usual_power or beacon.power
    beacon.usual_mv = beacon.usual_mv or batteries:get(beacon.address)
    return
  end
  if not beacon.since then beacon.since, beacon.change, beacon.first = begun, change, first end
  add(beacon.levels, level, s.time - begun)
  local now = steady(beacon.levels)
  if not now then return end
  tell(beacon, now, s)
  settle(beacon, now)
  beacon.since, beacon.first = nil, nil
end

on("telemetry", { kind = { "eddystone-tlm", "eddystone-etlm-opened" } }, function(s)
  if s.address and s.battery_mv then batteries:set(s.address, s.battery_mv) end
end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local rssi, time = s.rssi, s.time
  if not rssi or not time then return end
  local key = s.observer .. "\n" .. s.id .. "\n" .. (STAYS[s.address_type] and s.address or "")
  local beacon = beacons:get(key) or beacons:set(key, { levels = {}, signals = {} })
  beacon.id, beacon.observer, beacon.address = s.id, s.observer, s.address or s.id
  beacon.power = s.measured_power or s.tx_power
  if not beacon.name then beacon.name = name_of(s) end
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
