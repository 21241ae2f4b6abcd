-- One identity is sent by two devices at the same time: a copy is about.
--
-- A beacon that changes its address leaves the old one for good. Where an address comes back after
-- another one was heard, there are two senders. One that is heard far away only may come back minutes
-- later, when the observer has walked there and back; a beacon that was restarted and has its first
-- address again would look the same, so what lies more than an hour back does not count. All addresses of a
-- device whose key is there (--keys) are one.
--
-- A copy is rarely put beside the beacon: one receiver may hear the beacon alone, another one the copy. What
-- several receivers heard is taken together. Their clocks may differ, so that the order of what lies less than
-- clocks_within_s apart is no proof; where they differ by more, 'beacontrace clocks' says so.
--
-- Where the site's list names addresses (`shelf=ibeacon:…:1:7,address=c2:…`), and one of the two is to send
-- something else by it, that is said: it is set wrongly, rather than a copy.
--
-- A copy may take the beacon's address, too. Where one address sends one identity with two powers in turn, again and
-- again, one of them is a copy that claims to be nearer or farther; or a device has two slots with one identity: that
-- is told less loudly.
--
-- A copy with address and power of the beacon differs in nothing that one packet says: only gaps that are too short do,
-- which interval-drift remarks, and over two receivers times at which one of them cannot have heard it. Identifiers of
-- Eddystone-EID change by themselves, with the address: they are not judged here, and replayed-identifier tells those
-- that are sent again once they are over.
--
-- A restart with --state goes on with all of it, and tells nothing twice. What is of a region of the site is kept
-- apart: nobody who invents identities makes it be forgotten. Nor do invented addresses use up the memory: of one
-- identity a hundred senders are kept, and of all that are in no region of the site ten thousand.

plugin { version = "1.4", about = "An identity that two devices send" }

local recent = require "beacontrace.recent"

local window = option "within_s" {
  default = 3600, min = 1, help = "an address comes back within so many seconds",
}
local apart = option "clocks_within_s" {
  default = 60, min = 0, help = "clocks of several receivers differ by so many seconds at most",
}

-- By id: per receiver who was heard there last, and in which frame he took over (receivers); and per sender (his
-- address, or the name of his key) when he was heard first, last, and in between (senders). Told is true where it
-- was told.
local identities, listed_ones = recent.map("copies"), recent.map("listed")

local function place(s)
  return { time = s.time, address = s.address, observer = s.observer, capture = s.capture, frame = s.frame }
end

on("start", function()
  -- An earlier run's frames cannot be cited.
  local function forget(where)
    if where then where.capture, where.frame = nil, nil end
  end
  local function forget_frames(known)
    for _, receiver in pairs(known.receivers) do forget(receiver.took_over) end
    for _, sender in pairs(known.senders) do
      forget(sender.first)
      forget(sender.older)
      forget(sender.newer)
      for _, last in pairs(sender.last_at) do forget(last) end
      sender.powers = nil
    end
  end
  for _, known in identities:each() do forget_frames(known) end
  for _, known in listed_ones:each() do forget_frames(known) end
end)

-- Senders of one identity, and of all that are in no region of the site; there at least as many as were counted last.
local MOST_OF_ONE, MOST, senders_kept = 100, 10000, 0

-- Forgets senders that lie too far back to count.
local function forget_old(known, now)
  local count = 0
  for sender, heard in pairs(known.senders) do
    if now - heard.last > window then known.senders[sender] = nil else count = count + 1 end
  end
  known.count = count
  return count
end

every(600, function(now)
  senders_kept = 0
  for _, known in identities:each() do senders_kept = senders_kept + forget_old(known, now) end
  for _, known in listed_ones:each() do forget_old(known, now) end
end)

-- Of very many senders of one identity those stay that were heard again: invented addresses are not.
local function make_room(known)
  known.count = 0
  for sender, heard in pairs(known.senders) do
    if heard.last <= heard.first.time then known.senders[sender] = nil else known.count = known.count + 1 end
  end
  if known.count * 2 > MOST_OF_ONE then known.senders, known.count = {}, 0 end
end

-- Somebody invents addresses: those go of whom there are most, and where that is not enough all.
local function forget_many(now)
  senders_kept = 0
  for _, known in identities:each() do
    if (known.count or 0) > 5 then make_room(known) end
    senders_kept = senders_kept + forget_old(known, now)
  end
  if senders_kept <= MOST / 2 then return end
  senders_kept = 0
  for _, known in identities:each() do known.senders, known.count = {}, 0 end
end

local function add(known, sender, heard, now)
  if not known.senders[sender] then
    if (known.count or 0) >= MOST_OF_ONE then make_room(known) end
    known.count = (known.count or 0) + 1
  end
  known.senders[sender] = heard
  senders_kept = senders_kept + 1
  if senders_kept > MOST then forget_many(now) end
end

-- He comes back after another one was heard by the same receiver: what proves it.
local function here(known, heard, sender, s)
  local receiver, last = known.receivers[s.observer], heard.last_at[s.observer]
  if not receiver or receiver.sender == sender or not last or s.time - last.time > window then return nil end
  local proof = {
    s, address = receiver.address,
    text = ("%s was heard again after %.1f s, and %s in between: one of them may be a copy."):format(
      sender, s.time - last.time, receiver.sender),
  }
  if receiver.took_over then table.insert(proof, 1, receiver.took_over) end
  table.insert(proof, 1, last)
  return proof
end

-- Another one was heard long enough behind his first sighting and before this one, by whatever receiver.
local function elsewhere(known, heard, sender, s)
  local found, name
  for other, his in pairs(known.senders) do
    local between = his.older
    if other ~= sender and between and s.time - between.time > apart and between.time - heard.first.time > apart
      and (not found or between.time > found.time or between.time == found.time and other < name) then
      found, name = between, other
    end
  end
  if not found then return nil end
  local before = heard.first.observer
  return {
    heard.first, found, s, address = found.address,
    text = ("%s was heard by %s before and %safter %s was, by %s: one of them may be a copy, unless clocks of "
      .. "receivers are more than %g s apart."):format(
        sender, before, s.observer ~= before and ("by %s "):format(s.observer) or "", name, found.observer, apart),
  }
end

-- Of two senders what the site's list says: whose identity it is, and whose is set wrongly, a sentence.
local function listed(s, addresses)
  local owner, text, wrong = nil, "", nil
  for _, address in ipairs(addresses) do
    for _, planned in ipairs(regions_at(address)) do
      if planned.kind == s.kind and planned.id == s.id then
        owner = owner or planned.region
      elseif planned.kind == s.kind and planned.id then
        wrong = wrong or planned.region
        text = text .. (" By the site's list %s is %s, which is to send %s: set it again."):format(
          address, planned.region, planned.id)
      end
    end
  end
  return owner, text, wrong
end

local function tell(known, s, proof)
  local evidence = {}
  for _, where in ipairs(proof) do
    if where.frame then evidence[#evidence + 1] = where end
  end
  local owner, text, wrong = listed(s, { proof.address, s.address })
  local name = name_of(s)
  if name == s.id and owner then name = ("%s (%s)"):format(owner, s.id) end
  alert {
    severity = "warning",
    title = "Two devices seem to send " .. name,
    text = proof.text .. text,
    evidence = evidence,
    fields = { first_address = proof.address, second_address = s.address, planned = wrong },
  }
  known.told, known.receivers, known.senders, known.count = true, {}, {}, 0
end

local function note(known, heard, sender, s)
  local time, observer = s.time, s.observer
  heard.last = time
  if not heard.newer or time - heard.newer.time > apart then
    heard.older, heard.newer = heard.newer, place(s)
  end
  local last = heard.last_at[observer]
  if last then
    last.time, last.address, last.capture, last.frame = time, s.address, s.capture, s.frame
  else
    heard.last_at[observer] = place(s)
  end
  local receiver = known.receivers[observer]
  if not receiver then
    known.receivers[observer] = { sender = sender, address = s.address }
  elseif receiver.sender ~= sender then
    receiver.sender, receiver.address, receiver.took_over = sender, s.address, place(s)
  else
    receiver.address = s.address
  end
end

-- So often it has to come back to the power that it had before, within so many seconds, by one receiver.
local TURNS, WITHIN = 5, 60

-- Tells where one address sends with two powers in turn.
local function powers_in_turn(known, heard, s)
  local power = s.measured_power or s.tx_power
  if not power then return end
  heard.powers = heard.powers or {}
  local it = heard.powers[s.observer]
  if not it then
    heard.powers[s.observer] = { power = power, capture = s.capture, frame = s.frame }
    return
  end
  if power ~= it.power then
    if power ~= it.before or not it.turns or s.time - it.since > WITHIN then
      it.turns, it.since = 0, s.time
      it.cited = { { capture = it.capture, frame = it.frame }, { capture = s.capture, frame = s.frame } }
    end
    it.before, it.power, it.turns = it.power, power, it.turns + 1
  end
  it.capture, it.frame = s.capture, s.frame
  if it.turns ~= 2 * TURNS then return end
  known.told_powers, heard.powers = true, nil
  alert {
    severity = "notice",
    title = ("%s is sent with %d and %d dBm in turn"):format(name_of(s), it.before, power),
    text = ("By %s, %d times within %.0f s: a copy that took the address, too, and states another power, or a device "
      .. "with two slots of one identity."):format(s.address, it.turns, s.time - it.since),
    evidence = { it.cited[1], it.cited[2], s },
    fields = { address = s.address, power = it.before, other_power = power },
  }
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  if not s.address or not s.time then return end
  local sender = s.device or s.address
  local known = listed_ones:get(s.id) or identities:get(s.id)
  if not known then
    local kept = #regions_of(s) > 0 and listed_ones or identities
    known = kept:set(s.id, { receivers = {}, senders = {} })
  end
  if known.told then return end
  local heard = known.senders[sender]
  if heard and s.time - heard.last <= window then
    local proof = here(known, heard, sender, s) or elsewhere(known, heard, sender, s)
    if proof then return tell(known, s, proof) end
  else
    heard = { first = place(s), last = s.time, last_at = {} }
    add(known, sender, heard, s.time)
  end
  note(known, heard, sender, s)
  if not known.told_powers then powers_in_turn(known, heard, s) end
end)
