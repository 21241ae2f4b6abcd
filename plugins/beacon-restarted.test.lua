local BEACON, OTHER = "c2:35:33:30:25:50", "e3:60:59:21:80:65"

-- Telemetry every ten seconds of a beacon that was switched on at a moment of the test.
local function telemetry(address, from, to, switched_on)
  local list = {}
  for at = from, to, 10 do
    list[#list + 1] = {
      at = at, address = address,
      eddystone_tlm = { uptime_s = at - switched_on, adv_count = (at - switched_on) * 2 },
    }
  end
  return list
end

local function together(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

test "one begins anew, the other goes on" {
  sightings = together(
    telemetry(BEACON, 0, 300, -1000), telemetry(BEACON, 320, 600, 311), telemetry(OTHER, 0, 600, -50)),
  alerts = {
    { at = 320, severity = "warning", title = BEACON .. " has restarted",
      fields = { uptime_s = 9.0, before_uptime_s = 1300.0 } },
  },
}

test "by its count of advertisements alone" {
  sightings = {
    { at = 0, address = BEACON, eddystone_tlm = { adv_count = 500 } },
    { at = 10, address = BEACON, eddystone_tlm = { adv_count = 520 } },
    { at = 20, address = BEACON, eddystone_tlm = { adv_count = 3 } },
  },
  alerts = { { at = 20, title = BEACON .. " has restarted", fields = { before_adv_count = 520 } } },
}

test "each restart is told, under the name that the site has for it" {
  regions = { "climate=eddystone:edd1ebeac04e5defa017:0000fdd1549a" },
  sightings = together(
    telemetry(BEACON, 1, 100, -1000), telemetry(BEACON, 121, 200, 111),
    telemetry(BEACON, 221, 300, 211), { {
      at = 0, ["until"] = 300, every = 5, eddystone = "edd1ebeac04e5defa017:0000fdd1549a",
      address = BEACON,
    } }),
  alerts = {
    { at = 121, title = "climate (edd1…a017:0000fdd1549a) has restarted" },
    { at = 221, title = "climate (edd1…a017:0000fdd1549a) has restarted" },
  },
}

test "one that was not heard for a while has not restarted" {
  sightings = together(telemetry(BEACON, 0, 100, -1000), telemetry(BEACON, 900, 1000, -1000)),
  alerts = {},
}

test "a beacon that restarts while we do" {
  sightings = together(
    telemetry(BEACON, 0, 90, -1000), telemetry(BEACON, 110, 200, 105), { { at = 95, restart = 5 } }),
  alerts = { { at = 110, title = BEACON .. " has restarted" } },
}
