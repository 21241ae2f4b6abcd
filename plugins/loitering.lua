-- Somebody, or something, has been inside a region for too long.
--
-- Regions are those of the run: one for each UUID and namespace unless a site file or --region says
-- otherwise. A stay that the recording begins in counts from the beginning. Ten minutes are long at a
-- shop window and short in a ward: set what is long at yours.
--
-- Where no capture of the observer goes on nobody knows whether a stay does: it is told when the next one
-- shows that.
--
-- A restart with --state makes no new entry of who was inside: stays are saved, and `start` goes on
-- with them.

plugin { version = "1.0", about = "A stay that lasts too long" }

local words = require "beacontrace.words"

local limit = option "after_s" { default = 600, min = 1, help = "a stay that is too long, in seconds" }
local region = option "region" { default = "", type = "region", help = "one region alone" }

state.save("stays")
state.stays = state.stays or {}
-- By observer and region: stays that have not been told. An exit, or the alert, removes them.
local stays = state.stays
-- The event that began a stay in this run. It is not saved: another run cannot cite its frames.
state.begun = state.begun or {}
local begun = state.begun
local timers = {}

local function key_of(e) return e.observer .. "\n" .. e.region end
local function is_watched(name) return region == "" or name == region end

local function stop(key)
  if timers[key] then cancel(timers[key]) end
  timers[key] = nil
end

local function watch(key, seconds)
  timers[key] = after(seconds, function(now)
    local stay = stays[key]
    -- A stay of an earlier run counts where this one took it over: not where the state was too old,
    -- or the region is another one now, or gone (for which region_state is an error).
    if not begun[key] then
      local _, where = pcall(region_state, stay.region, stay.observer)
      -- An observer that has not been heard from yet is asked after once more.
      if where == "unknown" and seconds < 10 then return watch(key, 10) end
      if where ~= "inside" then
        stays[key] = nil
        return
      end
    end
    stays[key] = nil
    alert {
      severity = "notice",
      title = ("In %s for %.0f s"):format(stay.region, now - stay.since),
      text = ("Since %s."):format(words.clock(stay.since, now)),
      region = stay.region,
      observer = stay.observer,
      evidence = begun[key],
    }
  end)
end

on("start", function(e)
  for key, stay in pairs(stays) do
    if is_watched(stay.region) then
      local left = math.min(limit, stay.since + limit - e.time)
      -- A limit that passed meanwhile is told at once; one that passed long ago in a minute: who left
      -- while nothing ran has made an exit by then.
      if left < -5 then left = 60 end
      watch(key, math.max(0.001, left))
    else
      stays[key] = nil
    end
  end
end)

local function begin(e)
  local key = key_of(e)
  if begun[key] or not is_watched(e.region) then return end
  stop(key)
  begun[key] = e
  stays[key] = { observer = e.observer, region = e.region, since = e.time }
  watch(key, limit)
end

on("observer", { what = { "recording_off", "recording_on" } }, function(e)
  for key, stay in pairs(stays) do
    if begun[key] and stay.observer == e.observer then
      stop(key)
      if e.what == "recording_on" then watch(key, math.max(0.001, stay.since + limit - e.time)) end
    end
  end
end)

on("enter", begin)
on("state", { state = "inside" }, begin)

on("exit", function(e)
  local key = key_of(e)
  if e.duplicates_filtered_s then
    remark(e.observer .. " filters duplicates, which makes exits of who stays: long stays there may not be told")
  end
  stop(key)
  begun[key], stays[key] = nil, nil
end)
