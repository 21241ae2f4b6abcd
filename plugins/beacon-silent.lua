-- A beacon has not been heard for a while, although others were.
--
-- For a radio that stays where it is: whoever walks about leaves beacons behind.
--
-- Silence counts only while the radio hears somebody. Where it hears nobody for long, or the scan is
-- off, it may be deaf; what is missing afterwards begins to be silent then. A beacon that is heard
-- badly has long gaps anyhow: it has to be silent three times as long as ever before. What was heard
-- a few times only was passing by and is not missed.
--
-- A restart with --state goes on with all of it. One that takes long is a time in which nobody was
-- heard: what is missing behind it begins to be silent then.

plugin { version = "1.0", about = "A beacon that has fallen silent while others were heard" }

local recent = require "beacontrace.recent"

local silent = option "after_s" { default = 120, min = 1, help = "silence that counts, in seconds" }
local least = option "sightings" {
  default = 5, type = "integer", min = 1, help = "miss only what was heard as often as that",
}
local only = option "id" { default = "", help = "one beacon's id alone, or how ids begin" }

-- Hearing nobody for so long, a radio may be deaf.
local deaf = silent / 4
-- Identities that stay the same, by observer and id.
local beacons = recent.map("beacons")
state.save("hearing")
-- By observer: since when it has been hearing somebody, and the latest sighting's time.
state.hearing = state.hearing or {}
local hearing = state.hearing

on("start", function(e)
  for _, beacon in beacons:each() do
    -- An earlier run's frames cannot be cited, and the clock may have been set back.
    beacon.capture, beacon.frame = nil, nil
    beacon.time = math.min(beacon.time, e.time)
  end
  for observer, ear in pairs(hearing) do
    if math.abs(e.time - ear.latest) > deaf then hearing[observer] = nil end
  end
end)

on("observer", function(e)
  -- What was heard before the scan began anew, or ended, says nothing about afterwards.
  if e.what == "scan_on" then hearing[e.observer] = { since = e.time, latest = e.time }
  else hearing[e.observer] = nil end
end)

-- Since when the observer has been hearing somebody without a long break.
local function hear(observer, time)
  local ear = hearing[observer]
  if not ear then
    ear = { since = time, latest = time }
    hearing[observer] = ear
  end
  if time - ear.latest > deaf then ear.since = time end
  ear.latest = time
  return ear.since
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local id, time, observer = s.id, s.time, s.observer
  if not time then return end
  local since = hear(observer, time)
  if id:sub(1, #only) ~= only then return end

  local key = observer .. "\n" .. id
  local beacon = beacons:get(key)
    or beacons:set(key, { id = id, observer = observer, count = 0, longest = 0, time = time })
  if beacon.told then
    alert {
      severity = "info", title = id .. " is back", evidence = s,
      text = ("It was silent for %.0f s."):format(time - beacon.time),
    }
    beacon.told = false
  else
    beacon.longest = math.max(beacon.longest, time - math.max(beacon.time, since))
  end
  beacon.time, beacon.frame, beacon.capture = time, s.frame, s.capture
  beacon.count = beacon.count + 1
end)

local function is_silent(beacon, now)
  local ear = hearing[beacon.observer]
  if not ear or now - ear.latest > deaf or ear.latest <= beacon.time then return false end
  return now - math.max(beacon.time, ear.since) >= math.max(silent, 3 * beacon.longest)
end

local function tell(beacon, now)
  beacon.told = true
  alert {
    severity = "warning",
    title = beacon.id .. " is silent",
    text = ("Last heard %.0f s ago; others were heard since."):format(now - beacon.time),
    observer = beacon.observer,
    evidence = beacon.frame and { capture = beacon.capture, frame = beacon.frame },
    fields = { last_seen = utc(beacon.time), sightings = beacon.count },
  }
end

every(math.min(1, silent / 4), function(now)
  for _, beacon in beacons:each() do
    if not beacon.told and beacon.count >= least and is_silent(beacon, now) then tell(beacon, now) end
  end
end)
