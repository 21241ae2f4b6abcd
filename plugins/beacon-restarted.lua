-- A beacon has begun anew: a battery that makes bad contact or is at its end, a reset, somebody at it.
--
-- Eddystone telemetry counts the seconds and the advertisements since a beacon was switched on. Either
-- of them falls only where it was switched off meanwhile: at ten a second both have room for 13 years.
-- A beacon that restarts all day long is told ten times an hour.
--
-- A restart of ours with --state goes on with what was heard before.

plugin { version = "1.0", about = "A beacon that was switched off and on (Eddystone telemetry)" }

local recent = require "beacontrace.recent"
local words = require "beacontrace.words"

local slack = option "slack_s" {
  default = 2, min = 0, help = "an uptime that falls by no more is none",
}

-- By observer and address: what the telemetry heard last said.
local beacons = recent.map("beacons")
-- By address: what the site calls it. Telemetry itself has no identity.
local names, many, has_list = {}, 0, false

on("start", function(e)
  has_list = #e.regions > 0
  -- An earlier run's frames cannot be cited.
  for _, beacon in beacons:each() do beacon.capture, beacon.frame = nil, nil end
end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local address = s.address
  if not has_list or not address or names[address] ~= nil then return end
  if many == 5000 then names, many = {}, 0 end
  many = many + 1
  names[address] = #regions_of(s) > 0 and name_of(s)
end)

-- What fell.
local function counts(s, before)
  if s.uptime_s and before.uptime and s.uptime_s < before.uptime then
    return ("It says that it has been on for %s, and said %s before"):format(
      words.duration(s.uptime_s), words.duration(before.uptime))
  end
  return ("It says that it has sent %d times, and said %d times before"):format(
    s.adv_count, before.count)
end

on("telemetry", { kind = "eddystone-tlm" }, function(s)
  local address, uptime, count, time = s.address, s.uptime_s, s.adv_count, s.time
  if not address or not time then return end
  local key = s.observer .. "\n" .. address
  local before = beacons:get(key)
  local is_new = before
    and ((uptime and before.uptime and uptime < before.uptime - slack)
      or (count and before.count and count < before.count))
  if is_new then
    alert {
      severity = "warning",
      title = (names[address] or address) .. " has restarted",
      text = ("Between %s and %s. %s."):format(
        words.clock(before.time, time), words.clock(time, time), counts(s, before)),
      at_most = { 10, per = 3600 },
      evidence = before.frame and { { capture = before.capture, frame = before.frame }, s } or s,
      fields = {
        uptime_s = uptime, adv_count = count, before_uptime_s = before.uptime,
        before_adv_count = before.count,
      },
    }
  end
  beacons:set(key, {
    uptime = uptime, count = count, time = time, capture = s.capture, frame = s.frame,
  })
end)
