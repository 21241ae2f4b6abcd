-- A beacon has begun anew: a battery that makes bad contact or is at its end, a reset, somebody at it.
--
-- Eddystone telemetry, encrypted too where its key is given, counts the seconds and the advertisements since a beacon
-- was switched on. Either of them falls only where it was switched off meanwhile, or where it has come to its end (32
-- bits of tenths of a second: 13 years, and less where a beacon counts in others). What is heard a little late, as of
-- two radios, is no fall. Where what was counted before goes on beside it, and both go on, two devices send from one
-- address: that is told once, and no restart. A single frame that is late or wrong is no other device.
--
-- Where the advertisements fall while the seconds go on it was not switched off: it counts wrongly. That is told once,
-- and from then on it goes by the seconds alone.
--
-- Behind a long silence they may have grown past what they were: it was switched on within the silence where it has
-- been on for less than that takes. Only of a beacon whose seconds are as long as ours, as some count otherwise, and
-- not where nothing was recorded meanwhile: our clock may have been set then. A beacon that restarts all day long is
-- told ten times an hour, and hides no other one.
--
-- Telemetry has no identity: it goes by the device that the address is of, encrypted one by its key, as such beacons
-- change their addresses, and else by the address.
--
-- A restart of ours with --state goes on with what was heard before.

plugin { version = "1.3", about = "A beacon that was switched off and on (Eddystone telemetry)" }

local recent = require "beacontrace.recent"
local words = require "beacontrace.words"

local slack = option "slack_s" {
  default = 2, min = 0, help = "an uptime that falls, or lags, by no more is none",
}

-- By observer and whose it is: what the telemetry heard last said, of the device that sent it behind those that have
-- sent as the same before; whether it was told that there are several; whether it miscounts advertisements; and when
-- it was told within the last hour.
local beacons = recent.map("beacons")
-- By address: the name of the key whose EID it sends.
local keys = recent.map("keys")
-- By address: what the site calls it; and by kind the id that it has no name for. Begun anew when there are very many.
local names, unnamed, many, has_list = {}, {}, 0, false
-- By observer: when it heard anybody last; and its latest jumps, over which it heard nobody although nothing is
-- known to have been off: there its clock may have been set.
local heard, jumps = {}, {}
local JUMP, MOST_JUMPS = 10, 20

on("start", function(e)
  has_list = #e.regions > 0
  -- An earlier run's frames cannot be cited.
  for _, beacon in beacons:each() do
    -- An earlier version kept one alone.
    local own = beacon.series or { { uptime = beacon.uptime, count = beacon.count, time = beacon.time } }
    beacon.series = own
    for _, one in ipairs(own) do one.capture, one.frame = nil, nil end
  end
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

local IDENTITIES = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid-resolved" }

on("sighting", { kind = "eddystone-eid-resolved" }, function(s)
  if s.address and keys:get(s.address) ~= s.key then keys:set(s.address, s.key) end
end)

on("sighting", { kind = IDENTITIES }, function(s)
  local address = s.address
  if s.time then hear(s.observer, s.time) end
  if not has_list or not address or names[address] then return end
  if many == 5000 then names, unnamed, many = {}, {}, 0 end
  local others = unnamed[address]
  if others and others[s.kind] == s.id then return end
  if not others then others, many = {}, many + 1 end
  unnamed[address], others[s.kind] = others, s.id
  if #regions_of(s) > 0 then names[address], unnamed[address] = name_of(s), nil end
end)

-- Whose telemetry it is, by what it keeps; and the name of that.
local function who_of(s)
  local key = s.kind == "eddystone-etlm-opened" and keys:get(s.address)
  if s.device then return "device " .. s.device, s.device end
  if key then return "key " .. key, key end
  return s.address, s.address
end

local function name_for(s)
  local _, name = who_of(s)
  return names[s.address] or name
end

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

-- Where the counts end, and how often an advertisement is sent at most.
local LAST_UPTIME, LAST_COUNT, OFTEN = 2 ^ 32 / 10, 2 ^ 32, 100

-- How many of its seconds pass in one of ours.
local function rate(before)
  local from = before.from
  local whole = from and before.time - from.time or 0
  return whole >= LONG and math.max(1, (before.uptime - from.uptime) / whole) or 1
end

local function uptime_wraps(uptime, before, passed)
  return before.uptime > LAST_UPTIME / 2
    and uptime + LAST_UPTIME - before.uptime <= math.max(0, passed) * rate(before) * (1 + POOR) + slack
end

local function count_wraps(count, before, passed)
  return before.count > LAST_COUNT / 2 and count + LAST_COUNT - before.count <= (math.max(0, passed) + 1) * OFTEN
end

-- Whether it was sent a little before what was heard before. One that is hardly on may have begun anew since.
local function is_late(s, before)
  local uptime, count = s.uptime_s, s.adv_count
  if not uptime or not count or not before.uptime or not before.count or uptime <= 5 * slack then return false end
  local behind = before.uptime - uptime
  if behind < 0 or behind > slack or count > before.count then return false end
  return before.count - count <= 1 + 3 * slack * before.count / before.uptime
end

-- Whether its uptime says that it was switched on since.
local function began(s, before)
  local uptime, passed = s.uptime_s, s.time - before.time
  if not uptime or not before.uptime then return false end
  if uptime < before.uptime - slack then return not uptime_wraps(uptime, before, passed) end
  return lags(s.observer, before, uptime, s.time)
end

local function is_new(s, before)
  local count = s.adv_count
  local fell = count and before.count and count < before.count
  return fell and not count_wraps(count, before, s.time - before.time) or began(s, before)
end

-- Whether its uptime has grown by more than time allows. Some count seconds that are shorter.
local function leaps(s, before)
  local passed = s.time - before.time
  if not s.uptime_s or not before.uptime or passed < 0 or before.keeps_time == false then return false end
  return s.uptime_s - before.uptime > passed * (1 + POOR) + slack
end

-- Whether its count of advertisements fell while its uptime went on.
local function miscounts(s, before)
  local uptime, count, passed = s.uptime_s, s.adv_count, s.time - before.time
  if not count or not before.count or count >= before.count or count_wraps(count, before, passed) then return false end
  if not uptime or not before.uptime or uptime <= before.uptime then return false end
  if began(s, before) or leaps(s, before) then return false end
  -- One that has been on for less than has passed may have been switched on since, unless it has grown by that.
  return uptime > passed + slack or uptime - before.uptime >= passed * (1 - POOR) - slack
end

-- Whether it is what a device sends that was heard before, not long ago.
local function goes_on(s, before)
  local uptime, count, passed = s.uptime_s, s.adv_count, s.time - before.time
  if not uptime or not before.uptime or passed < 0 or passed > 3600 then return false end
  if count and before.count and count < before.count then return false end
  return uptime > before.uptime and math.abs(uptime - before.uptime - passed) <= slack + passed * POOR
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

local function cited(s, ...)
  local list = {}
  for _, it in ipairs { ... } do
    if it.frame then list[#list + 1] = { capture = it.capture, frame = it.frame } end
  end
  list[#list + 1] = s
  return list
end

-- So often it is told of one within so long. What is too much `once_per` holds back, which counts it.
local MOST_TOLD, HOUR = 10, 3600

local function tell(s, before, beacon, key)
  local can_be = not began(s, before) or s.time < before.time or s.uptime_s <= s.time - before.time + slack
  local told = {}
  for _, time in ipairs(beacon.told or {}) do
    if time <= s.time and s.time - time < HOUR then told[#told + 1] = time end
  end
  beacon.told = told
  local is_told = alert {
    severity = "warning",
    title = name_for(s) .. (can_be and " has restarted" or " counts from less than before"),
    text = sentences(s, before),
    dedupe_key = key,
    -- By the first one it is known behind a restart of ours how long the others count.
    once_per = (#told == 0 or #told >= MOST_TOLD) and HOUR or nil,
    evidence = cited(s, before),
    fields = {
      uptime_s = s.uptime_s, adv_count = s.adv_count, before_uptime_s = before.uptime,
      before_adv_count = before.count,
    },
  }
  if is_told then told[#told + 1] = s.time end
end

-- Of several receivers the first one tells it.
local function tell_miscount(s, before, who)
  alert {
    severity = "notice",
    title = ("The counter of %s fell while its uptime went on"):format(name_for(s)),
    text = ("Between %s and %s: it says that it has sent %d times, and said %d times before, while it has been on for "
      .. "%s, and said %s before. That is no restart: it counts its advertisements wrongly."):format(
      words.clock(before.time, s.time), words.clock(s.time, s.time), s.adv_count, before.count,
      words.duration(s.uptime_s), words.duration(before.uptime)),
    dedupe_key = "counter\n" .. who,
    once_per = 86400,
    evidence = cited(s, before),
    fields = {
      uptime_s = s.uptime_s, adv_count = s.adv_count, before_uptime_s = before.uptime,
      before_adv_count = before.count,
    },
  }
end

-- `before` is another one's, and `own` what it sent itself.
local function tell_several(s, before, own)
  alert {
    severity = "warning",
    title = "Two devices send the telemetry of " .. name_for(s),
    text = ("One says that it has been on for %s, the other one said %s at %s, and both go on: that counts fall is no "
      .. "restart."):format(
      words.duration(s.uptime_s), words.duration(before.uptime or 0), words.clock(before.time, s.time)),
    evidence = cited(s, own, before),
    fields = { uptime_s = s.uptime_s, other_uptime_s = before.uptime },
  }
end

-- What it says now, of the device that said `before`; nil: of none that is known.
local function record(s, beacon, before, is_same)
  local uptime, time = s.uptime_s, s.time
  -- Seconds are compared within one setting of our clock: over a jump where both went on alike.
  local passed = before and time - before.time
  local agrees = before and uptime and before.uptime
    and math.abs(uptime - before.uptime - passed) <= slack + passed * POOR
  local is_one = is_same and (agrees or jump_since(s.observer, before.time) == 0)
  local now = {
    uptime = uptime, count = not beacon.miscounts and s.adv_count or nil,
    time = time, capture = s.capture, frame = s.frame,
    -- The telemetry that its seconds are compared from, and whether they are as long as ours.
    from = is_one and before.from or uptime and { time = time, uptime = uptime },
    keeps_time = before and before.keeps_time,
    -- Whether a second frame of this device has gone on behind a first one.
    has_gone_on = is_same and (before.has_gone_on or goes_on(s, before)) or nil,
  }
  if uptime and now.from and time - now.from.time >= LONG then
    local whole = time - now.from.time
    now.keeps_time = math.abs(uptime - now.from.uptime - whole) <= slack + whole * POOR
  end
  return now
end

-- Which of several devices it is that begins anew: one that was not heard for as long as it has been on.
local function place_of_fallen(s, series)
  for place, own in ipairs(series) do
    local passed = s.time - own.time
    if passed < 0 or not s.uptime_s or s.uptime_s <= passed + slack then return place end
  end
  return #series
end

-- From here on it goes by its uptime alone.
local function leave_count_out(beacon)
  beacon.miscounts = true
  for _, own in ipairs(beacon.series) do own.count = nil end
end

-- So many devices of one address are told apart.
local MOST_SERIES = 4

on("telemetry", { kind = { "eddystone-tlm", "eddystone-etlm-opened" } }, function(s)
  if not s.address or not s.time then return end
  hear(s.observer, s.time)
  local who = who_of(s)
  local key = s.observer .. "\n" .. who
  local beacon = beacons:get(key) or beacons:set(key, { series = {} })
  local series = beacon.series
  local before = series[#series]
  if not before then
    series[1] = record(s, beacon)
    return
  end
  if is_late(s, before) then return end
  if miscounts(s, before) then
    tell_miscount(s, before, who)
    leave_count_out(beacon)
    series[#series] = record(s, beacon, before, true)
    return
  end
  local falls, leap = is_new(s, before), leaps(s, before)
  if not falls and not leap then
    series[#series] = record(s, beacon, before, true)
    return
  end
  for place = #series - 1, 1, -1 do
    local own = series[place]
    if goes_on(s, own) then
      if not beacon.several and before.has_gone_on then
        beacon.several = true
        tell_several(s, before, own)
      end
      table.remove(series, place)
      series[#series + 1] = record(s, beacon, own, true)
      return
    end
  end
  if falls and beacon.several then before = table.remove(series, place_of_fallen(s, series)) end
  if falls then tell(s, before, beacon, key) end
  -- One that leaps may count otherwise, as long as that is not known.
  local now = record(s, beacon, before, leap and not before.keeps_time)
  now.from = now.from and { time = now.from.time, uptime = now.from.uptime }
  series[#series + 1] = now
  if #series > MOST_SERIES then table.remove(series, 1) end
end)
