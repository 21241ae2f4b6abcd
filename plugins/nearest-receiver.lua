-- A beacon went from one receiver to another: which of them hears it best has changed.
--
-- For receivers that stay where they are, each with a name of its own, and tags that are carried. Each hears a
-- tag by the middle of its signals of the last seconds; who does not hear it at all is farther away than anybody
-- who does. Halfway between two receivers signals go up and down: the other one has to hear it better by some
-- dB, and for some time, before that is a change. Receivers are taken as equals: where one hears everything
-- louder, by its antenna or its place, tags seem to be nearer to it.
--
-- What the receivers hear of one packet is judged together, a second behind the first of them. A tag that sends so
-- seldom that its latest five packets reach back farther than `lasting_s` is judged by these: where it went is told
-- some of its packets later, of one that sends once a minute after four minutes or so.
--
-- A receiver that hears a tag without a strength (RSSI 127) hears it, and nobody knows how well: while the one where a
-- tag is does so nothing is judged of it, and of another one it is said.
--
-- A receiver that hears nobody, not even devices that are no beacons, may be deaf: that a tag is heard better elsewhere
-- then does not say that it left, and that it is heard best there when the receiver hears again does not say that it
-- came. Both are told all the same, with a word on that, for where it is heard is known.
--
-- A receiver whose controller filters duplicates tells of a tag once a minute, or once for all. What it told counts
-- for two times of its filter: how often that lets a tag pass is learned from all tags there. Where it lets nobody
-- pass twice within minutes, and until that is known, the receiver is left out; alerts of what it heard say so.
--
-- Devices are followed by their names (--device, --keys), whatever they send, and so are beacons whose identity
-- changes, by their keys' names.
--
-- When it came is told by two times: since when the other receiver hears it without a break (heard_since), and since
-- when it hears it best (since), which is up to lasting_s later, as what was heard before still counts; and when the
-- receiver that it left heard it last (last_heard).
--
-- Clocks of receivers have to go alike within a second: 'beacontrace clocks' says whether they do.
--
-- A restart with --state goes on with where everything was.

plugin { version = "1.4", about = "A beacon that has come nearer to another receiver" }

local filters = require "beacontrace.filters"
local recent = require "beacontrace.recent"
local stats = require "beacontrace.stats"
local words = require "beacontrace.words"

local margin = option "by_db" { default = 6, min = 0, max = 60, help = "so much better, in dB" }
local lasting = option "lasting_s" { default = 20, min = 1, help = "for so long, in seconds" }
local only = option "id" { default = "", help = "one beacon's id alone, or how ids begin" }

-- The latest signals of each receiver that are kept of a tag.
local SIGNALS = 60
-- So many of a tag's latest packets count, however long ago. What comes within so many seconds is one packet of it, or
-- several: then all have come that receivers heard of it.
local PACKETS, SETTLING = 5, math.min(1, lasting / 2)
-- By device or id: per receiver its signals (ears), when its latest packets began (packets), where the tag is (at), and
-- who is going to be next.
local tags = recent.map("tags")
state.save("hearing")
-- By receiver: when it heard anybody last (latest), since when it does without a break (since), and until when it did
-- before that (before). Earlier versions kept the first of these alone.
state.hearing = state.hearing or {}
local hearing = state.hearing
for receiver, latest in pairs(hearing) do
  if type(latest) == "number" then hearing[receiver] = { latest = latest, since = latest } end
end
local first_receiver, has_several

-- How often the filter of a receiver lets a tag pass. What it told counts for so many times of that, unless that
-- is too long to say where a tag is now.
local rhythm = filters.rhythm("repeats", lasting)
local HELD, LONGEST = 2, 300
-- Of this run: those that filtered at any time, and those that told of somebody without a strength.
local filtered_now, without_strength = {}, {}

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, tag in tags:each() do
    for _, ear in pairs(tag.ears) do ear.capture, ear.frame = nil, nil end
    tag.next, tag.looked_at, tag.name, tag.packets = nil, nil, nil, tag.packets or {}
  end
end)

-- For how long what a receiver that filters told counts; nil: not at all.
local function held_filtered(observer)
  local usual = rhythm:seconds(observer)
  local long = usual and HELD * usual
  return long and long <= LONGEST and math.max(lasting, long) or nil
end

local function held(observer)
  if filters.is_on(observer) then return held_filtered(observer) end
  return lasting
end

-- From when on what a receiver heard of a tag counts, where it counts for so long.
local function counts_from(tag, now, long)
  return math.min(now - long, tag.packets[1] or now)
end

-- The middle of each packet's signals.
local function by_packet(tag, ear)
  local packets, middles, own, number = tag.packets, {}, {}, 1
  for place, time in ipairs(ear.times) do
    while packets[number + 1] and time >= packets[number + 1] do
      middles[#middles + 1] = stats.median(own)
      own, number = {}, number + 1
    end
    own[#own + 1] = ear.signals[place]
  end
  middles[#middles + 1] = stats.median(own)
  return middles
end

-- The middle of what a receiver heard lately; nil where it heard none. And whether it heard the tag, with no strength.
local function level(tag, ear, now, long)
  local times, signals, from = ear.times, ear.signals, counts_from(tag, now, long)
  while #times > 0 and (times[1] < from or times[1] > now + long) do
    table.remove(times, 1)
    table.remove(signals, 1)
  end
  if #signals == 0 then return nil, ear.unknown_at and ear.unknown_at >= from and ear.unknown_at <= now + long end
  -- Of who sent more often before each packet counts alike.
  return stats.median(from < now - long and by_packet(tag, ear) or signals)
end

-- Who hears it best, of equals the first by name; what each hears; and who was left out, by name: why.
local function nearest(tag, now)
  local best, left_out
  local levels = {}
  for receiver, ear in pairs(tag.ears) do
    local long = held(receiver)
    local heard, is_unknown
    if long then heard, is_unknown = level(tag, ear, now, long) end
    if not long or is_unknown then
      left_out = left_out or {}
      left_out[receiver] = long and "strength" or "filter"
    end
    levels[receiver] = heard
    if heard and (not best or heard > levels[best] or heard == levels[best] and receiver < best) then
      best = receiver
    end
  end
  return best, levels, left_out
end

local function place(ear)
  return ear and ear.frame and { capture = ear.capture, frame = ear.frame } or nil
end

-- The receiver hears somebody: a beacon, or anybody else.
local function listen(receiver, time)
  local ear = hearing[receiver]
  if not ear then
    hearing[receiver] = { latest = time, since = time }
  elseif time > ear.latest then
    if time - ear.latest > (held(receiver) or lasting) then ear.before, ear.since = ear.latest, time end
    ear.latest = time
  end
end

every(1, function()
  for receiver in pairs(hearing) do
    local time = heard_anybody_at(receiver)
    if time then listen(receiver, time) end
  end
end)

-- Why it is not known whether the tag left, or came: for the text, and for the title.
local function doubt(tag, now)
  local before, going = tag.at, tag.next
  local ear = hearing[before]
  if not ear or now - ear.latest > (held(before) or lasting) then
    return (" %s may be deaf: it has heard nobody since %s."):format(
      before, ear and words.clock(ear.latest, now) or "the beginning"), ", which may be deaf"
  end
  local there = hearing[going.receiver]
  -- Who heard this one before his silence and behind it had heard it, and nobody else.
  local came_back = there and there.before and going.since - there.since <= lasting
    and tag.ears[going.receiver].since > there.before
  if came_back and tag.since and there.since > tag.since then
    return (" %s had heard nobody from %s to %s: it may have been there before."):format(
      going.receiver, words.clock(there.before, now), words.clock(there.since, now)),
      (" (%s hears again)"):format(going.receiver)
  end
  return "", ""
end

local LEFT_OUT = {
  filter = " Left out, for a filter that lets a tag pass too seldom: %s.",
  strength = " Heard without a strength (RSSI 127), perhaps nearer: by %s.",
}

-- What is not as it seems: how old the signal of a filter is, and who was not asked.
local function caution(tag, now, left_out)
  local parts = {}
  for _, receiver in ipairs { tag.next.receiver, tag.at } do
    if filters.is_on(receiver) then
      parts[#parts + 1] = (" %s filters duplicates: it told of it at %s the last time."):format(
        receiver, words.clock(tag.ears[receiver].latest, now))
    end
  end
  local names = { filter = {}, strength = {} }
  for receiver, why in pairs(left_out or {}) do table.insert(names[why], receiver) end
  for _, why in ipairs { "filter", "strength" } do
    table.sort(names[why])
    if #names[why] > 0 then parts[#parts + 1] = LEFT_OUT[why]:format(table.concat(names[why], ", ")) end
  end
  return table.concat(parts)
end

-- The frames that prove it, in order of what is told; each once.
local function evidence_of(...)
  local list, last = {}, nil
  for number = 1, select("#", ...) do
    local it = select(number, ...)
    if it and not (last and it.capture == last.capture and it.frame == last.frame) then
      list[#list + 1], last = it, it
    end
  end
  return #list > 0 and list or nil
end

local function tell(tag, levels, left_out, now)
  local before, going = tag.at, tag.next
  local evidence = evidence_of(place(tag.ears[before]), going.first, place(tag.ears[going.receiver]))
  local there, here = tag.ears[going.receiver], tag.ears[before]
  local was = levels[before] and ("%.0f dBm at %s"):format(levels[before], before)
    or ("not heard at %s%s"):format(before, here and " since " .. words.clock(here.latest, now) or "")
  -- When it began to send seldom what it is heard by seems to break off.
  local heard_since = math.min(there.since, going.since)
  local heard, best = words.clock(heard_since, now), words.clock(going.since, now)
  local unsure, in_title = doubt(tag, now)
  alert {
    severity = "info",
    title = ("%s is heard best by %s, before by %s%s"):format(
      tag.name, going.receiver, before, in_title),
    text = ("Heard there since %s%s: %.0f dBm there, %s.%s%s"):format(
      heard, best ~= heard and ", best since " .. best or "", levels[going.receiver], was, unsure,
      caution(tag, now, left_out)),
    observer = going.receiver,
    evidence = evidence,
    fields = {
      from = before, to = going.receiver, rssi = levels[going.receiver], before_rssi = levels[before],
      since = utc(going.since), heard_since = utc(heard_since), last_heard = here and utc(here.latest),
      may_be_deaf = unsure ~= "",
    },
  }
end

-- `now` is when its latest packet began.
local function judge(tag, now)
  local best, levels, left_out = nearest(tag, now)
  if not best or tag.at and left_out and left_out[tag.at] == "strength" then
    tag.next = nil
    return
  end
  local own = tag.at and levels[tag.at]
  if best == tag.at then tag.left_out = left_out end
  if best == tag.at or own and levels[best] < own + margin then
    tag.next = nil
    return
  end
  if not tag.next or tag.next.receiver ~= best then
    tag.next = { receiver = best, since = math.max(now, tag.ears[best].since), first = place(tag.ears[best]) }
    return
  end
  if now - tag.next.since < lasting then return end
  -- Where it was at first is nothing that changed, nor is that it stands where nobody was asked before; of one that
  -- is not asked any more it is not known.
  if tag.at and held(tag.at) and not (tag.left_out and tag.left_out[best]) then
    tell(tag, levels, left_out, now)
  end
  tag.at, tag.since, tag.next, tag.left_out = best, now, nil, left_out
end

-- How far apart packets of a tag usually are: of absences among them it is none.
local function usual_gap(packets)
  local gaps = {}
  for number = 2, #packets do gaps[#gaps + 1] = packets[number] - packets[number - 1] end
  table.sort(gaps)
  return gaps[(#gaps + 1) // 2] or 0
end

-- A receiver hears a tag.
local function hear(tag, s)
  local receiver, time = s.observer, s.time
  local ear = tag.ears[receiver]
  if not ear then
    ear = { times = {}, signals = {} }
    tag.ears[receiver] = ear
  end
  -- Of one that sends seldom some packets are no break.
  local long = math.max(held(receiver) or lasting, PACKETS * (tag.usual or 0))
  if not ear.since or time - ear.latest > long then ear.since = time end
  ear.latest, ear.capture, ear.frame = time, s.capture, s.frame
  if not s.rssi then
    ear.unknown_at, without_strength[receiver] = time, true
    return
  end
  ear.times[#ear.times + 1], ear.signals[#ear.signals + 1] = time, s.rssi
  if #ear.times > SIGNALS then
    table.remove(ear.times, 1)
    table.remove(ear.signals, 1)
  end
end

-- Packets that may not have come to all, in their order.
local waiting = {}

local function settle(one)
  judge(one.tag, one.began)
  one.is_settled = true
  while waiting[1] and waiting[1].is_settled do table.remove(waiting, 1) end
end

local kinds = {
  "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid-resolved", "device",
}
on("sighting", { kind = kinds }, function(s)
  if not s.time then return end
  local receiver = s.observer
  if first_receiver and receiver ~= first_receiver then has_several = true end
  first_receiver = first_receiver or receiver
  listen(receiver, s.time)
  if filters.is_on(receiver) then
    filtered_now[receiver] = true
    rhythm:hear(receiver, s.id, s.time)
  end
  if s.id:sub(1, #only) ~= only then return end

  local key = s.device or s.id
  local tag = tags:get(key) or tags:set(key, { ears = {}, packets = {} })
  tag.name = tag.name or name_of(s)
  local packets = tag.packets
  local last = packets[#packets]
  local is_new = not last or math.abs(s.time - last) >= SETTLING
  -- Before this one: it may end an absence.
  if is_new then tag.usual = usual_gap(packets) end
  hear(tag, s)
  if not is_new then return end
  -- The clock was set back.
  if last and s.time < last then packets = {} end
  tag.packets = packets
  packets[#packets + 1] = s.time
  if #packets > PACKETS then table.remove(packets, 1) end
  local one = { tag = tag, began = s.time }
  waiting[#waiting + 1] = one
  after(SETTLING, function() settle(one) end)
end)

on("finish", function()
  -- Nothing more comes of these.
  for _, one in ipairs(waiting) do
    if not one.is_settled then judge(one.tag, one.began) end
  end
  if first_receiver and not has_several then
    remark("nothing was judged: there is one receiver, and this compares receivers (--observer names them)")
  end
  local unknown = {}
  for observer in pairs(without_strength) do unknown[#unknown + 1] = observer end
  table.sort(unknown)
  for _, observer in ipairs(unknown) do
    remark(observer .. " told of tags without a strength (RSSI 127): one that was there was not judged meanwhile")
  end
  local filtering = {}
  for observer in pairs(filtered_now) do filtering[#filtering + 1] = observer end
  table.sort(filtering)
  for _, observer in ipairs(filtering) do
    local long = held_filtered(observer)
    remark(observer .. " filters duplicates" .. (long
      and (": what it told of a tag counted for %s"):format(words.duration(long))
      or ", and was left out: it lets a tag pass too seldom"))
  end
end)
