/// What `on` can wait for.
enum Events {
  static let all: [ReferenceEvent] = [
    sighting, telemetry, enter, exit, state, proximity, ranging, messageFound, messageLost,
    position,
    monitoringFailed, malformed, clock, observer, start, finish,
  ]

  static let sighting = ReferenceEvent(
    "sighting", sighting: true,
    "A beacon was heard. What the handler is given is good until it returns; `s:copy()` can be kept.",
    SightingFields.all, hearing)

  static let hearing = ReferenceExample(
    """
    on("sighting", { kind = { "eddystone-url", "ibeacon" } }, function(s)
      alert { severity = "info", title = s.kind, evidence = s }
    end)
    """,
    test: """
      test "takes the kinds that are named" {
        sightings = {
          { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" },
          { at = 1, eddystone_tlm = { battery_mv = 3000 }, address = "c2:35:33:30:25:50" },
          { at = 2, ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
            address = "c2:35:33:30:25:51" },
        },
        alerts = {
          { at = 0, severity = "info", title = "eddystone-url" },
          { at = 2, severity = "info", title = "ibeacon" },
        },
      }
      """)

  static let telemetry = ReferenceEvent(
    "telemetry", sighting: true,
    "A sighting of telemetry: Eddystone's, or a custom one that has fields.", telemetryFields,
    ReferenceExample(
      """
      on("telemetry", function(s) print(s.address, s.battery_mv) end)
      """,
      test: """
        test "hears telemetry alone" {
          sightings = {
            { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" },
            { at = 1, eddystone_tlm = { battery_mv = 2300 }, address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "c2:35:33:30:25:50\\t2300" },
        }
        """))

  static let telemetryKinds = ["eddystone-tlm", "eddystone-etlm", "custom"]

  private static let telemetryFields: [ReferenceField] = {
    let own = Set(
      telemetryKinds.flatMap { SightingFields.fields(ofKind: $0) }.map(\.name))
    return SightingFields.all.filter { own.contains($0.name) }
  }()

  /// A region that a beacon is in from 10 to 15 s, and not before it has been found empty.
  private static let visit = """
    region "lobby" {
      ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e" },
      exit_after = 5,
    }

    """

  private static func visit(_ name: String, _ outcome: String) -> String {
    """
    test "\(name)" {
      sightings = {
        { at = 0, ["until"] = 30, every = 1, rssi = -70, url = "https://example.com/",
          address = "c2:35:33:30:25:50" },
        { at = 10, ["until"] = 15, every = 1, rssi = -60, address = "c2:35:33:30:25:51",
          ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
      },
      \(outcome)
    }
    """
  }

  static let enter = ReferenceEvent(
    "enter", "A region that was empty has somebody in it.", EventFieldRows.ofEnter,
    ReferenceExample(
      visit + """
        on("enter", "lobby", function(e)
          alert { severity = "notice", title = "Arrived in " .. e.region, evidence = e }
        end)
        """,
      test: visit(
        "tells who comes",
        "alerts = { { at = 10, severity = \"notice\", title = \"Arrived in lobby\" } },")))

  static let exit = ReferenceEvent(
    "exit", "Nobody of the region has been heard for its `exit_after`.", EventFieldRows.ofExit,
    ReferenceExample(
      visit + """
        on("exit", { region = "lobby" }, function(e)
          alert { title = "Left " .. e.region, text = "silent for " .. e.time - e.last_seen .. " s" }
        end)
        """,
      test: visit(
        "tells who goes",
        "alerts = { { at = 20, title = \"Left lobby\", text = \"silent for 5.0 s\" } },")))

  static let state = ReferenceEvent(
    "state",
    "The first thing known of a region, within its first `exit_after`: somebody is in it, or nobody. Who is heard "
      + "by then is no `enter`, as he may have been there before: this tells him, or `enter_on_first_sight`.",
    EventFieldRows.ofState,
    ReferenceExample(
      visit + """
        on("state", function(e) print(e.region, e.state) end)
        """,
      test: visit(
        "is empty at first", "alerts = {},\n  print = { \"lobby\\toutside\" },")))

  static let proximity = ReferenceEvent(
    "proximity", "A transmitter of a region came nearer, went farther, or it became unknown.",
    EventFieldRows.ofProximity,
    ReferenceExample(
      visit + """
        on("proximity", { from = "unknown" }, function(e) print(e.transmitter.minor, e.to) end)
        """,
      test: visit("tells how near", "alerts = {},\n  print = { \"7\\tnear\" },")))

  static let ranging = ReferenceEvent(
    "ranging", "A region's transmitters at a moment.", EventFieldRows.ofRanging,
    ReferenceExample(
      visit + """
        local most = 0
        on("ranging", "lobby", function(e)
          for _, entry in ipairs(e.entries) do
            if entry.rssi == -60 then most = math.max(most, #e.entries) end
          end
        end)
        on("finish", function() print(most) end)
        """, test: visit("counts who is there", "alerts = {},\n  print = { \"1\" },")))

  private static let exhibit = """
    message {
      beacon = "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e",
      namespace = "museum", type = "exhibit", content = "Room 4",
    }
    subscribe { namespace = "museum" }

    """

  static let messageFound = ReferenceEvent(
    "message_found", "A message that somebody subscribed to came within reach.",
    EventFieldRows.ofFound,
    ReferenceExample(
      exhibit + """
        on("message_found", { type = "exhibit" }, function(e)
          print(e.message.content, e.transmitter.major)
        end)
        """, test: visit("finds it", "alerts = {},\n  print = { \"Room 4\\t1\" },")))

  static let messageLost = ReferenceEvent(
    "message_lost", "A message is no longer within reach.", EventFieldRows.ofLost,
    ReferenceExample(
      exhibit + """
        on("message_lost", function(e) print(e.message.content) end)
        """,
      test: """
        test "loses it" {
          sightings = {
            { at = 0, ["until"] = 200, every = 1, url = "https://example.com/",
              address = "c2:35:33:30:25:50" },
            { at = 10, address = "c2:35:33:30:25:51",
              ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
          },
          alerts = {},
          print = { "Room 4" },
        }
        """))
}
