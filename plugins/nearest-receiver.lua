-- A beacon went from one receiver to another: which of them hears it best has changed.
--
-- For receivers that stay where they are, each with a name of its own, and tags that are carried. Each hears a
-- tag by the middle of its signals of the last seconds; who does not hear it at all is farther away than anybody
-- who does. Halfway between two receivers signals go up and down: the other one has to hear it better by some
-- dB, and for some time, before that is a change. Receivers are taken as equals: where one hears everything
-- louder, by its antenna or its place, tags seem to be nearer to it.
--
-- A receiver that hears nobody may be deaf: that a tag is heard better elsewhere then does not say that it left.
-- It is told all the same, with a word on that, for where it is heard is known.
--
-- A receiver whose controller filters duplicates is left out: it tells of a tag once a minute, or once for all, and
-- what it told last says nothing of where the tag is now.
--
-- Clocks of receivers have to go alike within seconds: 'beacontrace clocks' says whether they do.
--
-- A restart with --state goes on with where everything was.

plugin { version = "1.0", about = "A beacon that has come nearer to another receiver" }

local recent = require "beacontrace.recent"
local stats = require "beacontrace.stats"
local words = require "beacontrace.words"

local margin = option "by_db" { default = 6, min = 0, max = 60, help = "so much better, in dB" }
local lasting = option "lasting_s" { default = 20, min = 1, help = "for so long, in seconds" }
local only = option "id" { default = "", help = "one beacon's id alone, or how ids begin" }

-- The latest signals of each receiver that are kept of a tag; a second has at most one look at them.
local SIGNALS, STEP = 60, 1
-- By device or id: per receiver its signals (ears), where the tag is (at), and who is going to be next.
local tags = recent.map("tags")
state.save("hearing")
-- By receiver: when it heard anybody last.
state.hearing = state.hearing or {}
local hearing = state.hearing
local first_receiver, has_several

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, tag in tags:each() do
    for _, ear in pairs(tag.ears) do ear.capture, ear.frame = nil, nil end
    tag.next, tag.looked_at = nil, nil
  end
end)

-- By observer: whether its controller filters duplicates. Any event of it may change that.
local filters = {}

local function is_filtered(observer)
  local known = filters[observer]
  if known == nil then
    known = scan_limits(observer).filters_duplicates
    filters[observer] = known
    if known then
      remark(observer .. " filters duplicates, and is left out: how it hears a tag now is not known")
    end
  end
  return known
end

on("observer", function(e) filters[e.observer] = nil end)

-- The middle of what a receiver heard lately; nil where it heard nothing.
local function level(ear, now)
  local times, signals = ear.times, ear.signals
  while #times > 0 and (now - times[1] > lasting or times[1] > now + lasting) do
    table.remove(times, 1)
    table.remove(signals, 1)
  end
  return #signals > 0 and stats.median(signals) or nil
end

-- Who hears it best, of equals the first by name; and what each hears.
local function nearest(tag, now)
  local best
  local levels = {}
  for receiver, ear in pairs(tag.ears) do
    local heard = not is_filtered(receiver) and level(ear, now) or nil
    levels[receiver] = heard
    if heard and (not best or heard > levels[best] or heard == levels[best] and receiver < best) then
      best = receiver
    end
  end
  return best, levels
end

local function place(ear)
  return ear and ear.frame and { capture = ear.capture, frame = ear.frame } or nil
end

-- Why it is not known whether the tag left.
local function doubt(before, now)
  local last = hearing[before]
  if last and now - last <= lasting then return "" end
  return (" %s may be deaf: it has heard nobody since %s."):format(
    before, last and words.clock(last, now) or "the beginning")
end

local function tell(tag, s, levels)
  local before, going, now = tag.at, tag.next, s.time
  local evidence = { s }
  if going.first then table.insert(evidence, 1, going.first) end
  local last = place(tag.ears[before])
  if last then table.insert(evidence, 1, last) end
  local was = levels[before] and ("%.0f dBm"):format(levels[before]) or "not heard"
  local unsure = doubt(before, now)
  alert {
    severity = "info",
    title = ("%s is heard best by %s, before by %s"):format(name_of(s), going.receiver, before),
    text = ("Since %s: %.0f dBm there, %s at %s.%s"):format(
      words.clock(going.since, now), levels[going.receiver], was, before, unsure),
    observer = going.receiver,
    evidence = evidence,
    fields = {
      from = before, to = going.receiver, rssi = levels[going.receiver], before_rssi = levels[before],
      since = utc(going.since), may_be_deaf = unsure ~= "",
    },
  }
end

local function judge(tag, s)
  local now = s.time
  local best, levels = nearest(tag, now)
  if not best then return end
  local own = tag.at and levels[tag.at]
  if best == tag.at or own and levels[best] < own + margin then
    tag.next = nil
    return
  end
  if not tag.next or tag.next.receiver ~= best then
    tag.next = { receiver = best, since = now, first = place(tag.ears[best]) }
    return
  end
  if now - tag.next.since < lasting then return end
  -- Where it was at first is nothing that changed; of one that has come to filter it is not known.
  if tag.at and not is_filtered(tag.at) then tell(tag, s, levels) end
  tag.at, tag.next = best, nil
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  if not s.time then return end
  local receiver = s.observer
  if first_receiver and receiver ~= first_receiver then has_several = true end
  first_receiver = first_receiver or receiver
  hearing[receiver] = math.max(hearing[receiver] or s.time, s.time)
  if not s.rssi or is_filtered(receiver) or s.id:sub(1, #only) ~= only then return end

  local key = s.device or s.id
  local tag = tags:get(key) or tags:set(key, { ears = {} })
  local ear = tag.ears[receiver]
  if not ear then
    ear = { times = {}, signals = {} }
    tag.ears[receiver] = ear
  end
  ear.times[#ear.times + 1], ear.signals[#ear.signals + 1] = s.time, s.rssi
  ear.capture, ear.frame = s.capture, s.frame
  if #ear.times > SIGNALS then
    table.remove(ear.times, 1)
    table.remove(ear.signals, 1)
  end
  if tag.looked_at and s.time >= tag.looked_at and s.time - tag.looked_at < STEP then return end
  tag.looked_at = s.time
  judge(tag, s)
end)

on("finish", function()
  if first_receiver and not has_several then
    remark("nothing was judged: there is one receiver, and this compares receivers (--observer names them)")
  end
end)
