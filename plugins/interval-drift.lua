-- A beacon sends more often, or less often, than it did.
--
-- Sightings that are missed make gaps twice or three times as long, never shorter. So the interval is
-- taken from the shortest tenth of the gaps, and only where most gaps are about as long: a beacon
-- that is heard badly is not judged. The change began behind the last gap that was still as before.
--
-- A receiver whose controller filters duplicates is left out: its gaps are those of the filter; and one whose
-- radio listens a part of the time, while it does: its gaps are those of the windows of its scan.

plugin { version = "1.1", about = "An advertising interval that changes" }

local filters = require "beacontrace.filters"
local listening = require "beacontrace.listening"
local recent = require "beacontrace.recent"
local stats = require "beacontrace.stats"
local words = require "beacontrace.words"

local size = option "gaps" {
  default = 40, type = "integer", min = 10, max = 1000, help = "gaps that make a figure",
}
local drift = option "drift_percent" {
  default = 30, min = 1, max = 1000, help = "a change that counts, in percent",
}

-- By observer, address and id. A restart with --state is a gap that is too long, like others.
local senders = recent.map("senders")

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, sender in senders:each() do sender.capture, sender.frame = nil, nil end
end)

local UNJUDGED = " filters duplicates: intervals there are those of the filter, and were not judged"
local PARTLY = " listens a part of the time: intervals there are those of its windows, too, and were not judged"

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
  if not time or filters.is_on(s.observer, UNJUDGED) then return end
  local key = s.observer .. "\n" .. (s.address or "") .. "\n" .. s.id
  local sender = senders:get(key)
  if listening.share(s.observer, PARTLY) then
    -- A gap that reaches into that time, or out of it, says nothing either.
    if sender then sender.time, sender.gaps = nil, {} end
    return
  end
  sender = sender or senders:set(key, { gaps = {} })
  local before_it = sender.time
  sender.time = time
  if not before_it then return end
  local gap = time - before_it
  -- Two channels of one advertising event, or a clock that stepped back.
  if gap < 0.015 then return end
  local known = sender.usual
  if known and math.abs(gap / known - 1) * 200 < drift then
    sender.as_before, sender.capture, sender.frame = time, s.capture, s.frame
  end
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
  local since, last = sender.as_before, sender.frame and {
    capture = sender.capture, frame = sender.frame,
  }
  sender.usual, sender.as_before, sender.capture, sender.frame = usual, nil, nil, nil
  alert {
    severity = "notice",
    title = ("%s sends every %.0f ms, before every %.0f ms"):format(
      name_of(s), usual * 1e3, before * 1e3),
    text = ("A change of %+.0f %%%s."):format(
      change, since and (" since " .. words.clock(since, time)) or ""),
    evidence = last and { last, s } or s,
    fields = {
      interval_ms = usual * 1e3, before_ms = before * 1e3, since = since and utc(since),
    },
  }
end)
