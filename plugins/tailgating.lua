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
-- A receiver whose controller filters duplicates is left out: who lies at the door is heard there once a minute, as
-- if he passed again and again.
--
-- A restart with --state goes on as if there had been none where it took no longer than that. After a
-- longer one the radio begins to listen anew: who passed meanwhile, and when, nobody knows.

plugin { version = "1.1", about = "Two tags that pass within seconds" }

local filters = require "beacontrace.filters"

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

local UNKNOWN = " filters duplicates: who passes there is not known, and was not told"

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

-- Behind a time of which there is no capture it begins to listen anew, too.
on("observer", { what = { "recording_off", "recording_on" } }, function(e)
  local door = doors[e.observer]
  if not door then return end
  if e.what == "recording_off" then door.ended = e.time
  elseif door.ended and e.time - door.ended > within then doors[e.observer] = nil end
end)

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

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid" } }, function(s)
  local rssi, time, observer, id = s.rssi, s.time, s.observer, s.id
  if at ~= "" and observer ~= at or id:sub(1, #only) ~= only then return end
  if not rssi or not time or filters.is_on(observer, UNKNOWN) then return end
  local door = doors[observer]
  -- Behind a clock that was set back nobody knows who came after whom.
  if not door or time < door.heard - within then
    door = { since = time, at_door = {}, away = {} }
    doors[observer] = door
  end
  door.heard = time
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
