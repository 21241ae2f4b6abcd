-- Two tags pass a door within seconds of one another.
--
-- The radio hangs at the door. A tag passes where it is heard strongly after having been weak or away
-- for a while; one that is at the door when the radio begins to listen has not passed it. -60 dBm is
-- about a metre from a usual tag: hold one to your door, and set what you hear. Three seconds are
-- two people one behind the other; who waits for the door to close takes longer.
--
-- A beacon that is fixed near the door is heard strongly now and then, as if it passed: say with `id` how the ids of
-- tags begin, and with `at` which receiver hangs at the door where others listen, too.
--
-- Where the radio did not listen (its scan or capture was off, nothing was recorded, the clock was set) for more than
-- half of `again_s`, and where it heard no beacon at all for so long, it begins to listen anew: who is at the door then
-- was perhaps there all along. He passes where he is heard away from it first. Behind a shorter break who was at the
-- door before is known; who is there within `within_s` of its end came during the break, nobody knows when. A receiver
-- that breaks off again and again before anybody could pass is remarked.
--
-- A receiver whose controller filters duplicates is left out: who lies at the door is heard there once a minute, as
-- if he passed again and again. So is one whose radio listens a part of the time, while it does: each window of its
-- scan ends a time in which it was deaf.
--
-- A restart with --state goes on as if there had been none where it took no longer than that. After a
-- longer one the radio begins to listen anew: who passed meanwhile, and when, nobody knows.

plugin { version = "1.3", about = "Two tags that pass within seconds" }

local filters = require "beacontrace.filters"
local listening = require "beacontrace.listening"

local within = option "within_s" { default = 3, min = 0.1, help = "as close together, in seconds" }
local strong = option "min_rssi" {
  default = -60, type = "integer", min = -127, max = 20, help = "at the door from so many dBm on",
}
local again = option "again_s" {
  default = 30, min = 1, help = "a tag passes anew when it was not at the door for so long",
}

local only = option "id" { default = "", help = "tags alone: how their ids begin" }
local at = option "at" { default = "", help = "the receiver at the door alone" }

state.save("doors")
state.doors = state.doors or {}
-- By observer: since when it listens, until when it did, when its latest short break ended, and who was the latest to
-- pass. By id: when a tag was at the door last, and when it was heard away from it since listening began or went on.
local doors = state.doors
-- By observer: when somebody was told within the last minute. A whole group is told by its first ones, and hides none
-- at another door. What is too much `once_per` holds back, which counts it.
state.save("told")
state.told = state.told or {}
local MOST_TOLD, MINUTE = 10, 60
-- By observer: when it began to listen, for how long nobody can pass since, and how often in succession a break came
-- before that had ended.
local stretches = {}
local OFTEN = 3

local TAGS = { ibeacon = true, altbeacon = true, ["eddystone-uid"] = true }
local UNKNOWN = " filters duplicates: who passes there is not known, and was not told"
local PARTLY = " listens a part of the time: who passes there is not known, and was not told"
-- Hearing nobody for longer, the radio may be deaf. Who lies at the door would pass it behind `again` at the latest.
local deaf = again / 2

-- The door behind a break that has ended: as it was behind a short one, nil behind a longer one.
local function go_on(observer, door, time)
  local stretch = stretches[observer] or { since = door.since, blind = again, broken = 0 }
  stretches[observer] = stretch
  stretch.broken = door.ended - stretch.since <= stretch.blind and stretch.broken + 1 or 0
  if stretch.broken == OFTEN then
    remark(observer .. " stops listening again and again: who passes there is hardly known, and was mostly not told")
  end
  local is_short = time - door.ended <= deaf
  stretch.since, stretch.blind = time, is_short and within or again
  door.ended, door.resumed = nil, time
  if is_short then return door end
  doors[observer] = nil
  return nil
end

on("start", function(e)
  for observer, door in pairs(doors) do
    if math.abs(e.time - door.heard) > within then
      doors[observer] = nil
    else
      -- An earlier run's frames cannot be cited.
      if door.latest then door.latest.frame = nil end
      -- An earlier version did not keep when.
      for id, time in pairs(door.away) do
        if time == true then door.away[id] = door.since end
      end
    end
  end
end)

-- Behind a time in which it did not listen it begins to listen anew, too.
local BEGINS = { scan_on = true, capture_on = true, recording_on = true }
on("observer", function(e)
  local door = doors[e.observer]
  if not door or e.what == "lost" then return end
  if not BEGINS[e.what] then
    door.ended = door.ended or e.time
  elseif door.ended then
    if e.time - door.ended > within then go_on(e.observer, door, e.time) else door.ended = nil end
  end
end)

-- The door as it was until now, or one that nobody knows anything of yet.
local function door_of(observer, time)
  local door = doors[observer]
  if door and door.ended and time - door.ended > within then door = go_on(observer, door, time) end
  -- Behind a clock that was set back nobody knows who came after whom.
  if not door or time < door.heard - within or time - door.heard > deaf then
    door = { since = time, at_door = {}, away = {} }
    doors[observer] = door
  end
  door.heard = time
  return door
end

on("finish", function(e)
  for _, door in pairs(doors) do door.heard = e.time end
end)

-- Forgets what makes no difference any more.
every(600, function(now)
  for _, door in pairs(doors) do
    if now - door.since >= again then door.away = {} end
    for id, time in pairs(door.at_door) do
      if now - time >= again then door.at_door[id] = nil end
    end
  end
end)

local function tell(s, first, latest)
  local observer, now = s.observer, s.time
  local told = {}
  for _, time in ipairs(state.told[observer] or {}) do
    if time <= now and now - time < MINUTE then told[#told + 1] = time end
  end
  state.told[observer] = told
  local is_told = alert {
    severity = "warning",
    title = ("%s passed %.1f s behind %s"):format(latest.name, now - first.time, first.name or first.id),
    dedupe_key = observer,
    -- By the first one it is known behind a restart how long the others count.
    once_per = (#told == 0 or #told >= MOST_TOLD) and MINUTE or nil,
    evidence = first.frame and { first, s } or s,
    fields = { seconds = now - first.time },
  }
  if is_told then told[#told + 1] = now end
end

on("sighting", function(s)
  local time, observer = s.time, s.observer
  if not time or at ~= "" and observer ~= at then return end
  if filters.is_on(observer, UNKNOWN) or listening.share(observer, PARTLY) then return end
  local door = door_of(observer, time)
  local rssi, id = s.rssi, s.id
  if not rssi or not TAGS[s.kind] or id:sub(1, #only) ~= only then return end
  local begins, resumed = time - door.since < again, door.resumed
  local goes_on = resumed and time - resumed < within
  if rssi < strong then
    if begins or goes_on then door.away[id] = time end
    return
  end
  local before, away = door.at_door[id], door.away[id]
  door.at_door[id] = time
  if before and time - before < again then return end
  if goes_on and not (away and away >= resumed) then return end
  if begins and not before and not away then return end

  local first = door.latest
  door.latest = { id = id, name = name_of(s), time = time, capture = s.capture, frame = s.frame }
  if first and first.id ~= id and time - first.time <= within then tell(s, first, door.latest) end
end)
