-- Too many tags are near the observer at once.
--
-- Counts the transmitters of a region that ranging still has a distance for. Distances are rough: at ten
-- metres they may be wrong by half, so leave room. How many are too many is the place's own number.
-- A crowd that is gone within seconds (people who pass one another in a door) is none.
--
-- A crowd that is there before and behind a restart with --state of a minute at most is the same one.

plugin { version = "1.1", about = "Too many tags near at once" }

local limit = option "more_than" { default = 10, type = "integer", min = 1, help = "tags that are fine" }
local within = option "within_m" { default = 10, min = 0.1, help = "near, in metres" }
local hold = option "hold_s" { default = 5, min = 0, help = "for so long, in seconds" }
local region = option "region" { default = "", type = "region", help = "one region alone" }

state.save("crowds")
state.crowds = state.crowds or {}
-- By observer and region: since when it is crowded, until when, and whether that has been told.
local crowds = state.crowds

on("start", function(e)
  for key, crowd in pairs(crowds) do
    if math.abs(e.time - crowd.latest) > 60 then
      crowds[key] = nil
    else
      -- The first lists of a run are short: not everybody has been heard yet.
      crowd.kept_until = e.time + 5
    end
  end
end)

-- Behind a time of which there is no capture nobody knows whether it was crowded all the while.
on("observer", { what = "recording_on" }, function(e)
  for key, crowd in pairs(crowds) do
    if key:sub(1, #e.observer + 1) == e.observer .. "\n" and e.time - crowd.latest > 60 then
      crowds[key] = nil
    end
  end
end)

on("observer", { what = "scan_on" }, function(e)
  if e.filters_duplicates then
    remark(e.observer .. " filters duplicates: of who is there few have a distance, and crowds may not be told")
  end
end)

on("ranging", function(e)
  if region ~= "" and e.region ~= region then return end
  local near = {}
  for _, entry in ipairs(e.entries) do
    if entry.accuracy_m and entry.accuracy_m <= within then
      near[#near + 1] = entry
    end
  end
  local key = e.observer .. "\n" .. e.region
  local crowd = crowds[key]
  if #near <= limit then
    if crowd and e.time >= (crowd.kept_until or 0) then crowds[key] = nil end
    return
  end
  if not crowd then
    crowd = { since = e.time }
    crowds[key] = crowd
  end
  crowd.latest = e.time
  if crowd.told or e.time - crowd.since < hold then return end
  crowd.told = true
  alert {
    severity = "warning",
    title = ("%d tags within %g m in %s"):format(#near, within, e.region),
    region = e.region,
    evidence = near,
    fields = { tags = #near },
  }
end)
