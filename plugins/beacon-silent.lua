-- A beacon has not been heard for a while, although others were.
--
-- For a radio that stays where it is: whoever walks about leaves beacons behind, and would be told of each. Of walks
-- `missing-beacon` tells what was not heard in any, with `after_s=0` at the end.
--
-- Silence counts only while the radio hears somebody, beacon or not. Where it hears nobody for long, or the scan is
-- off, it may be deaf; what is missing afterwards begins to be silent then. A beacon that is heard
-- badly has long gaps anyhow: its silence has to be far longer than its gaps usually are. What is usual
-- the gaps of the last few minutes say, but not the longest of them: a beacon that fails now and then
-- would hide its own failures. What was heard a few times only was passing by and is not missed.
--
-- A beacon that fails again and again is told so ("comes and goes"): also shorter absences count, that
-- are not told one by one, and of the longer ones three an hour are.
--
-- With several receivers each tells of its own silence, also of who walked on to the next one. With
-- `nowhere` a beacon is silent when no receiver has heard it for that long. One that had not lost it when it
-- was heard last, and goes on hearing others, is the witness of that; the alert is about the one that heard it
-- last. Absences are those from all of them.
--
-- A receiver whose controller filters duplicates tells of who is there once, or seldom: its silences and
-- absences do not count, its sightings do. With `nowhere` who was heard last by such a receiver is missed by
-- the others, who have to have heard it until then, and only when its filter would have let it pass several
-- times: how often it does is learned from everybody there. Where it lets nobody pass twice, and where nobody
-- else heard a beacon, it is not judged; whom that concerns is said at the end.
--
-- When a radio begins to listen less of the time (an app that goes to the background), beacons are heard less often,
-- and so they are judged by what is usual since then; until that is known a silence has to be longer by as much as
-- the radio listens less.
--
-- Where the clock was set back time stands still until it has come as far as before.
--
-- A restart with --state goes on with all of it. One that takes long is a time in which nobody was
-- heard: what is missing behind it begins to be silent then.

plugin { version = "1.6", about = "A beacon that has fallen silent while others were heard (fixed receivers)" }

local filters = require "beacontrace.filters"
local listening = require "beacontrace.listening"
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
-- By id, where silence counts everywhere: when it was heard last, and by whom, and the witness of a silence
-- that was told.
local latest = recent.map("latest")
-- An earlier version kept apart who has ever listened, and when before.
for observer in pairs(state.hearing and state.receivers or {}) do
  local ear = state.hearing[observer] or {}
  ear.before = ear.before or state.stretches and state.stretches[observer]
  state.hearing[observer] = ear
end
state.receivers, state.stretches = nil, nil
-- Who listens, and who has ever listened: of several a text says whose silence it is.
local ears = listening.ears("hearing", deaf)
-- Gaps that are far shorter than an absence are nobody's silence.
local gaps = listening.gaps(away / 16)

-- So many gaps say what is usual.
local ENOUGH = 10

-- Gaps are other ones where a radio listens another part of the time.
-- Observers whose scan began in this run. Of others the share is not known: it is what it was.
local begun = {}
local PARTLY = " listens a part of the time, and misses who is there: silences are told late there, or not at all"
on("observer", { what = "scan_on" }, function(e) begun[e.observer] = true end)

local function share_now(beacon)
  if not begun[beacon.observer] then return beacon.share or 1 end
  return listening.share(beacon.observer, PARTLY) or 1
end

local function learn_anew(beacon, share)
  beacon.rarer, beacon.learned_since = math.max(1, (beacon.share or 1) / share), 0
  beacon.share, beacon.gaps = share < 1 and share or nil, {}
end

local function learn(beacon, gap)
  gaps:learn(beacon.gaps, gap)
  if not beacon.rarer then return end
  beacon.learned_since = beacon.learned_since + 1
  if beacon.learned_since >= ENOUGH then beacon.rarer, beacon.learned_since = nil, nil end
end

-- From how many seconds on a silence is no chance, where one of `base` seconds counts.
local function unusual(beacon, base)
  local share, own = share_now(beacon), beacon.share or 1
  local usual = gaps:unusual(beacon.gaps)
  -- Not heard since it listens less.
  if share < own then return math.max(base, usual) * own / share end
  return beacon.rarer and math.max(base * beacon.rarer, usual) or usual
end

-- How often the filter of a receiver lets the same beacon pass; who was let pass so many times without being
-- heard is not there.
local rhythm = filters.rhythm("repeats", deaf)
local PASSES = 3
local UNTOLD = " filters duplicates: " .. (nowhere and "who is heard by nobody else is not told to be silent"
  or "nobody is told to be silent there, as who is there is seldom heard")

local function is_filtered(observer) return filters.is_on(observer, UNTOLD) end

-- How long who was heard by a filtering receiver may still be there; nil: for ever.
local function patience(observer)
  local usual = rhythm:seconds(observer)
  return usual and math.max(silent, PASSES * usual)
end

local function at_receiver(observer)
  return not nowhere and #ears:observers() > 1 and " at " .. observer or ""
end

on("start", function(e)
  -- An earlier run's frames cannot be cited, its site may have had other names, and the clock may have been
  -- set back.
  for _, last in latest:each() do
    last.capture, last.frame, last.time = nil, nil, math.min(last.time, e.time)
  end
  for _, beacon in beacons:each() do
    beacon.capture, beacon.frame, beacon.is_named = nil, nil, false
    beacon.time = math.min(beacon.time, e.time)
    -- Earlier versions kept neither names nor gaps, or counted these beside them.
    beacon.name, beacon.gaps = beacon.name or beacon.id, beacon.gaps or {}
    if beacon.learned then
      beacon.gaps, beacon.learned = { counts = beacon.gaps, count = beacon.learned }, nil
    end
    beacon.tellings = beacon.tellings or {}
    -- Signals that are stamped later than now cannot be told from later ones.
    if beacon.times and beacon.times[#beacon.times] > e.time then beacon.times, beacon.signals = nil, nil end
    -- The state may be of a run without `nowhere`.
    local last = nowhere and latest:get(beacon.id)
    if nowhere and (not last or last.time < beacon.time) then
      latest:set(beacon.id, {
        time = beacon.time, observer = beacon.observer, address = beacon.address, filtered = beacon.filtered,
      })
    end
  end
end)

-- By observer: whether it has heard anybody in this run, and can be named in alerts.
local heard_now = {}

-- Frames of what can be cited, and the sighting that is handled.
local function cited(...)
  local list = {}
  for _, it in ipairs { ... } do
    if it.frame then list[#list + 1] = it.copy and it or { capture = it.capture, frame = it.frame } end
  end
  return #list > 0 and list or nil
end

-- The strongest signals of the last two minutes: each is weaker than those before it.
local LATELY = 120

local function keep_signal(beacon, time, rssi)
  local times, signals = beacon.times or {}, beacon.signals or {}
  beacon.times, beacon.signals = times, signals
  while #signals > 0 and signals[#signals] <= rssi do
    times[#times], signals[#signals] = nil, nil
  end
  times[#times + 1], signals[#signals + 1] = time, rssi
  while time - times[1] > LATELY do
    table.remove(times, 1)
    table.remove(signals, 1)
  end
end

local function strongest(beacon, since)
  for number, time in ipairs(beacon.times or {}) do
    if time >= since then return beacon.signals[number] end
  end
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
      id = beacon.id, absences = absences.count, away_s = absences.total, longest_s = absences.longest,
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
  sum_up(beacon, cited(beacon, s))
end

-- A silence that was told has ended.
local function tell_back(beacon, last, s, time, since)
  alert {
    severity = "info", title = beacon.name .. " is back", evidence = cited(last, s),
    text = ("It was not heard%s for %s, since %s%s."):format(
      at_receiver(beacon.observer), words.duration(time - last.time), words.clock(last.time, time),
      since > last.time and ("; without a break the radio has been listening since %s"):format(
        words.clock(since, time)) or ""),
    fields = {
      id = beacon.id, silent_s = time - last.time, last_seen = utc(last.time), last_observer = last.observer,
    },
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
  last.observer, last.address, last.filtered = s.observer, s.address, filtered or nil
  return before
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local id, stamp, observer = s.id, s.time, s.observer
  local ear = ears:hear(s)
  if not ear then return end
  local time, since = ear.latest, ear.since
  heard_now[observer] = true
  local filtered = is_filtered(observer)
  if filtered then rhythm:hear(observer, id, stamp) end
  if id:sub(1, #only) ~= only then return end

  local key = observer .. "\n" .. id
  local beacon = beacons:get(key)
  local is_new = not beacon
  if is_new then
    beacon = beacons:set(key, {
      id = id, observer = observer, count = 0, gaps = {}, tellings = {}, time = time,
    })
  end
  if not beacon.is_named then beacon.name, beacon.is_named = name_of(s), true end
  local share = share_now(beacon)
  local is_other = share ~= (beacon.share or 1)
  if is_other then learn_anew(beacon, share) end
  local elsewhere = nowhere and hear_anywhere(id, s, time, since, filtered) > beacon.time
  if beacon.told then tell_back(beacon, beacon, s, time, since) end
  if not is_new and not filtered and not is_other then
    local gap = time - math.max(beacon.time, since)
    -- While another receiver heard it, it was not away; how badly this one hears it is learned all the same.
    if not elsewhere and gap >= away and beacon.count >= least and gap >= unusual(beacon, away) then
      count_absence(beacon, gap, s)
    end
    -- How long ago its last one was nobody knows while the clock is behind.
    if time == stamp then learn(beacon, gap) end
  end
  beacon.stamp = time ~= stamp and stamp or nil
  beacon.time, beacon.frame, beacon.capture, beacon.address = time, ear.frame, ear.capture, s.address
  beacon.kind = s.kind
  beacon.filtered, beacon.lost = filtered or nil, nil
  if nowhere and s.rssi then keep_signal(beacon, time, s.rssi) end
  beacon.count = beacon.count + 1
end)

-- Whether nobody hears a beacon, as far as one receiver that does not hear it can tell.
local function is_gone(beacon, now)
  local last = latest:get(beacon.id)
  -- Forgotten in a crowd.
  if not last then return false end
  if last.teller or beacon.lost == last.time then return false end
  local wait = silent
  if last.filtered then
    wait = patience(last.observer)
    if not wait then return false end
  end
  if now - last.time < wait then return false end
  -- Who had lost it before it was heard last knows nothing of its end; that need not be asked again.
  local without = ears:seconds(beacon.observer, beacon.time, last.time)
  if without < silent or last.filtered and without < gaps:unusual(beacon.gaps) then return true end
  beacon.lost = last.time
  return false
end

local function is_silent(beacon, now)
  if is_filtered(beacon.observer) then return false end
  local ear = ears:of(beacon.observer, now)
  if not ear or ear.latest <= beacon.time then return false end
  local seconds = now - math.max(beacon.time, ear.since)
  if seconds < silent or nowhere and not is_gone(beacon, now) then return false end
  if seconds < unusual(beacon, silent) then return false end
  local tellings = beacon.tellings
  return #tellings < SEVERAL or now - tellings[1] >= SUMMARY
end

-- By whom it was heard in its last two minutes, the best first.
local MOST_NAMED = 5

local function ending(id, at)
  local heard = {}
  for _, observer in ipairs(ears:observers()) do
    local beacon = beacons:get(observer .. "\n" .. id)
    local rssi = beacon and strongest(beacon, at - LATELY)
    if rssi then heard[#heard + 1] = { observer = observer, rssi = rssi } end
  end
  if #heard == 0 then return "" end
  table.sort(heard, function(one, other)
    if one.rssi ~= other.rssi then return one.rssi > other.rssi end
    return one.observer < other.observer
  end)
  local parts = { ("%s heard it at up to %d dBm"):format(heard[1].observer, heard[1].rssi) }
  for number = 2, math.min(#heard, MOST_NAMED) do
    parts[number] = ("%s at %d"):format(heard[number].observer, heard[number].rssi)
  end
  return (" In its last two minutes %s."):format(table.concat(parts, ", "))
end

-- Who heard it last, and who knows that it is silent.
local function story_of_all(beacon, ear, now, stamped)
  local last = latest:get(beacon.id)
  local at, by, witness = last.time, last.observer or beacon.observer, beacon.observer
  local knows = witness
  if by ~= witness then
    -- What lies longer ago is not among the last two minutes.
    local rssi = at - beacon.time > LATELY and strongest(beacon, beacon.time - LATELY)
    knows = ("%s, which heard it until %s%s,"):format(
      witness, words.clock(beacon.time, now), rssi and (" at up to %d dBm"):format(rssi) or "")
  end
  local tells
  if ear.since > at then
    tells = ("%s has heard others without a break only since %s, for %s, and not this one.")
      :format(knows, words.clock(ear.since, now), words.duration(now - ear.since))
  else
    tells = knows .. " has gone on hearing others."
  end
  local filter = last.filtered and (" %s filters duplicates, and usually tells of who is there every %s."):format(
    by, words.duration(rhythm:seconds(by))) or ""
  return ("Heard by no receiver since %s, for %s, and last by %s; %s%s%s%s"):format(
    words.clock(at, now), words.duration(now - at), by, tells, filter, ending(beacon.id, at), stamped)
end

-- What the silence is made of: behind a pause of the radio the listening counts alone.
local function story(beacon, ear, now)
  local last = words.clock(beacon.time, now)
  local stamped = beacon.stamp and (" Its last record is stamped %s: the clock had been set back."):format(
    words.clock(beacon.stamp, now)) or ""
  if nowhere then return story_of_all(beacon, ear, now, stamped) end
  if ear.since <= beacon.time then
    return ("Not heard%s since %s, for %s; others were.%s"):format(
      at_receiver(beacon.observer), last, words.duration(now - beacon.time), stamped)
  end
  return ("Last heard%s at %s; only since %s has the radio heard others without a break, for %s, and "
    .. "not this one.%s"):format(
    at_receiver(beacon.observer), last, words.clock(ear.since, now), words.duration(now - ear.since), stamped)
end

local function tell(beacon, now)
  beacon.told = true
  local last = nowhere and latest:get(beacon.id) or beacon
  if nowhere then last.teller = beacon.observer .. "\n" .. beacon.id end
  local tellings, ear, share = beacon.tellings, ears:of(beacon.observer, now), share_now(beacon)
  local partly = share < 1 and (" %s listens %.0f %% of the time."):format(beacon.observer, share * 100) or ""
  tellings[#tellings + 1] = now
  if #tellings > SEVERAL then table.remove(tellings, 1) end
  alert {
    severity = "warning",
    title = beacon.name .. " is silent",
    text = story(beacon, ear, now) .. partly,
    observer = heard_now[last.observer] and last.observer or beacon.observer,
    -- The last sighting, that of who misses it, and another one that it heard since.
    evidence = cited(last, beacon, ear),
    about = { observer = last.observer or beacon.observer, address = last.address, kind = beacon.kind, id = beacon.id },
    fields = {
      id = beacon.id, address = last.address, last_seen = utc(last.time),
      last_observer = last.observer or beacon.observer, witness = nowhere and beacon.observer or nil,
      sightings = beacon.count, listened_s = (now - math.max(beacon.time, ear.since)) * share,
    },
  }
end

-- Of several that miss the same beacon everywhere the one that heard it last is the witness.
local function is_better(one, other)
  if one.time ~= other.time then return one.time > other.time end
  return one.observer < other.observer
end

-- Before that nobody can be silent, whoever is heard meanwhile: a week has many seconds, and a site many beacons.
local not_before

every(math.min(1, silent / 4), function(now)
  if not_before and now < not_before then return end
  local due, places = {}, {}
  not_before = now + silent
  for _, beacon in beacons:each() do
    local may_be = not beacon.told and beacon.count >= least
    if may_be then not_before = math.min(not_before, beacon.time + silent) end
    if may_be and is_silent(beacon, now) then
      local place = nowhere and places[beacon.id]
      if not place then
        due[#due + 1] = beacon
        places[beacon.id] = #due
      elseif is_better(beacon, due[place]) then
        due[place] = beacon
      end
    end
  end
  for _, beacon in ipairs(due) do tell(beacon, now) end
end)

-- Who was heard last by a receiver that filters, long before the end: whether it left is not known.
local function tell_unjudged(now)
  local names = {}
  local function add(last, observer, beacon)
    if not last.filtered or not beacon or not heard_now[observer] then return end
    if now - last.time < (patience(observer) or silent) then return end
    local list = names[observer] or {}
    names[observer] = list
    list[#list + 1] = beacon.name
  end
  if nowhere then
    for id, last in latest:each() do
      local by = not last.teller and last.observer
      if by then add(last, by, beacons:get(by .. "\n" .. id)) end
    end
  else
    for _, beacon in beacons:each() do
      if not beacon.told then add(beacon, beacon.observer, beacon) end
    end
  end
  local observers = {}
  for observer in pairs(names) do observers[#observers + 1] = observer end
  table.sort(observers)
  for _, observer in ipairs(observers) do
    local list = names[observer]
    table.sort(list)
    local more = #list - 10
    remark(("%s filters duplicates: whether %d beacon%s fell silent that it heard last is not judged: %s%s"):format(
      observer, #list, #list == 1 and "" or "s", table.concat(list, ", ", 1, math.min(#list, 10)),
      more > 0 and (" and %d more"):format(more) or ""))
  end
end

on("finish", function(e)
  for _, beacon in beacons:each() do
    local absences = beacon.absences
    if absences and absences.count >= SEVERAL and absences.count > absences.told then
      sum_up(beacon, cited(beacon))
    end
  end
  tell_unjudged(e.time)
  if only == "" then return end
  for _, beacon in beacons:each() do
    if beacon.id:sub(1, #only) == only then return end
  end
  remark(("nothing was judged: no beacon was heard whose id begins with '%s'"):format(only))
end)
