-- One identity is sent by two devices at the same time: a copy is about.
--
-- A beacon that changes its address leaves the old one for good. Where an address comes back after
-- another one was heard, there are two senders. One that is heard far away only may come back minutes
-- later, when the observer has walked there and back; a beacon that was restarted and has its first
-- address again would look the same, so what lies more than an hour back does not count.

plugin { version = "1.0", about = "An identity that two devices send" }

local window = option "within_s" {
  default = 3600, min = 1, help = "an address comes back within so many seconds",
}

-- By observer and id: the address heard last, and for each address when it was heard last.
local identities = {}

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local address, time = s.address, s.time
  if not address or not time then return end
  local key = s.observer .. "\n" .. s.id
  local known = identities[key]
  if not known then
    identities[key] = { address = address, times = { [address] = time } }
    return
  end
  if known.address ~= address then
    local before = known.times[address]
    -- It comes back after another one was heard in between.
    if before and time - before <= window and not known.told then
      known.told = true
      alert {
        severity = "warning",
        title = "Two devices send " .. s.id,
        text = ("%s was heard again after %.1f s, and %s in between: one of them may be a copy."):format(
          address, time - before, known.address),
        evidence = { known.last, s },
        fields = { first_address = known.address, second_address = address },
      }
    end
    known.address = address
    known.last = s:copy()
  end
  known.times[address] = time
end)
