local ID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9"

test "two addresses that alternate are two devices, told once" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 20.5, ["until"] = 60, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
  },
  alerts = {
    { at = 21, severity = "warning", title = "Two devices seem to send " .. ID,
      fields = { first_address = "d0:35:33:33:44:03", second_address = "e3:60:59:21:80:65" } },
  },
}

test "an address that changes for good is one device" {
  sightings = {
    { at = 0, ["until"] = 29, every = 1, ibeacon = ID, address = "5a:60:59:21:80:65" },
    { at = 30, ["until"] = 60, every = 1, ibeacon = ID, address = "6b:35:33:33:44:03" },
  },
  alerts = {},
}

test "two rooms, between which somebody walks, are two devices" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 90, ["until"] = 300, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
    { at = 330, ["until"] = 360, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
  },
  alerts = { { at = 330, title = "Two devices seem to send " .. ID } },
}

test "an address of before a restart is known behind it, and so is what has been told" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 70, ["until"] = 90, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
    { at = 95, ["until"] = 99, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 0, ["until"] = 99, every = 2, url = "https://example.com/", address = "d2:27:d8:7d:87:6c" },
    { at = 1, ["until"] = 99, every = 2, url = "https://example.com/", address = "d2:27:d8:7d:87:6d" },
    { at = 65.5, restart = 1 },
    { at = 92.5, restart = 1 },
  },
  alerts = {
    { at = 2, title = "Two devices seem to send https://example.com/" },
    { at = 95, title = "Two devices seem to send " .. ID },
  },
}

test "addresses that lie too far back are forgotten" {
  options = { within_s = 100 },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 70, ["until"] = 700, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
  },
  alerts = {},
  finish = function(state)
    local _, known = next(state.copies.newer)
    assert(not known.senders["e3:60:59:21:80:65"] and known.senders["d0:35:33:33:44:03"])
  end,
}

test "a device whose key is there is one, whatever its addresses, and a copy of it is another" {
  sightings = {
    { at = 0, ["until"] = 1800, every = 2, ibeacon = ID, device = "badge" },
    { at = 901, ["until"] = 1800, every = 2, ibeacon = ID, device = "badge" },
    { at = 1500.5, ["until"] = 1501, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
  },
  alerts = {
    { at = 1501, title = "Two devices seem to send " .. ID, fields = { first_address = "d0:35:33:33:44:03" } },
  },
}

test "a copy that another receiver hears is told, once" {
  sightings = {
    { at = 0, ["until"] = 400, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", observer = "hall" },
    { at = 0.5, ["until"] = 400, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03", observer = "yard" },
  },
  alerts = {
    { at = 122.5, title = "Two devices seem to send " .. ID, text = "d0:35:33:33:44:03 was heard by yard before and "
      .. "after e3:60:59:21:80:65 was, by hall: one of them may be a copy, unless clocks of receivers are "
      .. "more than 60 s apart.",
      fields = { first_address = "e3:60:59:21:80:65", second_address = "d0:35:33:33:44:03" } },
  },
}

test "an address that changes for good is one device for receivers whose clocks differ a little" {
  sightings = {
    { at = 0, ["until"] = 629, every = 1, ibeacon = ID, address = "5a:60:59:21:80:65", observer = "hall" },
    { at = 630, ["until"] = 1200, every = 1, ibeacon = ID, address = "6b:35:33:33:44:03", observer = "hall" },
    { at = 0, ["until"] = 679, every = 1, ibeacon = ID, address = "5a:60:59:21:80:65", observer = "yard" },
    { at = 680, ["until"] = 1200, every = 1, ibeacon = ID, address = "6b:35:33:33:44:03", observer = "yard" },
  },
  alerts = {},
}

test "a tag that one receiver heard comes to another, and is no copy" {
  sightings = {
    { at = 0, ["until"] = 300, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", observer = "hall" },
    { at = 250, ["until"] = 600, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", observer = "yard" },
  },
  alerts = {},
}

test "one that is to send something else by the site's list is named" {
  regions = {
    "shelf=ibeacon:" .. ID .. ",address=e3:60:59:21:80:65",
    "door=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:11,address=d0:35:33:33:44:03",
  },
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
    { at = 20.5, ["until"] = 60, every = 1, ibeacon = ID, address = "d0:35:33:33:44:03" },
  },
  alerts = {
    { at = 21, title = "Two devices seem to send shelf (f782…893e:1:9)",
      text = "e3:60:59:21:80:65 was heard again after 1.0 s, and d0:35:33:33:44:03 in between: one of them may be "
        .. "a copy. By the site's list d0:35:33:33:44:03 is door, which is to send "
        .. "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:11: set it again.",
      fields = { planned = "door" } },
  },
}

test "one address that sends two powers in turn is told, less loudly, and once" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", measured_power = -59 },
    { at = 20.5, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", measured_power = -30 },
  },
  alerts = {
    { at = 25, severity = "notice", title = ID .. " is sent with -30 and -59 dBm in turn",
      fields = { address = "e3:60:59:21:80:65" } },
  },
}

test "a power that is set anew, now and then, is none of two" {
  sightings = {
    { at = 0, ["until"] = 60, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", measured_power = -59 },
    { at = 61, ["until"] = 100, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", measured_power = -65 },
    { at = 101, ["until"] = 200, every = 1, ibeacon = ID, address = "e3:60:59:21:80:65", measured_power = -59 },
  },
  alerts = {},
}

test "nobody who invents identities hides a copy of what is of the site" {
  regions = { "shelf=ibeacon:" .. ID },
  sightings = (function()
    local all = {
      { at = 0, ibeacon = ID, address = "e3:60:59:21:80:65" },
      { at = 20, ibeacon = ID, address = "d0:35:33:33:44:03" },
      { at = 40, ibeacon = ID, address = "e3:60:59:21:80:65" },
    }
    for number = 1, 24000 do
      all[#all + 1] = {
        at = 40 * number / 24000, ibeacon = ("f7826da6-4fa2-4e98-8024-bc5b71e0893e:2:%d"):format(number),
        address = "c2:00:00:00:00:01",
      }
    end
    return all
  end)(),
  alerts = { { at = 40, title = "Two devices seem to send shelf (f782…893e:1:9)" } },
}

test "a copy is told whatever else sends the identity" {
  sightings = (function()
    local all = {
      { at = 0, ibeacon = ID, address = "e3:60:59:21:80:65" },
      { at = 1, ibeacon = ID, address = "e3:60:59:21:80:65" },
      { at = 40, ibeacon = ID, address = "e3:60:59:21:80:65" },
    }
    for number = 1, 250 do
      all[#all + 1] = {
        at = 2 + number / 10, ibeacon = ID, address = ("c4:00:00:00:00:%02x"):format(number),
      }
    end
    return all
  end)(),
  alerts = { { at = 40, title = "Two devices seem to send " .. ID } },
}

-- One identity from 20 000 addresses: all of them would not be held in this memory.
local invented = {
  { at = 5, ibeacon = ID, address = "c2:00:00:00:00:01" },
  { at = 60, ibeacon = ID, address = "c2:00:00:00:00:02" },
  { at = 130, ibeacon = ID, address = "c2:00:00:00:00:01" },
}
for high = 0, 79 do
  for low = 0, 249 do
    invented[#invented + 1] = {
      at = 10 + high, ibeacon = "00000000-0000-0000-0000-000000000001:1:1",
      address = ("c4:00:00:00:%02x:%02x"):format(high, low),
    }
  end
end
test "nobody who invents addresses hides the copy of another one" {
  options = { memory_mb = 16 },
  sightings = invented,
  alerts = { { at = 130, title = "Two devices seem to send " .. ID } },
}
