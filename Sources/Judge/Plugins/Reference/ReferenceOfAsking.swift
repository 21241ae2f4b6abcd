/// Functions that say what the site has, and how it is listened to.
extension HandlingFunctions {
  static let regionsOf = ReferenceFunction(
    "regions_of", [ReferenceParameter("sighting", .record("sighting"))], returns: [.list(.string)],
    .handling,
    "Names of the regions of the site that a sighting can lie in: those that its identity and its "
      + "address are of. Regions that are nothing but a rule (`contains`) are not among them.",
    ReferenceExample(
      """
      region "lobby" { ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e" } }
      on("sighting", function(s)
        if #regions_of(s) == 0 then alert { title = "Unknown beacon", text = s.id } end
      end)
      """,
      test: """
        test "tells who is on no list" {
          sightings = {
            { at = 0, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:51" },
            { at = 1, url = "https://example.com/", address = "c2:35:33:30:25:50" },
          },
          alerts = { { at = 1, title = "Unknown beacon", text = "https://example.com/" } },
        }
        """))

  static let regionsAt = ReferenceFunction(
    "regions_at",
    [
      ReferenceParameter(
        "sender", .either([.record("sighting"), .string]),
        "a sighting, an address, or the name of a device")
    ],
    returns: [.list(.record("region_at"))], .handling,
    "The regions of the site that name who sends (`address`), in the order of their definition, whatever he "
      + "sends: which device that is by the site's list, and what it is to send.",
    ReferenceExample(
      """
      region "shelf 7" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e", major = 1, minor = 7 },
        address = "c2:35:33:30:25:51",
      }
      on("sighting", { kind = "ibeacon" }, function(s)
        for _, planned in ipairs(regions_at(s)) do
          if planned.kind == s.kind and planned.id ~= s.id then
            alert { title = planned.region .. " sends something else", text = s.id }
          end
        end
      end)
      """,
      test: """
        test "tells what is set wrongly" {
          sightings = {
            { at = 0, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:51" },
            { at = 1, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:1",
              address = "c2:35:33:30:25:51" },
            { at = 2, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:1",
              address = "c2:35:33:30:25:52" },
          },
          alerts = {
            { at = 1, title = "shelf 7 sends something else",
              text = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:1" },
          },
        }
        """))

  static let regionsLike = ReferenceFunction(
    "regions_like", [ReferenceParameter("sighting", .record("sighting"))],
    returns: [.list(.record("region_at"))], .handling,
    "The regions of the site that lay down the whole of what is sent, and somebody else to send it: it may be a "
      + "copy, or a device that took another one's place and is not in the site's list yet.",
    ReferenceExample(
      """
      region "shelf 7" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e", major = 1, minor = 7 },
        address = "c2:35:33:30:25:51",
      }
      on("sighting", { kind = "ibeacon" }, function(s)
        for _, planned in ipairs(regions_like(s)) do
          alert { title = s.address .. " sends what " .. planned.region .. " is to send" }
        end
      end)
      """,
      test: """
        test "tells who sends it in its place" {
          sightings = {
            { at = 0, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:51" },
            { at = 1, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:8",
              address = "c2:35:33:30:25:52" },
            { at = 2, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:52" },
          },
          alerts = { { at = 2, title = "c2:35:33:30:25:52 sends what shelf 7 is to send" } },
        }
        """))

  static let scanLimits = ReferenceFunction(
    "scan_limits", [ReferenceParameter("observer", .string)], returns: [.record("scan_limits")],
    .handling,
    "Whom and what an observer's scan leaves out now, by the commands that began it. Where no beginning is known, or "
      + "the scan is off, or nobody knows the observer, both flags are false, and `radio_share` is nil. It holds in the "
      + "observer's next recording, too, and, but for `radio_share`, behind a restart with "
      + "`--state`, until another scan begins or that one ends. Whoever asks at each sighting had better remember "
      + "it, and ask anew at `observer`: no other moment changes it.",
    ReferenceExample(
      """
      on("sighting", function(s)
        if scan_limits(s.observer).filters_duplicates then
          alert { title = s.observer .. " filters duplicates", once_per = 3600 }
        end
      end)
      """,
      test: """
        test "tells of it once" {
          sightings = {
            { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" },
            { at = 1, scan = "on", filters_duplicates = true },
            { at = 2, url = "https://example.com/", address = "c2:35:33:30:25:50" },
            { at = 3, scan = "on" },
            { at = 4, url = "https://example.com/", address = "c2:35:33:30:25:50" },
          },
          alerts = { { at = 2, title = "test filters duplicates" } },
        }
        """))

  static let heardAnybodyAt = ReferenceFunction(
    "heard_anybody_at", [ReferenceParameter("observer", .string)],
    returns: [.either([.number, .nothing])], .handling,
    "When an observer heard anybody last, also who is no beacon and so no `sighting`, in seconds since 1970; nil where it "
      + "heard nobody in this run, and where nobody knows it. It is known once in each second of its records, and not "
      + "of what came since then, so that it may be older by a second or so: what the plugin was given as sightings may "
      + "be later. Whether a radio listened it says where beacons are few.",
    ReferenceExample(
      """
      every(10, function(now)
        local at = heard_anybody_at("test")
        if at and now - at > 25 then
          alert { title = "test hears nobody", once_per = 3600 }
        end
      end)
      """,
      test: """
        test "tells of a radio that hears nobody, and counts who is no beacon" {
          sightings = {
            { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" },
            { at = 1, ["until"] = 60, every = 1, manufacturer = 76, data = "1005011c3a2b4c" },
            { at = 120, url = "https://example.com/", address = "c2:35:33:30:25:50" },
          },
          alerts = { { at = 90, title = "test hears nobody" } },
        }
        """))

  static let nameOf = ReferenceFunction(
    "name_of", [ReferenceParameter("sighting", .record("sighting"))], returns: [.string],
    .handling,
    "What the site calls what was heard: the narrowest of its regions that the sighting can lie in, as "
      + "`regions_of` has them, and the identity with its middle left out; the whole identity where it "
      + "lies in none. For titles: what is remembered goes by `id`.",
    ReferenceExample(
      """
      region "hall" { ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e" } }
      region "shelf 7" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e", major = 1, minor = 7 },
      }
      on("sighting", function(s) alert { severity = "info", title = name_of(s) .. " is heard" } end)
      """,
      test: """
        test "says what people call it" {
          sightings = {
            { at = 0, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
              address = "c2:35:33:30:25:51" },
            { at = 1, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:8",
              address = "c2:35:33:30:25:52" },
            { at = 2, url = "https://example.com/", address = "c2:35:33:30:25:50" },
          },
          alerts = {
            { at = 0, title = "shelf 7 (f782…893e:1:7) is heard" },
            { at = 1, title = "hall (f782…893e:1:8) is heard" },
            { at = 2, title = "https://example.com/ is heard" },
          },
        }
        """))
}
