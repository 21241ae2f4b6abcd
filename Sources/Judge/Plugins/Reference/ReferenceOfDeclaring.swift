/// Functions that declare: while the file is loaded.
enum DeclaringFunctions {
  static let all: [ReferenceFunction] = [plugin, option, region, message, subscribe, decoder]

  private static let name = ReferenceParameter("name", .string)

  static let plugin = ReferenceFunction(
    "plugin", form: .table, [ReferenceParameter("plugin", .record("plugin"))], .loading,
    "Says what the plugin is; alerts carry its version. May be left out, and stands once at most.",
    ReferenceExample(
      """
      plugin { version = "1.0", about = "Says hello" }
      on("start", function() print("hello") end)
      """,
      test: """
        test "says hello" {
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "hello" },
        }
        """))

  static let option = ReferenceFunction(
    "option", form: .nameThenTable, [name, ReferenceParameter("option", .record("option"))],
    returns: [.any], .loading,
    "Declares a setting of the plugin and returns its value: what `--set PLUGIN.NAME=VALUE` says, or "
      + "the default. `memory_mb` and `instructions` are options of every plugin.",
    ReferenceExample(
      """
      local below = option "below_mv" { default = 2400, min = 1000, max = 4000, help = "low from here" }
      on("start", function() print("low below", below) end)
      """,
      test: """
        test "takes the default" {
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "low below\\t2400" },
        }
        test "takes what is set" {
          options = { below_mv = 2500 },
          sightings = { { at = 0, url = "https://example.com/", address = "c2:35:33:30:25:50" } },
          alerts = {},
          print = { "low below\\t2500" },
        }
        """))

  static let region = ReferenceFunction(
    "region", form: .nameThenTable, [name, ReferenceParameter("region", .record("region"))],
    returns: [.string], .loading,
    "Defines a region, as `--region` does, and returns its name: exactly one kind (`ibeacon`, `eddystone`, …), or "
      + "`contains`, or both, which then must both hold. A second definition of a name replaces the "
      + "first, with a warning.",
    ReferenceExample(
      """
      local near = region "near" {
        ibeacon = { uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e", major = 1 },
        contains = function(s) return s.rssi and s.rssi > -60 end,
        exit_after = 5,
      }
      on("enter", near, function(e)
        alert { title = "in " .. e.region, evidence = e }
      end)
      """,
      test: """
        local beacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
        test "only what is strong is inside" {
          sightings = {
            { at = 0, ["until"] = 20, every = 1, ibeacon = beacon, rssi = -80,
              address = "c2:35:33:30:25:50" },
            { at = 10.5, ibeacon = beacon, rssi = -50, address = "c2:35:33:30:25:50" },
          },
          alerts = { { at = 10.5, severity = "warning", title = "in near" } },
        }
        """))

  static let message = ReferenceFunction(
    "message", form: .table, [ReferenceParameter("message", .record("message"))], .loading,
    "Attaches a message to a beacon, as a line of `--messages` does.",
    ReferenceExample(
      """
      message {
        beacon = "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1",
        namespace = "museum", type = "exhibit", content = "Room 4",
      }
      subscribe { namespace = "museum" }
      on("message_found", function(e) print(e.message.content) end)
      """,
      test: foundOnce))

  static let subscribe = ReferenceFunction(
    "subscribe", form: .table, [ReferenceParameter("subscription", .record("subscription"))],
    .loading,
    "Asks for messages, as `--subscribe` does: those of a namespace and type, or all of them.",
    ReferenceExample(
      """
      local beacon = "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1"
      message { beacon = beacon, namespace = "museum", type = "exhibit", content = "Room 4" }
      message { beacon = beacon, namespace = "museum", type = "price", content = "free" }
      subscribe { namespace = "museum", type = "exhibit" }
      on("message_found", function(e) print(e.message.content) end)
      """,
      test: foundOnce))

  private static let foundOnce = """
    test "finds the message once" {
      sightings = {
        { at = 0, ["until"] = 5, every = 1, address = "c2:35:33:30:25:50",
          ibeacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7" },
      },
      alerts = {},
      print = { "Room 4" },
    }
    """

  static let decoder = ReferenceFunction(
    "decoder", form: .nameThenTable, [name, ReferenceParameter("decoder", .record("decoder"))],
    .loading,
    "Makes sightings of kind `custom` from structures of advertising data that no built-in format takes, also of "
      + "advertisements that hold a beacon in another structure (flags, a name): `decode` "
      + "is asked for each report with such a structure. Decoders run in a Lua state of their own, "
      + "for which the file is loaded once more: they share no variables with handlers.",
    ReferenceExample(
      """
      decoder "thermo" {
        company = 0x0499,
        decode = function(ad, adv)
          if #ad.data < 3 then return nil end
          local number, centidegrees = string.unpack("<Bi2", ad.data)
          return { id = tostring(number), fields = { temperature_c = centidegrees / 100 } }
        end,
      }
      on("telemetry", { decoder = "thermo" }, function(s)
        print(s.id, s.fields.temperature_c)
      end)
      """,
      test: """
        test "reads the temperature" {
          sightings = {
            { at = 0, manufacturer = 0x0499, data = "07c409", address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "thermo:7\\t25.0" },
        }
        """))
}
