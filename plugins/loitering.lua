-- Somebody, or something, has been inside a region for too long.
--
-- Regions are those of the run: one for each UUID and namespace unless a site file or --region says
-- otherwise. A stay that the recording begins in counts from the beginning. Ten minutes are long at a
-- shop window and short in a ward: set what is long at yours.

plugin { version = "1.0", about = "A stay that lasts too long" }

local limit = option "after_s" { default = 600, min = 1, help = "a stay that is too long, in seconds" }
local region = option "region" { default = "", help = "one region alone" }

local timers = {}

local function key(e) return e.observer .. "\n" .. e.region end

local function begin(e)
  if timers[key(e)] or (region ~= "" and e.region ~= region) then return end
  timers[key(e)] = after(limit, function(now)
    alert {
      severity = "notice",
      title = ("In %s for %.0f s"):format(e.region, now - e.time),
      text = "Since " .. utc(e.time) .. ".",
      region = e.region,
      observer = e.observer,
      evidence = e,
    }
  end)
end

on("enter", begin)
on("state", { state = "inside" }, begin)

on("exit", function(e)
  local timer = timers[key(e)]
  if timer then
    cancel(timer)
    timers[key(e)] = nil
  end
end)
