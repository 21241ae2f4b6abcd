-- A receiver does not listen any more, or hears nobody while others do.
--
-- For receivers that stay where they are and scan all the time. A scan that is switched off, a controller
-- that is reset or removed, and a capture that stops are known from the recording itself: they count
-- whatever others do. A receiver that merely hears nobody may stand where nobody is; it is told where
-- another one has gone on hearing others all the while, and where it was never as quiet before by a third of
-- that. Phones scan for moments alone: set `after_s` above the pauses between two scans.
--
-- A scan that is begun with the controller's duplicate filter, or for devices on a list alone, is told, too: what is
-- not heard there says little, and whatever else goes by that is not to be relied on. A receiver that filters may
-- hear nobody new for long: that it hears nobody is not told.
--
-- Whoever is heard counts, beacon or not. Between two captures of a
-- receiver nothing is known of it: that is no silence. Where others went on hearing somebody between them, that
-- is told as that, and whether its scan was switched off before: nobody knows what it would have heard. Behind
-- its last capture the others may go on by their clocks alone, or have been fetched later: that is told where
-- they did for longer (`ended_after_s`).

plugin { version = "1.3", about = "A receiver that does not listen, or hears nobody while others do" }

local filters = require "beacontrace.filters"
local words = require "beacontrace.words"

local limit = option "after_s" { default = 120, min = 1, help = "deaf for so long, in seconds" }
-- Clocks that nobody sets are minutes off.
local ended_limit = option "ended_after_s" {
  default = 600, min = 1, help = "others heard for so long behind its last recording, in seconds",
}
local tells_limits = option "limited_scans" {
  default = true, help = "tell of scans that filter duplicates, or hear only who is on a list",
}

-- By observer: what it was told off by, when it heard somebody last, since when without a break that
-- counts, and its longest gap below that. Of one of which no capture goes on: since when, for how long
-- there was none since it was told deaf, and whether it did not listen when its capture ended.
local receivers = {}

local SWITCHED_OFF = {
  scan_off = "Its scan was switched off", reset = "Its controller was reset or removed",
  capture_off = "Its capture was stopped",
}

local function meet(name)
  local it = receivers[name]
  if not it then
    it = { name = name, longest = 0 }
    receivers[name] = it
  end
  return it
end

-- It listens, or hears, again. Where nothing was recorded nobody knows whether it was deaf.
local function end_told(it, time, title, evidence)
  it.told = false
  local unrecorded = it.unrecorded or 0
  local deaf = time - it.deaf_since - unrecorded
  local text = ("It was deaf for %s, since %s"):format(words.duration(deaf), words.clock(it.deaf_since, time))
  if deaf < 1 and unrecorded >= 1 then
    text = ("Nothing was recorded for %s, since %s%s"):format(
      words.duration(unrecorded), words.clock(it.deaf_since, time),
      it.ended_off and ", and its scan was off when the recording ended" or "")
  elseif unrecorded >= 1 then
    text = ("%s; for %s nothing was recorded"):format(text, words.duration(unrecorded))
  end
  alert {
    severity = "info", title = it.name .. title, observer = it.name, evidence = evidence, text = text .. ".",
    fields = { deaf_s = deaf, since = utc(it.deaf_since) },
  }
end

local function tell(it, now, since, title, text, evidence)
  it.told, it.told_at, it.deaf_since, it.unrecorded = true, now, since, nil
  alert {
    severity = "warning", title = it.name .. title, text = text, observer = it.name,
    evidence = evidence, once_per = 3600, dedupe_key = it.name,
    fields = { since = utc(since), deaf_s = now - since },
  }
end

-- Another one who heard somebody before the receiver fell quiet, and all the time since.
local function witness(it, now, since)
  for _, other in pairs(receivers) do
    if other ~= it and other.latest and now - other.latest <= limit / 4
      and other.since <= since then return other end
  end
end

-- How a capture of it ended, and since when it had not listened. A recorder that is stopped switches the scan off.
local function ending(it, now)
  local off, ended = it.scan_off, words.clock(it.ended, now)
  if not off then return "Its recording ended at " .. ended, it.ended, false end
  local was_off = SWITCHED_OFF[off.what]
  if it.ended - off.time <= 1 then return was_off .. " and its recording ended at " .. ended, it.ended, false end
  return ("%s at %s, and its recording ended at %s"):format(was_off, words.clock(off.time, now), ended), off.time, true
end

-- The beacons that both heard last, as far as they were about the last of all.
local function both(it, other)
  local list = {}
  for _, one in ipairs { it, other } do
    if one.frame and one.latest - one.heard_at <= limit / 4 then
      list[#list + 1] = { capture = one.capture, frame = one.frame }
    end
  end
  return #list > 0 and list or nil
end

-- Another capture of it begins. How long there was none its own clock says.
local function judge_gap(it, time)
  if it.told or not it.latest or time - it.ended < limit then return end
  local other = witness(it, time, it.ended)
  if not other then return end
  local how, since = ending(it, time)
  tell(it, time, since, it.scan_off and " did not listen" or " was not recorded",
    ("%s, and the next one began %s later; %s went on hearing others."):format(
      how, words.duration(time - it.ended), other.name), both(it, other))
end

-- What the capture before said of it need not hold any more.
local function begin_recording(it, time)
  local ended = it.ended
  if ended then
    judge_gap(it, time)
    if it.told then it.unrecorded = (it.unrecorded or 0) + time - ended end
    it.ended_off = it.scan_off ~= nil
  end
  it.ended, it.scan_off, it.capture_off, it.begun = nil, nil, nil, time
end

-- It hears somebody; `s`: the sighting, nil of one who is no beacon.
local function hear(it, time, s)
  -- What was on its way comes all the same; behind that its commands do not say all.
  if it.scan_off and time > it.scan_off.time + 1 then it.scan_off = nil end
  -- Of one who is no beacon it is known later: he may have been the last.
  if it.told and not it.scan_off and not it.capture_off and (s or time > it.told_at) then
    end_told(it, time, s and " hears beacons again" or " hears others again", s)
  end
  it.filtered = filters.is_on(it.name)
  local gap = it.latest and time - math.max(it.latest, it.begun or it.latest)
  if not gap or gap > limit then it.since = time
  elseif gap > it.longest and not it.filtered then it.longest = gap end
  it.listened, it.latest = true, time
end

on("sighting", function(s)
  local time = s.time
  if not time then return end
  local it = meet(s.observer)
  -- Where the clock was set back time stands still until it has come as far as before.
  if it.latest and time < it.latest then time = it.latest end
  hear(it, time, s)
  it.capture, it.frame, it.heard_at = s.capture, s.frame, time
end)

-- Why what is not heard says little, from here on.
local function tell_limits(e)
  if not tells_limits then return end
  local title, text = " filters duplicates",
    "with the controller's duplicate filter: who was heard once is told of seldom, or no more. Silences, exits, "
    .. "intervals and signals there say little. Begin it without the filter."
  if not e.filters_duplicates then
    title, text = " hears only whom it is told to",
      "for devices on the controller's list, or that its filter passes, alone: that others are not heard says "
      .. "nothing. Begin it for all."
  end
  alert {
    severity = "warning", title = e.observer .. title, observer = e.observer, evidence = e,
    text = ("Its scan was begun at %s %s"):format(words.clock(e.time, e.time), text),
    once_per = 86400, dedupe_key = e.observer .. title,
    fields = { filters_duplicates = e.filters_duplicates, hears_listed_only = e.hears_listed_only },
  }
end

on("observer", function(e)
  local it = meet(e.observer)
  -- What was not heard while it filtered says nothing behind it, either.
  if it.filtered then it.begun = e.time end
  it.filtered = nil
  if e.what == "scan_on" then
    it.listened, it.scan_off = true, nil
    if e.filters_duplicates or e.hears_listed_only then tell_limits(e) end
  elseif e.what == "capture_on" then
    it.capture_off = nil
  elseif e.what == "capture_off" then
    it.capture_off = it.capture_off or e
  elseif e.what == "recording_on" then
    begin_recording(it, e.time)
  elseif e.what == "recording_off" then
    it.ended = e.time
  elseif e.what ~= "lost" then
    it.scan_off = it.scan_off or e
  end
end)

-- Nothing is recorded of it any more: a matter for the others, if there are any.
local function judge_ended(it, now)
  if not it.latest or now - it.ended < math.max(limit, ended_limit) then return end
  local other = witness(it, now, it.ended)
  if not other then return end
  local how, since, was_off = ending(it, now)
  tell(it, now, since, was_off and " does not listen" or " is not recorded any more",
    ("%s, %s ago by the clock of %s, which has gone on hearing others ('beacontrace clocks' tells whether "
      .. "their clocks agree)."):format(how, words.duration(now - it.ended), other.name), both(it, other))
end

local function judge(it, now)
  if it.ended then return judge_ended(it, now) end
  local off = it.capture_off or it.scan_off
  if off then
    if not it.listened or now - off.time < limit then return end
    return tell(it, now, off.time, " does not listen",
      ("%s at %s, and for %s since then it has not been on again."):format(
        SWITCHED_OFF[off.what], words.clock(off.time, now), words.duration(now - off.time)), off)
  end
  if not it.latest then return end
  it.filtered = filters.is_on(it.name)
  if it.filtered then return end
  local since = math.max(it.latest, it.begun or it.latest)
  if now - since < math.max(limit, 3 * it.longest) then return end
  local other = witness(it, now, since)
  if not other then return end
  tell(it, now, since, " hears nobody",
    ("It heard somebody at %s the last time, %s ago; %s has gone on hearing others."):format(
      words.clock(it.latest, now), words.duration(now - it.latest), other.name), both(it, other))
end

every(math.min(1, limit / 4), function(now)
  for name, it in pairs(receivers) do
    local time = heard_anybody_at(name)
    if time and (not it.latest or time > it.latest) then hear(it, time) end
  end
  for _, it in pairs(receivers) do
    if not it.told then judge(it, now) end
  end
end)
