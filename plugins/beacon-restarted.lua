-- A beacon has begun anew: a battery that makes bad contact or is at its end, a reset, somebody at it.
--
-- Eddystone telemetry counts the seconds and the advertisements since a beacon was switched on. Either
-- of them falls only where it was switched off meanwhile: at ten a second both have room for 13 years. Behind
-- a long silence they may have grown past what they were: it was switched on within the silence where it has
-- been on for less than that takes. Only of a beacon whose seconds are as long as ours, as some count otherwise, and
-- not where nothing was recorded meanwhile: our clock may have been set then.
-- A beacon that restarts all day long is told ten times an hour.
--
-- A restart of ours with --state goes on with what was heard before.

plugin { version = "1.1", about = "A beacon that was switched off and on (Eddystone telemetry)" }

local recent = require "beacontrace.recent"
local words = require "beacontrace.words"

local slack = option "slack_s" {
  default = 2, min = 0, help = "an uptime that falls, or lags, by no more is none",
}

-- By observer and address: what the telemetry heard last said.
local beacons = recent.map("beacons")
-- By address: what the site calls it. Telemetry itself has no identity.
local names, many, has_list = {}, 0, false
-- By observer: when it heard anybody last; and its latest jumps, over which it heard nobody although nothing is
-- known to have been off: there its clock may have been set.
local heard, jumps = {}, {}
local JUMP, MOST_JUMPS = 10, 20

on("start", function(e)
  has_list = #e.regions > 0
  -- An earlier run's frames cannot be cited.
  for _, beacon in beacons:each() do beacon.capture, beacon.frame = nil, nil end
end)

on("observer", function(e)
  local is_scan = e.what ~= "lost" and e.what ~= "recording_off" and e.what ~= "recording_on"
  if is_scan then heard[e.observer] = nil end
end)

local function hear(observer, time)
  local last = heard[observer]
  heard[observer] = time
  if not last or time - last < JUMP then return end
  local list = jumps[observer] or {}
  jumps[observer] = list
  list[#list + 1] = { time = time, seconds = time - last }
  if #list > MOST_JUMPS then table.remove(list, 1) end
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local address = s.address
  if s.time then hear(s.observer, s.time) end
  if not has_list or not address or names[address] ~= nil then return end
  if many == 5000 then names, many = {}, 0 end
  many = many + 1
  names[address] = #regions_of(s) > 0 and name_of(s)
end)

-- Of a time so much may be missing from an uptime: clocks of beacons are poor. Shorter times do not tell how a
-- beacon counts.
local POOR, LONG = 0.05, 20

-- The longest jump of our clock since then, seconds; 0 without one.
local function jump_since(observer, time)
  local longest = 0
  for _, jump in ipairs(jumps[observer] or {}) do
    if jump.time > time then longest = math.max(longest, jump.seconds) end
  end
  return longest
end

-- Whether an uptime lags behind, as one does that began since, and not because our clock was set.
local function lags(observer, before, uptime, time)
  local passed = time - before.time
  local lag = passed - (uptime - before.uptime)
  if not before.keeps_time or lag <= slack + passed * POOR then return false end
  if uptime > passed * (1 + POOR) + slack then return false end
  local jump = jump_since(observer, before.time)
  return jump == 0 or jump <= lag * (1 - POOR) - JUMP
end

-- Whether its uptime says that it was switched on since.
local function began(s, before)
  local uptime = s.uptime_s
  if not uptime or not before.uptime then return false end
  return uptime < before.uptime - slack or lags(s.observer, before, uptime, s.time)
end

local function is_new(s, before)
  local count = s.adv_count
  return count and before.count and count < before.count or began(s, before)
end

-- When it was switched on, as closely as is known, and from what.
local function sentences(s, before)
  local time, uptime = s.time, s.uptime_s
  local passed = time - before.time
  if not began(s, before) then
    return ("Between %s and %s. It says that it has sent %d times, and said %d times before."):format(
      words.clock(before.time, time), words.clock(time, time), s.adv_count, before.count)
  end
  local said = ("It says that it has been on for %s, and said %s before"):format(
    words.duration(uptime), words.duration(before.uptime))
  if passed < 0 then return said .. "." end
  said = ("%s, %s earlier."):format(said, words.duration(passed))
  if uptime > passed + slack then
    return said .. " It was unheard for less than it claims to be on: its counts may have been set, or two devices "
      .. "send from its address."
  end
  return ("At about %s. %s"):format(words.clock(time - uptime, time), said)
end

on("telemetry", { kind = "eddystone-tlm" }, function(s)
  local address, uptime, time = s.address, s.uptime_s, s.time
  if not address or not time then return end
  hear(s.observer, time)
  local key = s.observer .. "\n" .. address
  local before = beacons:get(key)
  local begins = before and is_new(s, before)
  if begins then
    alert {
      severity = "warning",
      title = (names[address] or address) .. " has restarted",
      text = sentences(s, before),
      at_most = { 10, per = 3600 },
      evidence = before.frame and { { capture = before.capture, frame = before.frame }, s } or s,
      fields = {
        uptime_s = uptime, adv_count = s.adv_count, before_uptime_s = before.uptime,
        before_adv_count = before.count,
      },
    }
  end
  -- Seconds are compared within one setting of our clock: over a jump where both went on alike.
  local passed = before and time - before.time
  local agrees = before and uptime and before.uptime
    and math.abs(uptime - before.uptime - passed) <= slack + passed * POOR
  local goes_on = before and not begins and (agrees or jump_since(s.observer, before.time) == 0)
  local now = {
    uptime = uptime, count = s.adv_count, time = time, capture = s.capture, frame = s.frame,
    -- The telemetry that its seconds are compared from, and whether they are as long as ours.
    from = goes_on and before.from or uptime and { time = time, uptime = uptime },
    keeps_time = before and before.keeps_time,
  }
  if uptime and now.from and time - now.from.time >= LONG then
    local whole = time - now.from.time
    now.keeps_time = math.abs(uptime - now.from.uptime - whole) <= slack + whole * POOR
  end
  beacons:set(key, now)
end)
