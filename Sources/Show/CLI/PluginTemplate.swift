/// What `plugin new` writes: a plugin that runs, with its test.
struct PluginTemplate {
  let name: String

  var plugin: String {
    """
    -- \(name): says what it tells, and whom that helps.
    --
    -- Look for mistakes:  beacontrace plugin check \(name).lua
    -- Run its tests:      beacontrace plugin test \(name).lua
    -- Run it:             beacontrace analyze --plugin \(name).lua CAPTURE
    -- What there is:      beacontrace plugin docs

    plugin { version = "1.0", about = "A beacon comes close" }

    -- What users may set: --set \(name).min_rssi=-50
    local strong = option "min_rssi" {
      default = -55, type = "integer", min = -127, max = 20, help = "close from so many dBm on",
    }

    -- Called for each sighting of an iBeacon. A filter may name kind, id, address, region and more;
    -- what it leaves out costs nothing.
    on("sighting", { kind = "ibeacon" }, function(s)
      -- Fields have the names of 'sightings --format ndjson'; what was not there is nil.
      if not s.rssi or s.rssi < strong then return end
      alert {
        severity = "notice", -- or info, warning, critical
        title = s.id .. " is close",
        text = ("Heard at %d dBm."):format(s.rssi),
        evidence = s, -- the frame that it cites
        dedupe_key = s.id,
        once_per = 300, -- seconds before it says so again
      }
    end)

    -- There is more to hear of:
    --
    --   region "lobby" { ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1" }
    --   on("enter", "lobby", function(e) … end)
    --   on("exit", function(e) … end)       e.grade says what the silence is worth
    --   every(60, function(now) … end)      in the capture's time
    --   after(30, function(now) … end)

    """
  }

  var test: String {
    """
    -- The tests of \(name).lua: what is heard, and all alerts that must come of it.
    -- beacontrace plugin test \(name).lua

    local BEACON = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"

    test "a beacon that comes close is told once" {
      sightings = {
        -- Seconds from the beginning; every second until the first minute is over.
        { at = 0, ["until"] = 60, every = 1, ibeacon = BEACON, rssi = -80 },
        { at = 61, ["until"] = 90, every = 1, ibeacon = BEACON, rssi = -50 },
      },
      -- Only the keys that are written are compared.
      alerts = { { at = 61, severity = "notice", title = BEACON .. " is close" } },
    }

    test "how close, users may say" {
      options = { min_rssi = -45 },
      sightings = { { at = 0, ["until"] = 60, every = 1, ibeacon = BEACON, rssi = -50 } },
      alerts = {},
    }

    """
  }
}
