-- A beacon has not been heard for a while, although others were.
--
-- For a radio that stays where it is: whoever walks about leaves beacons behind.
--
-- Silence counts only while the radio hears somebody. Where it hears nobody for long, or the scan is
-- off, it may be deaf; what is missing afterwards begins to be silent then. A beacon that is heard
-- badly has long gaps anyhow: its silence has to be far longer than its gaps usually are. What is usual
-- the gaps of the last few minutes say, but not the longest of them: a beacon that fails now and then
-- would hide its own failures. What was heard a few times only was passing by and is not missed.
--
-- A beacon that fails again and again is told so ("comes and goes"): also shorter absences count, that
-- are not told one by one, and of the longer ones three an hour are.
--
-- With several receivers each tells of its own silence, also of who walked on to the next one. With
-- `nowhere` a beacon is silent when no receiver has heard it for that long: one that heard it until near
-- the end, and goes on hearing others, tells it, and absences are those from all of them.
--
-- A receiver whose controller filters duplicates tells of who is there once, or seldom: its silences and
-- absences do not count, its sightings do. With `nowhere` who was heard last by such a receiver is not missed.
--
-- Where the clock was set back time stands still until it has come as far as before.
--
-- A restart with --state goes on with all of it. One that takes long is a time in which nobody was
-- heard: what is missing behind it begins to be silent then.

plugin { version = "1.0", about = "A beacon that has fallen silent while others were heard" }

local recent = require "beacontrace.recent"
local words = require "beacontrace.words"

local silent = option "after_s" { default = 120, min = 1, help = "silence that counts, in seconds" }
local least = option "sightings" {
  default = 5, type = "integer", min = 1, help = "miss only what was heard as often as that",
}
local only = option "id" { default = "", help = "one beacon's id alone, or how ids begin" }
local away = option "away_s" {
  default = 30, min = 1, help = "an absence that is counted, in seconds",
}
away = math.min(away, silent)
local nowhere = option "nowhere" {
  default = false, help = "tell only what no receiver hears any more",
}

-- So many absences are told together, and so often at most; so many are told one by one meanwhile.
local SEVERAL, SUMMARY = 3, 3600
-- Hearing nobody for so long, a radio may be deaf.
local deaf = silent / 4
-- Identities that stay the same, by observer and id.
local beacons = recent.map("beacons")
-- By id, where silence counts everywhere: when it was heard last by anybody, and who told that it is silent.
local latest = recent.map("latest")
state.save("hearing")
state.save("receivers")
-- By observer: since when it has been hearing somebody, and the latest sighting: its time and frame.
state.hearing = state.hearing or {}
local hearing = state.hearing
-- By name: who has heard anybody. Of several a text says whose silence it is.
state.receivers = state.receivers or {}
local receivers = state.receivers

-- By observer: whether its controller filters duplicates. Any event of it may change that.
local filters = {}

local function is_filtered(observer)
  local known = filters[observer]
  if known == nil then
    known = scan_limits(observer).filters_duplicates
    filters[observer] = known
    if known then
      remark(observer .. " filters duplicates: nobody is told to be silent there, as who is there is seldom heard")
    end
  end
  return known
end

local function listen(observer, time)
  hearing[observer], receivers[observer] = { since = time, latest = time }, true
  return hearing[observer]
end

local function at_receiver(observer)
  local first = next(receivers)
  if nowhere or not first or not next(receivers, first) then return "" end
  return " at " .. observer
end

-- Gaps are counted by their length: the first count is of those below FINEST, which are nobody's
-- silence, and each further one of those that are longer by a fifth. The latest 200 or so count.
local FINEST, STEPS, MANY = away / 16, 4, 200

local function learn(beacon, gap)
  local place = 1
  if gap >= FINEST then place = math.floor(math.log(gap / FINEST, 2) * STEPS) + 2 end
  local gaps = beacon.gaps
  for missing = #gaps + 1, place do gaps[missing] = 0 end
  gaps[place] = gaps[place] + 1
  beacon.learned = beacon.learned + 1
  if beacon.learned < MANY then return end
  beacon.learned = 0
  for number, count in ipairs(gaps) do
    gaps[number] = count // 2
    beacon.learned = beacon.learned + count // 2
  end
end

-- A length that a share of the gaps does not exceed.
local function quantile(beacon, share)
  local rest = beacon.learned * share
  for number, count in ipairs(beacon.gaps) do
    rest = rest - count
    if rest <= 0 then return FINEST * 2 ^ ((number - 1) / STEPS) end
  end
  return 0
end

-- A silence that is not chance. Of regular gaps it is three; of gaps that chance makes (each sighting is
-- heard or lost by itself) one that comes once in a million.
local function unusual(beacon)
  if beacon.learned == 0 then return 0 end
  local most, half = quantile(beacon, 0.9), quantile(beacon, 0.5)
  return math.max(3 * most, half + 8 * (most - half))
end

on("start", function(e)
  for _, beacon in beacons:each() do
    -- An earlier run's frames cannot be cited, its site may have had other names, and the clock may
    -- have been set back.
    beacon.capture, beacon.frame, beacon.is_named = nil, nil, false
    beacon.time = math.min(beacon.time, e.time)
    -- An earlier version kept neither names nor gaps.
    beacon.name = beacon.name or beacon.id
    beacon.gaps, beacon.learned = beacon.gaps or {}, beacon.learned or 0
    beacon.tellings = beacon.tellings or {}
  end
  for _, last in latest:each() do
    last.capture, last.frame, last.time = nil, nil, math.min(last.time, e.time)
  end
  for observer, ear in pairs(hearing) do
    if math.abs(e.time - ear.latest) > deaf then hearing[observer] = nil end
    ear.capture, ear.frame, receivers[observer] = nil, nil, true
  end
end)

on("observer", function(e)
  filters[e.observer] = nil
  -- What was heard before the scan began anew, or ended, says nothing about afterwards.
  if e.what == "scan_on" then listen(e.observer, e.time)
  -- Between two captures: only a time that is long enough is one in which nobody was heard.
  elseif e.what == "recording_off" or e.what == "recording_on" then return
  else hearing[e.observer] = nil end
end)

-- When a sighting counts, and since when the observer has been hearing somebody without a long break.
local function hear(observer, s)
  local time, ear = s.time, hearing[observer]
  if not ear then ear = listen(observer, time) end
  time = math.max(time, ear.latest)
  if time - ear.latest > deaf then ear.since = time end
  ear.latest, ear.capture, ear.frame = time, s.capture, s.frame
  return time, ear.since
end

local function evidence_of(it)
  return it.frame and { capture = it.capture, frame = it.frame }
end

-- Of what can be cited.
local function both(first, second)
  if first and second then return { first, second } end
  return first or second
end

-- Tells of several absences together.
local function sum_up(beacon, evidence)
  local absences = beacon.absences
  absences.told = absences.count
  alert {
    severity = "warning",
    title = beacon.name .. " comes and goes",
    text = ("It was away %d times%s, %s in all, since %s; the longest time was %s."):format(
      absences.count, at_receiver(beacon.observer), words.duration(absences.total),
      words.clock(absences.since, absences.latest), words.duration(absences.longest)),
    observer = beacon.observer,
    evidence = evidence,
    fields = {
      absences = absences.count, away_s = absences.total, longest_s = absences.longest,
      since = utc(absences.since),
    },
  }
end

-- It is back after so many seconds in which the radio listened.
local function count_absence(beacon, seconds, s)
  local absences = beacon.absences
  -- One a day is no coming and going.
  if not absences or s.time - absences.latest > 86400 then
    absences = { count = 0, total = 0, longest = 0, told = 0, since = beacon.time }
    beacon.absences = absences
  end
  absences.count, absences.total = absences.count + 1, absences.total + seconds
  absences.longest, absences.latest = math.max(absences.longest, seconds), s.time
  if absences.count < SEVERAL then return end
  if absences.told_at and s.time - absences.told_at < SUMMARY then return end
  absences.told_at = s.time
  sum_up(beacon, both(evidence_of(beacon), s))
end

-- A silence that was told has ended.
local function tell_back(beacon, last, s, time, since)
  alert {
    severity = "info", title = beacon.name .. " is back", evidence = both(evidence_of(last), s),
    text = ("It was not heard%s for %s, since %s%s."):format(
      at_receiver(beacon.observer), words.duration(time - last.time), words.clock(last.time, time),
      since > last.time and ("; without a break the radio has been listening since %s"):format(
        words.clock(since, time)) or ""),
    fields = { silent_s = time - last.time, last_seen = utc(last.time) },
  }
  beacon.told = false
end

-- When anybody heard it before. Tells of the end of a silence that another receiver told.
local function hear_anywhere(id, s, time, since, filtered)
  local last = latest:get(id) or latest:set(id, { time = time })
  local before = last.time
  local teller = last.teller and beacons:get(last.teller)
  if teller and teller.told then tell_back(teller, last, s, time, since) end
  last.time, last.frame, last.capture, last.teller = math.max(before, time), s.frame, s.capture, nil
  last.filtered = filtered or nil
  return before
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local id, stamp, observer = s.id, s.time, s.observer
  if not stamp then return end
  local time, since = hear(observer, s)
  local filtered = is_filtered(observer)
  if id:sub(1, #only) ~= only then return end

  local key = observer .. "\n" .. id
  local beacon = beacons:get(key)
  local is_new = not beacon
  if is_new then
    beacon = beacons:set(key, {
      id = id, observer = observer, count = 0, gaps = {}, learned = 0, tellings = {}, time = time,
    })
  end
  if not beacon.is_named then beacon.name, beacon.is_named = name_of(s), true end
  local elsewhere = nowhere and hear_anywhere(id, s, time, since, filtered) > beacon.time
  if beacon.told then tell_back(beacon, beacon, s, time, since) end
  if not is_new and not filtered then
    local gap = time - math.max(beacon.time, since)
    -- While another receiver heard it, it was not away; how badly this one hears it is learned all the same.
    if not elsewhere and gap >= away and beacon.count >= least and gap >= unusual(beacon) then
      count_absence(beacon, gap, s)
    end
    -- How long ago its last one was nobody knows while the clock is behind.
    if time == stamp then learn(beacon, gap) end
  end
  beacon.stamp = time ~= stamp and stamp or nil
  beacon.time, beacon.frame, beacon.capture = time, s.frame, s.capture
  beacon.count = beacon.count + 1
end)

local function is_silent(beacon, now)
  local ear = hearing[beacon.observer]
  if is_filtered(beacon.observer) then return false end
  if not ear or now - ear.latest > deaf or ear.latest <= beacon.time then return false end
  local seconds = now - math.max(beacon.time, ear.since)
  if seconds < silent or seconds < unusual(beacon) then return false end
  if nowhere then
    local last = latest:get(beacon.id)
    if last.filtered and last.time > beacon.time then return false end
    if last.teller or now - last.time < silent or last.time - beacon.time >= silent then return false end
  end
  local tellings = beacon.tellings
  return #tellings < SEVERAL or now - tellings[1] >= SUMMARY
end

-- What the silence is made of: behind a pause of the radio the listening counts alone.
local function story(beacon, ear, now)
  local last = words.clock(beacon.time, now)
  local stamped = beacon.stamp and (" Its last record is stamped %s: the clock had been set back."):format(
    words.clock(beacon.stamp, now)) or ""
  if nowhere then
    local at = latest:get(beacon.id).time
    if ear.since > at then
      return ("Heard by no receiver since %s. %s, where it was last heard at %s, did not listen, or heard nobody, "
        .. "before %s; since then it has heard others for %s.%s"):format(
        words.clock(at, now), beacon.observer, last, words.clock(ear.since, now), words.duration(now - ear.since),
        stamped)
    end
    return ("Heard by no receiver since %s, for %s; others were, at %s, where it was last heard at %s.%s"):format(
      words.clock(at, now), words.duration(now - at), beacon.observer, last, stamped)
  end
  if ear.since <= beacon.time then
    return ("Not heard%s since %s, for %s; others were.%s"):format(
      at_receiver(beacon.observer), last, words.duration(now - beacon.time), stamped)
  end
  return ("Last heard%s at %s; the radio did not listen, or heard nobody, before %s. Since then it has heard "
    .. "others for %s, and not this one.%s"):format(
    at_receiver(beacon.observer), last, words.clock(ear.since, now), words.duration(now - ear.since), stamped)
end

local function tell(beacon, now)
  beacon.told = true
  local last = nowhere and latest:get(beacon.id) or beacon
  if nowhere then last.teller = beacon.observer .. "\n" .. beacon.id end
  local tellings, ear = beacon.tellings, hearing[beacon.observer]
  tellings[#tellings + 1] = now
  if #tellings > SEVERAL then table.remove(tellings, 1) end
  alert {
    severity = "warning",
    title = beacon.name .. " is silent",
    text = story(beacon, ear, now),
    observer = beacon.observer,
    evidence = both(evidence_of(last), evidence_of(ear)),
    fields = {
      last_seen = utc(last.time), sightings = beacon.count,
      listened_s = now - math.max(beacon.time, ear.since),
    },
  }
end

every(math.min(1, silent / 4), function(now)
  for _, beacon in beacons:each() do
    if not beacon.told and beacon.count >= least and is_silent(beacon, now) then tell(beacon, now) end
  end
end)

on("finish", function()
  for _, beacon in beacons:each() do
    local absences = beacon.absences
    if absences and absences.count >= SEVERAL and absences.count > absences.told then
      sum_up(beacon, evidence_of(beacon))
    end
  end
end)
