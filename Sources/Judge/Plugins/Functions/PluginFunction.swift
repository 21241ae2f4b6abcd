/// A function that plugins can call.
struct PluginFunction: Sendable {
  /// As Lua knows it; one that begins with `_` is wrapped by the prelude, and gone afterwards.
  let name: String
  let call: @Sendable (Plugin, [LuaValue]) throws(LuaMessage) -> LuaValue
}

/// All of them. A new one is a file and a word here, and its words in the reference.
enum PluginFunctions {
  static let all: [PluginFunction] = [
    .plugin, .option, .region, .message, .subscribe, .decoder, .mark, .on, .every, .after, .cancel,
    .alert, .regionState, .regionsOf, .regionsAt, .regionsLike, .nameOf, .scanLimits,
    .heardAnybodyAt, .remark, .utc, .utcOffset, .save, .test, .missing,
  ]

  /// Run before the plugin: what takes a name and then a table, and what is no function.
  ///
  /// The calls stand behind `return`, so that errors name the plugin's line, not one of these.
  static let prelude = """
    local option, region, decoder, test, save = _option, _region, _decoder, _test, _save
    _option, _region, _decoder, _test, _save = nil, nil, nil, nil, nil
    local setmetatable, rawget, rawset, error = setmetatable, rawget, rawset, error
    local type, select, pcall, waiting, count = type, select, pcall, {}, 0
    local function named(what, declare)
      return function(name, definition)
        if definition ~= nil then return declare(name, definition) end
        if type(name) ~= "string" then return declare(name) end
        count = count + 1
        local place = count
        -- Where it stands, as errors say it: of pcall, of this function, of the plugin's line.
        local _, line = pcall(error, "", 3)
        local words = what .. ' "' .. name .. '"'
        waiting[place] = line .. words .. " has no table behind it, which says what it is; write " .. words .. " { … }"
        return function(definition)
          waiting[place] = nil
          return declare(name, definition)
        end
      end
    end
    _G.option, _G.region = named("option", option), named("region", region)
    _G.decoder, _G.test = named("decoder", decoder), named("test", test)
    function _waiting()
      for place = 1, count do if waiting[place] then return waiting[place] end end
    end
    state = setmetatable({}, {
      __index = { save = save }, __metatable = false,
      __newindex = function(state, key, value)
        if key == "save" then
          error('state.save is a function that names what survives a restart: state.save("seen")', 2)
        end
        rawset(state, key, value)
      end,
    })
    local seed = math.randomseed
    function _seed(number) seed(number) end
    local fields, on, missing = { \(eventFields) }, on, _missing
    _missing = nil
    local absent = { __index = function(event, name)
      if type(name) == "string" and not fields[name] then missing(rawget(event, "type"), name) end
    end }
    -- What is in events, and copies of sightings, may have fields of the plugin's own.
    local known = { \(allFields), copy = true }
    _absent = { [absent] = true }
    local function part(what)
      local own = { __index = function(_, name)
        if type(name) == "string" and not known[name] then return missing(what, name) end
      end }
      _absent[own] = true
      return own
    end
    _copied = part("copy")
    local sender, message = part("transmitter"), part("message")
    local entry, frame = part("ranging_entry"), part("evidence")
    local function each(list, own)
      if list then for place = 1, #list do setmetatable(list[place], own) end end
    end
    local sightings = { sighting = true, telemetry = true }
    function _G.on(...)
      local count = select("#", ...)
      local event, filter, handler = ...
      if count == 2 then filter, handler = nil, filter end
      if count < 2 or count > 3 or sightings[event] or type(handler) ~= "function" then
        return on(...)
      end
      local function handle(e)
        setmetatable(e, absent)
        if e.transmitter then setmetatable(e.transmitter, sender) end
        if e.message then setmetatable(e.message, message) end
        each(e.entries, entry)
        each(e.evidence, frame)
        handler(e)
      end
      if count == 2 then return on(event, handle) end
      return on(event, filter, handle)
    end
    """

  /// Fields that some event has, as keys of a table: what none has is a misspelt name.
  private static let eventFields = keys(ofEvents)

  /// With those of sightings, and of what is in events.
  private static let allFields = keys(
    ofEvents + SightingField.names
      + ["transmitter", "message", "ranging_entry", "evidence"].flatMap {
        Reference.record($0)?.fields.map(\.name) ?? []
      })

  private static let ofEvents =
    Reference.events.filter { !$0.isSighting }.flatMap(\.fields).map(\.name)

  private static func keys(_ names: [String]) -> String {
    Set(names).sorted().map { "[\"\($0)\"] = true" }.joined(separator: ", ")
  }
}

/// Reads a declaration's table, and knows which keys it may have.
struct DeclarationReader {
  let table: LuaTable
  /// What messages call it: `region 'lobby'`.
  let what: String

  init(_ value: LuaValue, _ what: String, keys: [String]) throws(LuaMessage) {
    guard case .table(let table) = value else {
      throw LuaMessage("\(what): a table is needed, not \(value.shown)")
    }
    for (key, _) in table.pairs {
      guard let name = key.text else {
        throw LuaMessage("\(what): \(key.shown) is no key; write name = value")
      }
      guard keys.contains(name) else {
        throw LuaMessage("\(what): \(UnknownWord.sentence("key", name, among: keys))")
      }
    }
    self.table = table
    self.what = what
  }

  func text(_ key: String) throws(LuaMessage) -> String? {
    let value = table[key]
    if value.isNone { return nil }
    guard let text = value.text else { throw wrong(key, value, "a string") }
    return text
  }

  func neededText(_ key: String) throws(LuaMessage) -> String {
    guard let text = try text(key) else { throw LuaMessage("\(what): \(key) is missing") }
    return text
  }

  /// Above 0 where `isPositive`.
  func number(_ key: String, isPositive: Bool = false) throws(LuaMessage) -> Double? {
    let value = table[key]
    if value.isNone { return nil }
    guard let number = value.number, number.isFinite else { throw wrong(key, value, "a number") }
    if isPositive && number <= 0 { throw wrong(key, value, "a number above 0") }
    return number
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(LuaMessage) -> Int? {
    let value = table[key]
    if value.isNone { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw wrong(key, value, "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func function(_ key: String) throws(LuaMessage) -> LuaFunction? {
    let value = table[key]
    if value.isNone { return nil }
    guard case .function(let function) = value else { throw wrong(key, value, "a function") }
    return function
  }

  func wrong(_ key: String, _ value: LuaValue, _ needed: String) -> LuaMessage {
    LuaMessage("\(what): \(key) has to be \(needed), not \(value.shown)")
  }
}
