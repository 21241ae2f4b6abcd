-- One identity is sent by two devices at the same time: a copy is about.
--
-- A beacon that changes its address leaves the old one for good. Where an address comes back after
-- another one was heard, there are two senders. One that is heard far away only may come back minutes
-- later, when the observer has walked there and back; a beacon that was restarted and has its first
-- address again would look the same, so what lies more than an hour back does not count. All addresses of a
-- device whose key is there (--keys) are one.
--
-- A restart with --state goes on with all of it, and tells nothing twice.

plugin { version = "1.0", about = "An identity that two devices send" }

local recent = require "beacontrace.recent"

local window = option "within_s" {
  default = 3600, min = 1, help = "an address comes back within so many seconds",
}

-- By observer and id: the sender heard last (its address, or the name of its key) and from which address, the
-- frame in which it took over, and for each sender when and where it was heard last.
local identities = recent.map("identities")

on("start", function()
  for _, known in identities:each() do
    -- An earlier run's frames cannot be cited; an earlier version kept times alone.
    known.last = nil
    known.sender = known.sender or known.address
    for address, heard in pairs(known.times) do
      known.times[address] = { time = type(heard) == "table" and heard.time or heard }
    end
  end
end)

-- Forgets addresses that lie too far back to count; of very many, any.
every(600, function(now)
  for _, known in identities:each() do
    local kept = 0
    for address, heard in pairs(known.times) do
      kept = kept + 1
      if kept > 100 or now - heard.time > window then known.times[address] = nil end
    end
  end
end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local address, time = s.address, s.time
  if not address or not time then return end
  local sender = s.device or address
  local key = s.observer .. "\n" .. s.id
  local known = identities:get(key) or identities:set(key, {
    sender = sender, address = address, times = {},
  })
  if known.told then return end
  if known.sender ~= sender then
    local before = known.times[sender]
    -- It comes back after another one was heard in between.
    if before and time - before.time <= window then
      -- That it was there first, the other one, and that it is there again: all three prove it.
      local evidence = { s }
      if known.last then table.insert(evidence, 1, known.last) end
      if before.frame then
        table.insert(evidence, 1, { capture = before.capture, frame = before.frame })
      end
      alert {
        severity = "warning",
        title = "Two devices seem to send " .. name_of(s),
        text = ("%s was heard again after %.1f s, and %s in between: one of them may be a copy."):format(
          sender, time - before.time, known.sender),
        evidence = evidence,
        fields = { first_address = known.address, second_address = address },
      }
      known.told, known.times, known.last = true, {}, nil
      return
    end
    known.sender = sender
    known.last = { capture = s.capture, frame = s.frame }
  end
  known.address = address
  local heard = known.times[sender]
  if not heard then
    heard = {}
    known.times[sender] = heard
  end
  heard.time, heard.capture, heard.frame = time, s.capture, s.frame
end)
