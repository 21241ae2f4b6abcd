-- Somebody recorded a beacon whose identifiers change, and sends again what it sent: an Eddystone-EID of a key that is
-- there (--keys), far behind what the same key's others say, or sent for longer than it lasts.
--
-- A beacon sends each identifier once, for two periods at most (it changes at a moment that chance draws), and later
-- ones behind earlier ones. What comes behind one that is later by two periods and more is told; at one receiver
-- their order alone decides, so that clocks of receivers may be set. Of two that are heard by turns those that are
-- ahead are the odd ones where they are half as many at most: who has no key has recorded nothing later than what the
-- beacon sends now, unless its clock was set forward for that. One that is sent for longer than two periods is told,
-- too, whether the beacon is heard or not.
--
-- What a receiver hears is compared with what others hear at the same time. Their clocks may differ, by clocks_within_s
-- at most; where they differ by more, 'beacontrace clocks' says so. Who sends an identifier again at once, within its
-- time, cannot be told by it.
--
-- What else looks like it: a beacon that lost its power goes on from an old time, and one that was set up anew
-- begins at 0; its clock may stand still; and two devices may have one key.

plugin { version = "1.0", about = "An identifier of a beacon's key that was recorded and is sent again" }

local apart = option "clocks_within_s" {
  default = 60, min = 0, help = "clocks of several receivers differ by so many seconds at most",
}
local hours = option "once_per_h" { default = 1, min = 0.01, help = "tell of one sender once in so many hours" }

-- Frames come late, and crystals are off: seconds, and one in so many.
local SLACK, DRIFT = 2, 5000
-- Of one key and receiver.
local MOST_VOICES, MOST_STAYS = 16, 64

-- By key, then by observer: what was heard there. A voice is identifiers that lie together on a clock that runs.
local keys = {}

local function place(s)
  return {
    time = s.time, capture = s.capture, frame = s.frame, address = s.address, sent = s.eid_sent, clock_s = s.clock_s,
  }
end

local function span(seconds)
  seconds = math.floor(seconds + 0.5)
  if seconds < 60 then return ("%d s"):format(seconds) end
  if seconds < 3600 then return ("%d min %02d s"):format(seconds // 60, seconds % 60) end
  if seconds < 86400 then return ("%d h %02d min"):format(seconds // 3600, seconds // 60 % 60) end
  return ("%d d %02d h"):format(seconds // 86400, seconds // 3600 % 24)
end

local function range(voice, low, high)
  return math.min(voice.low, low), math.max(voice.high, high)
end

-- Whether its beginnings lie on the voice's clock: less than two periods are between them.
local function fits(voice, s)
  local ahead = s.clock_s - s.time
  local low, high = range(voice, ahead, ahead)
  return high - low <= 2 * s.lasts_s + 1 + math.abs(s.time - voice.first.time) / DRIFT
end

local function add(voice, s, is_on_clock)
  if s.clock_s > voice.top then voice.top, voice.count = s.clock_s, voice.count + 1 end
  local last = voice.last
  last.time, last.capture, last.frame, last.address = s.time, s.capture, s.frame, s.address
  last.sent, last.clock_s = s.eid_sent, s.clock_s
  if is_on_clock then
    local ahead = s.clock_s - s.time
    voice.low, voice.high = range(voice, ahead, ahead)
  end
end

local function begin(heard, s)
  if #heard.voices == MOST_VOICES then
    -- The beacon's own is heard more often than any of these.
    local least = 1
    for i, voice in ipairs(heard.voices) do
      if voice.count < heard.voices[least].count then least = i end
    end
    table.remove(heard.voices, least)
  end
  local ahead = s.clock_s - s.time
  local voice = {
    first = place(s), last = place(s), low = ahead, high = ahead, top = s.clock_s, count = 1,
    observer = s.observer, began = heard.turn,
  }
  heard.voices[#heard.voices + 1] = voice
  return voice
end

-- The voice that it goes on with, or one of its own. One that is alone in its voice goes on with that, unless it is its
-- turn on the clock of others.
local function voice_of(heard, s)
  local found
  for _, voice in ipairs(heard.voices) do
    if fits(voice, s) and (not found or voice.heard > found.heard) then found = voice end
  end
  local stay = heard.stays[s.clock_s]
  if stay and (stay.is_still or stay.voice.count == 1 and not (found and found.count > 1)) then
    add(stay.voice, s, not stay.is_still and fits(stay.voice, s))
    return stay.voice
  end
  if found then
    add(found, s, true)
    return found
  end
  return begin(heard, s)
end

local function tell(s, odd, title, text, evidence, fields)
  local cited = {}
  for _, where in ipairs(evidence) do
    if where.frame then cited[#cited + 1] = where end
  end
  fields.key, fields.eid_sent, fields.lasts_s = s.key, odd.sent, s.lasts_s
  fields.address = odd.address
  alert {
    severity = "warning", title = title, text = text, evidence = cited, about = s, fields = fields,
    dedupe_key = s.key .. " " .. (odd.address or odd.sent), once_per = hours * 3600,
  }
end

-- Sent for longer than it lasts: the longest pause aside, in which the receiver's clock may have been set.
local function judge_stay(heard, voice, s)
  local stay = heard.stays[s.clock_s]
  if not stay or stay.voice ~= voice then
    if not stay then
      heard.stay_count = heard.stay_count + 1
      if heard.stay_count > MOST_STAYS then heard.stays, heard.stay_count = {}, 1 end
    end
    heard.stays[s.clock_s] = { voice = voice, first = place(s), last = s.time, sent = 0, pause = 0 }
    return
  end
  local pause = math.max(0, s.time - stay.last)
  stay.sent, stay.pause, stay.last = stay.sent + pause, math.max(stay.pause, pause), s.time
  if stay.is_still or stay.sent - stay.pause <= 2 * s.lasts_s + SLACK then return end
  stay.is_still = true
  -- It was told as one that is behind.
  if voice.is_told then return end
  voice.is_told = true
  local sent = stay.pause > s.lasts_s and stay.sent - stay.pause or stay.sent
  local due = s.clock_due_s and s.clock_due_s - s.clock_s
  local away = ""
  if due and math.abs(due) > 2 * s.lasts_s then
    away = (" By the key's line it is %s %s."):format(span(math.abs(due)), due > 0 and "old" or "ahead")
  end
  tell(s, stay.first, s.key .. ": an identifier is sent for longer than it lasts",
    ("%s lasts %s, and is sent for %s: somebody recorded it and sends it again, or the beacon's clock stands still.%s")
      :format(s.eid_sent, span(s.lasts_s), span(sent), away),
    { stay.first, s }, { sent_for_s = math.floor(sent) })
end

local function tell_apart(s, odd, ahead, beside, why, evidence)
  odd.is_told = true
  local first = odd.first
  tell(s, first, ("%s: an identifier is %s the others"):format(s.key, ahead < 0 and "behind" or "ahead of"),
    ("%s from %s at %s is %s %s %s: %s."):format(first.sent, first.address or "nobody", odd.observer,
      span(math.abs(ahead)), ahead < 0 and "behind" or "ahead of", beside, why),
    evidence, { ahead_s = math.floor(ahead) })
end

-- Behind one that is later, at the same receiver: by their order, as clocks may be set.
local function judge_here(heard, voice, s)
  local newest = heard.newest
  if not newest or s.clock_s >= newest.where.clock_s then
    heard.newest = { where = place(s), voice = voice }
    return
  end
  local high = newest.voice
  if voice == high or newest.where.clock_s - s.clock_s < 2 * s.lasts_s then return end
  local is_between = voice.began < high.began or high.heard > voice.began
  local ahead = newest.where.clock_s - s.clock_s + math.max(0, s.time - newest.where.time)
  if is_between and 2 * high.count <= voice.count then
    if high.is_told then return end
    return tell_apart(s, high, ahead, "what is sent before and after it",
      "who sends it has the key, or recorded it while the beacon's clock was set forward",
      { high.first, s })
  end
  if voice.is_told then return end
  tell_apart(s, voice, -ahead, "what was heard before it", "somebody recorded it and sends it again, "
    .. (is_between and "" or "the beacon's clock fell back, ") .. "or two devices have the key", { newest.where, s })
end

-- Far from what others hear at the same time.
local function judge_elsewhere(of, voice, s)
  local far
  for _, heard in ipairs(of) do
    local other = heard.latest
    if other and other.observer ~= voice.observer and not other.is_told
      and s.time - other.last.time <= 2 * s.lasts_s + apart then
      local low, high = range(other, voice.low, voice.high)
      local first = math.min(other.first.time, voice.first.time)
      if high - low <= 2 * s.lasts_s + SLACK + apart + math.abs(s.time - first) / DRIFT then return end
      if not far or other.count > far.count then far = other end
    end
  end
  if not far then return end
  local low, high = voice, far
  if far.low < voice.low then low, high = far, voice end
  local odd, other = low, high
  if 2 * high.count <= low.count then odd, other = high, low end
  local ahead = (odd.low + odd.high - other.low - other.high) / 2
  tell_apart(s, odd, ahead, ("what %s hears at the time"):format(other.observer),
    ("somebody recorded %s and sends that again, the beacon's clock fell back, or two devices have the key, unless "
      .. "clocks of receivers are more than %g s apart"):format(ahead < 0 and "it" or "the beacon", apart),
    { far.last, s })
end

on("sighting", { kind = "eddystone-eid-resolved" }, function(s)
  if not s.time then return end
  local of = keys[s.key] or {}
  keys[s.key] = of
  local heard
  for _, known in ipairs(of) do
    if known.observer == s.observer then heard = known end
  end
  if not heard then
    heard = { observer = s.observer, voices = {}, stays = {}, stay_count = 0, turn = 0 }
    of[#of + 1] = heard
  end
  heard.turn = heard.turn + 1
  local voice = voice_of(heard, s)
  voice.heard = heard.turn
  judge_here(heard, voice, s)
  judge_stay(heard, voice, s)
  if voice.is_told then return end
  heard.latest = voice
  judge_elsewhere(of, voice, s)
end)
