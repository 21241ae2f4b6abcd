-- A beacon sends more often, or less often, than it did.
--
-- Sightings that are missed make gaps twice or three times as long, never shorter. So the interval is
-- taken from the shortest tenth of the gaps, and only where most gaps are about as long: a beacon
-- that is heard badly is not judged. The change began behind the last gap that was still as before, and before the
-- first that was not. Three gaps of a third look like one of before where two sightings are missed: of an interval that
-- became shorter only several in a row are as before. Where much time lies between, as the beacon was not heard, or
-- nothing was recorded, both ends of it are told.
--
-- Where two devices send one identity from one address, as a copy does, gaps are long and short in turn, and two of
-- them together last as long as ever: that is no other interval, and is remarked. Where they happen to be as long as
-- one another nobody can tell: of an interval that became shorter that is said.
--
-- A beacon that sends telemetry or another frame in some of its advertisements has gaps that are long and short in
-- turn, too. Its long gaps are a whole multiple of the short ones, or another frame of its address lies within them:
-- its interval is the short one. Only where both together are what was usual two devices are likelier there, too. What
-- states another power is judged by itself: two devices of one address, or two slots of one device.
--
-- A receiver whose controller filters duplicates is left out: its gaps are those of the filter; and one whose
-- radio listens a part of the time, while it does: its gaps are those of the windows of its scan.

plugin { version = "1.4", about = "An advertising interval that changes" }

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

-- By observer, address, id and power. A restart with --state is a gap that is too long, like others.
local senders = recent.map("senders")

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, sender in senders:each() do
    for _, it in ipairs { sender, sender.other or {}, sender.shorter or {}, sender.sure or {}, sender.latest or {} } do
      it.capture, it.frame = nil, nil
    end
  end
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

local function is_near(one, other) return math.abs(one / other - 1) < 0.1 end

-- Of gaps that are long and short in turn: how long two together are, which does not differ. nil of other gaps.
local function turn(gaps)
  local pairs_of = {}
  for number = 2, #gaps do pairs_of[number - 1] = gaps[number - 1] + gaps[number] end
  if stats.quantile(gaps, 0.75) < 1.15 * stats.quantile(gaps, 0.25) then return nil end
  local middle, near = stats.median(pairs_of), 0
  for _, both in ipairs(pairs_of) do
    if is_near(both, middle) then near = near + 1 end
  end
  return near * 4 >= #pairs_of * 3 and middle or nil
end

-- Whether the long gaps are as long as two of the short ones, or three, ...: a tenth of a short one may be missing.
local function is_multiple(gaps, both)
  local short, long = {}, {}
  for _, gap in ipairs(gaps) do table.insert(gap < both / 2 and short or long, gap) end
  if #short == 0 or #long == 0 then return false end
  local times = stats.median(long) / stats.median(short)
  local whole = math.floor(times + 0.5)
  return whole > 1 and math.abs(times - whole) < 0.1
end

-- Whether gaps that are long and short in turn are those of two devices, and not of one that sends other frames, too.
local function is_of_two(sender, gaps, both)
  if sender.usual and not sender.both and is_near(both, sender.usual) then return true end
  return sender.between * 4 < #gaps and not is_multiple(gaps, both)
end

-- By observer and address: which frame was heard last, and when; and when another one than that was.
local devices = recent.map("devices")

-- Hears a frame of an address: when another one than this was heard from there last, nil of none.
local function hear(s, frame)
  if not s.address then return nil end
  local key = s.observer .. "\n" .. s.address
  local device = devices:get(key) or devices:set(key, {})
  if device.frame ~= frame then device.other, device.frame = device.time, frame end
  device.time = s.time
  return device.other
end

-- So many gaps that are as before, without a shorter one or a pause between, are no chance.
local ENOUGH = 8

local function is_long(seconds, longest) return seconds > math.max(60, 10 * longest) end

-- Keeps where the interval was last as before, and surely so, and where it was not for the first time since: with any
-- gap, but for pauses, which are far longer than those behind them, and with one that is too short for it.
local function follow(sender, gap, s)
  local known, from = sender.usual, sender.latest
  local change = gap / known - 1
  if math.abs(change) * 200 < drift then
    sender.as_before, sender.capture, sender.frame, sender.other = s.time, s.capture, s.frame, nil
    sender.streak = (sender.streak or 0) + 1
    if sender.streak >= ENOUGH then
      sender.sure, sender.shorter = { time = s.time, capture = s.capture, frame = s.frame }, nil
    end
    return
  end
  if change < 0 or is_long(gap, known) then sender.streak = 0 end
  local it = { time = from.time, gap = gap, capture = from.capture, frame = from.frame }
  if not sender.other or gap * 3 < sender.other.gap then sender.other = it end
  if change < 0 then sender.shorter = sender.shorter or it end
end

-- In words when the interval changed, where that is known: behind the time `since`, and before the time `before`; and
-- whether they are far apart.
local function moment(since, before, longest, now)
  if not since then return "", false end
  if not before or not is_long(before - since, longest) then
    return " since " .. words.clock(since, now), false
  end
  return (" between %s and %s"):format(words.clock(since, now), words.clock(before, now)), true
end

local function cited(it) return it and it.frame and { capture = it.capture, frame = it.frame } or nil end

on("telemetry", function(s)
  if s.time then hear(s, "telemetry") end
end)

on("sighting", { kind = { "eddystone-eid" } }, function(s)
  if s.time then hear(s, "eddystone-eid") end
end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local time = s.time
  if not time or filters.is_on(s.observer, UNJUDGED) then return end
  local other = hear(s, s.id)
  local key = ("%s\n%s\n%s\n%s"):format(s.observer, s.address or "", s.id, s.measured_power or s.tx_power or "")
  local sender = senders:get(key)
  if listening.share(s.observer, PARTLY) then
    -- A gap that reaches into that time, or out of it, says nothing either.
    if sender then sender.latest, sender.gaps, sender.between = nil, {}, 0 end
    return
  end
  sender = sender or senders:set(key, { gaps = {} })
  sender.between = sender.between or 0
  -- An earlier version kept the time alone.
  local latest = sender.latest or sender.time and { time = sender.time }
  sender.latest, sender.time = latest, nil
  local gap = latest and time - latest.time
  -- Two channels of one advertising event, or a clock that stepped back.
  if gap and gap >= 0.015 and sender.usual then follow(sender, gap, s) end
  local before_it = latest and latest.time
  sender.latest = { time = time, capture = s.capture, frame = s.frame }
  if not gap or gap < 0.015 then return end
  local gaps = sender.gaps
  gaps[#gaps + 1] = gap
  -- Not one that goes with each of them, such as that of a scan response.
  if other and other > before_it + gap / 10 and other < time - gap / 10 then sender.between = sender.between + 1 end
  if #gaps < size then return end
  local both = turn(gaps)
  local is_two = both and is_of_two(sender, gaps, both)
  sender.gaps, sender.between = {}, 0

  if is_two then
    -- What was taken for the gap between two advertisements was that between two devices.
    if sender.both and is_near(both, sender.both) then sender.usual, sender.both = both, nil end
    if not sender.told then
      remark(("%s sounds as if two devices sent it from %s in turn: its interval is not judged meanwhile"):format(
        name_of(s), s.address or "one address"))
    end
    sender.told = true
    return
  end
  local usual = both and stats.quantile(gaps, 0.1) or interval(gaps)
  if not usual then return end
  local before, together = sender.usual, sender.both
  sender.usual, sender.both = before or usual, both or together
  if not before then return end
  local change = (usual / before - 1) * 100
  if math.abs(change) < drift then return end
  sender.both = both
  -- They may have been two devices, of which one is gone.
  if together and not both and is_near(usual, together) then
    sender.usual = usual
    return
  end
  local last, first = { time = sender.as_before, capture = sender.capture, frame = sender.frame }, sender.other
  if change < 0 then last, first = sender.sure or {}, sender.shorter end
  local since, is_between = moment(last.time, first and first.time, math.max(before, usual), time)
  local evidence = { cited(last) }
  if is_between or not last.frame then evidence[#evidence + 1] = cited(first) end
  evidence[#evidence + 1] = s
  sender.usual, sender.as_before, sender.capture, sender.frame = usual, nil, nil, nil
  sender.sure, sender.other, sender.shorter, sender.streak = nil, nil, nil, nil
  alert {
    severity = "notice",
    title = ("%s sends every %.0f ms, before every %.0f ms"):format(
      name_of(s), usual * 1e3, before * 1e3),
    text = ("A change of %+.0f %%%s.%s"):format(
      change, since, change < 0 and " Or another device sends the same from its address." or ""),
    evidence = evidence,
    fields = {
      interval_ms = usual * 1e3, before_ms = before * 1e3, since = last.time and utc(last.time),
      at_latest = last.time and first and utc(first.time) or nil,
    },
  }
end)
