-- Two tags pass a door within seconds of one another.
--
-- The radio hangs at the door. A tag passes where it is heard strongly after having been weak or away
-- for a while; one that is at the door when the radio begins to listen has not passed it. -60 dBm is
-- about a metre from a usual tag: hold one to your door, and set what you hear. Three seconds are
-- two people one behind the other; who waits for the door to close takes longer.

plugin { version = "1.0", about = "Two tags that pass within seconds" }

local within = option "within_s" { default = 3, min = 0.1, help = "as close together, in seconds" }
local strong = option "min_rssi" {
  default = -60, type = "integer", min = -127, max = 20, help = "at the door from so many dBm on",
}
local again = option "again_s" {
  default = 30, min = 1, help = "a tag passes anew when it was not at the door for so long",
}

-- By observer: since when it listens, and a copy of the sighting that was the latest to pass.
local since, latest = {}, {}
-- By observer and id: when it was at the door last, and whether it was ever heard away from it.
local at_door, away = {}, {}

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid" } }, function(s)
  local rssi, time, observer, id = s.rssi, s.time, s.observer, s.id
  if not rssi or not time then return end
  since[observer] = since[observer] or time
  local key = observer .. "\n" .. id
  if rssi < strong then
    away[key] = true
    return
  end
  local before = at_door[key]
  at_door[key] = time
  if before then
    if time - before < again then return end
  elseif not away[key] and time - since[observer] < again then
    return
  end

  local first = latest[observer]
  latest[observer] = s:copy()
  if first and first.id ~= id and time - first.time <= within then
    alert {
      severity = "warning",
      title = ("%s passed %.1f s behind %s"):format(id, time - first.time, first.id),
      -- A whole group is told by its first ones.
      at_most = { 10, per = 60 },
      evidence = { first, s },
      fields = { seconds = time - first.time },
    }
  end
end)
