-- A beacon sends more often, or less often, than it did.
--
-- Sightings that are missed make gaps twice or three times as long, never shorter. So the interval is
-- taken from the shortest tenth of the gaps, and only where most gaps are about as long: a beacon
-- that is heard badly is not judged.

plugin { version = "1.0", about = "An advertising interval that changes" }

local recent = require "beacontrace.recent"
local stats = require "beacontrace.stats"

local size = option "gaps" {
  default = 40, type = "integer", min = 10, max = 1000, help = "gaps that make a figure",
}
local drift = option "drift_percent" {
  default = 30, min = 1, max = 1000, help = "a change that counts, in percent",
}

-- By observer, address and id. A restart with --state is a gap that is too long, like others.
local senders = recent.map("senders")

-- The interval behind gaps; nil where too many sightings were missed.
local function interval(gaps)
  local shortest = stats.quantile(gaps, 0.1)
  local near = 0
  for _, gap in ipairs(gaps) do
    if gap < 1.4 * shortest then near = near + 1 end
  end
  if near * 2 < #gaps then return nil end
  return shortest
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local time = s.time
  if not time then return end
  local key = s.observer .. "\n" .. (s.address or "") .. "\n" .. s.id
  local sender = senders:get(key) or senders:set(key, { time = time, gaps = {} })
  local gap = time - sender.time
  sender.time = time
  -- Two channels of one advertising event, or a clock that stepped back.
  if gap < 0.015 then return end
  local gaps = sender.gaps
  gaps[#gaps + 1] = gap
  if #gaps < size then return end
  sender.gaps = {}

  local usual = interval(gaps)
  if not usual then return end
  local before = sender.usual
  sender.usual = before or usual
  if not before then return end
  local change = (usual / before - 1) * 100
  if math.abs(change) < drift then return end
  sender.usual = usual
  alert {
    severity = "notice",
    title = ("%s sends every %.0f ms, before every %.0f ms"):format(s.id, usual * 1e3, before * 1e3),
    text = ("A change of %+.0f %%."):format(change),
    evidence = s,
    fields = { interval_ms = usual * 1e3, before_ms = before * 1e3 },
  }
end)
