/// What editors and linters are told; made from the reference.
extension ReferenceText {
  /// `plugins/types/beacontrace.lua`: LuaCATS annotations of every function, event and field.
  package static var annotations: String {
    var text =
      "---@meta\n-- What a plugin can name. Generated from Sources/Judge/Plugins/Reference.\n\n"
    text += "---A sighting; good until the handler returns.\n"
    text += classText("sighting", SightingFields.all)
    text += "---@field copy fun(self: beacontrace.sighting): beacontrace.sighting\n\n"
    text += "---An event of any name.\n---@class beacontrace.event\n\n"
    for event in Reference.events where !event.isSighting {
      text += comment(event.text) + classText("event.\(event.name)", event.fields, "event") + "\n"
    }
    for record in Reference.records {
      text += comment(record.text) + classText(record.name, record.fields) + "\n"
    }
    // Editors know `print` and `require` already.
    for function in Reference.functions where !["print", "require"].contains(function.name) {
      text += annotation(function)
    }
    text += comment(Reference.stateText)
    text += "---@class beacontrace.state\n---@field save fun(key: string, ...: string)\n"
    text += "---@field [string] any\nstate = {}\n\n"
    return text + libraryAnnotations
  }

  private static func classText(_ name: String, _ fields: [ReferenceField], _ parent: String = "")
    -> String
  {
    var text = "---@class beacontrace.\(name)"
    text += parent.isEmpty ? "\n" : " : beacontrace.\(parent)\n"
    for field in fields {
      let key = field.name.first?.isNumber == true ? "[\(field.name)]" : field.name
      var type = field.type.text
      if field.isOptional {
        type = type.contains("|") || type.contains(":") ? "(\(type))?" : type + "?"
      }
      let unit = field.unit.isEmpty ? "" : "\(field.unit): "
      text += "---@field \(key) \(type) \(unit)\(field.text)\n"
    }
    return text
  }

  private static func comment(_ text: String) -> String { "---\(text)\n" }

  private static func annotation(_ function: ReferenceFunction) -> String {
    var text = comment(function.text)
    let answer = function.returns.map(\.text).joined(separator: ", ")
    switch function.form {
    case .plain where function.name == "on": return text + onOverloads
    case .plain, .table:
      for parameter in function.parameters {
        let mark = parameter.isOptional ? "?" : ""
        let about = parameter.text.isEmpty ? "" : " " + parameter.text
        text += "---@param \(parameter.name)\(mark) \(parameter.type.text)\(about)\n"
      }
      if function.takesMore { text += "---@param ... any\n" }
      if !answer.isEmpty { text += "---@return \(answer)\n" }
    case .nameThenTable:
      let table = function.parameters[1]
      text += "---@param name string\n"
      text += "---@return fun(\(table.name): \(table.type.text))"
      text += answer.isEmpty ? "\n" : ": \(answer)\n"
    }
    var names = function.form == .nameThenTable ? ["name"] : function.parameters.map(\.name)
    if function.takesMore { names.append("...") }
    return text + "function \(function.name)(\(names.joined(separator: ", "))) end\n\n"
  }

  /// An overload for each event, so that its fields are completed.
  private static var onOverloads: String {
    var text = ""
    for event in Reference.events {
      let type = event.isSighting ? "sighting" : "event.\(event.name)"
      let handler = "fun(e: beacontrace.\(type))"
      text += "---@overload fun(event: \"\(event.name)\", handler: \(handler))\n"
      text +=
        "---@overload fun(event: \"\(event.name)\", filter: string|beacontrace.filter, handler: "
        + "\(handler))\n"
    }
    return text + "function on(event, filter, handler) end\n\n"
  }

  /// `os` as it is here; editors are told to forget their own.
  private static var libraryAnnotations: String {
    """
    ---`date` and `time` on the capture's clock, in UTC.
    ---@class oslib
    os = {}

    ---@param format? string
    ---@param time? integer seconds since 1970; left out: now, on the capture's clock
    ---@return string|osdate
    function os.date(format, time) end

    ---@param table? osdateparam
    ---@return integer
    function os.time(table) end

    """
  }

  /// `plugins/types/stats.lua`: the built-in module.
  package static let statsAnnotations = """
    ---@meta beacontrace.stats
    -- The built-in module `beacontrace.stats`. Generated from Sources/Judge/Plugins/Reference.

    local stats = {}

    ---The middle value; the mean of the two middle ones; nil of an empty list.
    ---@param list number[]
    ---@return number?
    function stats.median(list) end

    ---@param list number[]
    ---@return number? # nil of an empty list
    function stats.mean(list) end

    ---The value below which a share of the list lies.
    ---@param list number[]
    ---@param share number 0 to 1
    ---@return number? # nil of an empty list
    function stats.quantile(list, share) end

    ---The latest values.
    ---@class beacontrace.window
    ---@field add fun(self: beacontrace.window, value: number)
    ---@field values fun(self: beacontrace.window): number[]
    ---@field count fun(self: beacontrace.window): integer

    ---@param size integer how many values it keeps
    ---@return beacontrace.window
    function stats.window(size) end

    return stats

    """

  /// `plugins/types/recent.lua`: the other one.
  package static let recentAnnotations = """
    ---@meta beacontrace.recent
    -- The built-in module `beacontrace.recent`. Generated from Sources/Judge/Plugins/Reference.

    local recent = {}

    ---A map that forgets.
    ---@class beacontrace.map
    ---@field get fun(self: beacontrace.map, key: string|number|boolean): any
    ---@field set fun(self: beacontrace.map, key: string|number|boolean, value: any): any
    ---@field each fun(self: beacontrace.map): fun(): string|number|boolean|nil, any

    ---A map in `state[name]`, saved over restarts, that forgets what was neither set nor asked for while
    ---`most` other keys were.
    ---@param name string
    ---@param most? integer 5000 without it
    ---@return beacontrace.map
    function recent.map(name, most) end

    return recent

    """

  /// `plugins/types/filters.lua`: the third.
  package static let filtersAnnotations = """
    ---@meta beacontrace.filters
    -- The built-in module `beacontrace.filters`. Generated from Sources/Judge/Plugins/Reference.

    local filters = {}

    ---Whether an observer's controller filters duplicates. Where it does, `text` is remarked behind its name.
    ---@param observer string
    ---@param text? string such as " filters duplicates: intervals there were not judged"
    ---@return boolean
    function filters.is_on(observer, text) end

    ---How often filters let the same beacon pass.
    ---@class beacontrace.rhythm
    ---@field hear fun(self: beacontrace.rhythm, observer: string, id: string, time: number?)
    ---@field seconds fun(self: beacontrace.rhythm, observer: string): number? # nil while it is not known

    ---A rhythm in `state[name]`, saved over restarts.
    ---@param name string
    ---@param pause? number s: no gap is counted over a scan that was off for longer; 30 without it
    ---@return beacontrace.rhythm
    function filters.rhythm(name, pause) end

    return filters

    """

  /// `plugins/types/listening.lua`: the fourth.
  package static let listeningAnnotations = """
    ---@meta beacontrace.listening
    -- The built-in module `beacontrace.listening`. Generated from Sources/Judge/Plugins/Reference.

    local listening = {}

    ---Since when an observer listens without a break.
    ---@class beacontrace.ear
    ---@field since number s
    ---@field latest number s: when it heard somebody last, or its scan began
    ---@field capture? string that of the latest sighting
    ---@field frame? integer its frame, for an alert to cite

    ---When each observer listens, by whom it hears.
    ---@class beacontrace.ears
    ---@field hear fun(self: beacontrace.ears, s: beacontrace.sighting): beacontrace.ear? # nil of what has no time
    ---@field of fun(self: beacontrace.ears, observer: string, now: number): beacontrace.ear? # nil where it may be deaf
    ---@field seconds fun(self: beacontrace.ears, observer: string, from: number, to: number): number
    ---@field observers fun(self: beacontrace.ears): string[] # all that ever listened, sorted

    ---Ears in `state[name]`, saved over restarts.
    ---@param name string
    ---@param pause? number s: one that hears nobody for longer may be deaf; 30 without it
    ---@return beacontrace.ears
    function listening.ears(name, pause) end

    ---How long the gaps between somebody's sightings are, learned into tables of the caller's, `{}` in the beginning.
    ---@class beacontrace.gaps
    ---@field learn fun(self: beacontrace.gaps, kept: table, seconds: number)
    ---@field quantile fun(self: beacontrace.gaps, kept: table, share: number): number? # nil of none
    ---@field unusual fun(self: beacontrace.gaps, kept: table): number # s: from there on no chance; 0 of none

    ---@param finest? number s: gaps below it are all alike; 1 without it
    ---@return beacontrace.gaps
    function listening.gaps(finest) end

    ---Which part of the time an observer's radio listens, where that is less than nine tenths. Then `text` is
    ---remarked behind its name.
    ---@param observer string
    ---@param text? string such as " listens a part of the time: intervals there were not judged"
    ---@return number? # nil of one that listens all the time, or of which nobody knows
    function listening.share(observer, text) end

    return listening

    """

  /// `plugins/types/words.lua`: the fifth.
  package static let wordsAnnotations = """
    ---@meta beacontrace.words
    -- The built-in module `beacontrace.words`. Generated from Sources/Judge/Plugins/Reference.

    local words = {}

    ---`45 s`, `3 min 20 s`, `2 h 05 min`, `6 d 23 h`.
    ---@param seconds number
    ---@return string
    function words.duration(seconds) end

    ---`08:19:59 UTC`, with its date before it where that is not the date of `beside`.
    ---@param time number seconds since 1970
    ---@param beside? number a time that stands beside it
    ---@return string
    function words.clock(time, beside) end

    return words

    """

  /// `plugins/.luarc.json`: for lua-language-server.
  package static var editorSettings: String { editorSettings(types: "types") }

  /// - Parameter types: the folder of the annotations.
  package static func editorSettings(types: String) -> String {
    let path = types.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    let disabled = (Reference.absentLibraries.keys + ["os"]).sorted()
    let lines = disabled.map { "    \"\($0)\": \"disable\"" }.joined(separator: ",\n")
    return """
      {
        "runtime.version": "Lua 5.4",
        "runtime.builtin": {
      \(lines)
        },
        "workspace.library": ["\(path)"],
        "workspace.checkThirdParty": false
      }

      """
  }

  /// `plugins/.luacheckrc`: globals that there are, and none else.
  package static var linterSettings: String {
    var text = "-- Generated from Sources/Judge/Plugins/Reference.\n"
    text += "stds.beacontrace = {\n  globals = { \"state\" },\n  read_globals = {\n"
    let own = Reference.functions.filter { $0.place != .tests }.map(\.name)
    let base = Reference.library("")?.members ?? []
    for name in (own + base).sorted() { text += "    \"\(name)\",\n" }
    for library in Reference.libraries where isGlobal(library) {
      let members = library.members.map { "\"\($0)\"" }.joined(separator: ", ")
      text += wrappedFields(library.name, members)
    }
    text += "  },\n}\nstd = \"beacontrace\"\n"
    text += "-- Handlers are given what they need not use.\nunused_args = false\n"
    text += "files[\"types\"] = { ignore = { \".*\" } }\n"
    return text + "files[\"**/*.test.lua\"] = { read_globals = { \"test\" } }\n"
  }

  private static func isGlobal(_ library: ReferenceLibrary) -> Bool {
    !library.name.isEmpty && !library.name.contains(".")
  }

  private static func wrappedFields(_ name: String, _ members: String) -> String {
    "    \(name) = { fields = {\n" + wrapped(members, indent: 6) + "    } },\n"
  }
}
