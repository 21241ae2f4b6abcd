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
-- Where the radio did not listen (its scan or capture was off, nothing was recorded, the clock was set), and where it
-- heard no beacon at all for half of `again_s`, it begins to listen anew: who is at the door then was perhaps there all
-- along. He passes where he is heard away from it first.
--
-- A receiver whose controller filters duplicates is left out: who lies at the door is heard there once a minute, as
-- if he passed again and again. So is one whose radio listens a part of the time, while it does: each window of its
-- scan ends a time in which it was deaf.
--
-- A restart with --state goes on as if there had been none where it took no longer than that. After a
-- longer one the radio begins to listen anew: who passed meanwhile, and when, nobody knows.

plugin { version = "1.2", about = "Two tags that pass within seconds" }

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
-- By observer: since when it listens, until when it did, and who was the latest to pass. By id: when a
-- tag was at the door last, and whether it was heard away from it when listening began.
local doors = state.doors

local TAGS = { ibeacon = true, altbeacon = true, ["eddystone-uid"] = true }
local UNKNOWN = " filters duplicates: who passes there is not known, and was not told"
local PARTLY = " listens a part of the time: who passes there is not known, and was not told"
-- Hearing nobody for longer, the radio may be deaf. Who lies at the door would pass it behind `again` at the latest.
local deaf = again / 2

on("start", function(e)
  for observer, door in pairs(doors) do
    if math.abs(e.time - door.heard) > within then
      doors[observer] = nil
    elseif door.latest then
      -- An earlier run's frames cannot be cited.
      door.latest.frame = nil
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
    if e.time - door.ended > within then doors[e.observer] = nil end
    door.ended = nil
  end
end)

-- The door as it was until now, or one that nobody knows anything of yet.
local function door_of(observer, time)
  local door = doors[observer]
  -- Behind a clock that was set back nobody knows who came after whom.
  if not door or time < door.heard - within or time - door.heard > deaf
    or door.ended and time - door.ended > within then
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

on("sighting", function(s)
  local time, observer = s.time, s.observer
  if not time or at ~= "" and observer ~= at then return end
  if filters.is_on(observer, UNKNOWN) or listening.share(observer, PARTLY) then return end
  local door = door_of(observer, time)
  local rssi, id = s.rssi, s.id
  if not rssi or not TAGS[s.kind] or id:sub(1, #only) ~= only then return end
  local begins = time - door.since < again
  if rssi < strong then
    if begins then door.away[id] = true end
    return
  end
  local before = door.at_door[id]
  door.at_door[id] = time
  if before then
    if time - before < again then return end
  elseif begins and not door.away[id] then
    return
  end

  local first = door.latest
  door.latest = { id = id, name = name_of(s), time = time, capture = s.capture, frame = s.frame }
  if first and first.id ~= id and time - first.time <= within then
    alert {
      severity = "warning",
      title = ("%s passed %.1f s behind %s"):format(
        door.latest.name, time - first.time, first.name or first.id),
      -- A whole group is told by its first ones.
      at_most = { 10, per = 60 },
      evidence = first.frame and { first, s } or s,
      fields = { seconds = time - first.time },
    }
  end
end)
