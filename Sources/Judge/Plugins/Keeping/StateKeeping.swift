/// What `state` holds, as plain data.
struct KeptState {
  var table = LuaTable()
  /// A sentence for each thing that is not in it: `state.open: a function …`.
  var leftOut: [String] = []
  /// A sentence for each thing that is in it, but not as it was.
  var changed: [String] = []
}

/// Takes a plugin's `state` out as plain data, and puts it in: functions of the plugin's Lua state.
///
/// They are taken out before the plugin's text runs, so that it cannot put others in their place.
struct StateKeeping {
  private let keep: LuaFunction

  /// - Parameter state: put into the table `state`.
  init(_ lua: LuaState, _ state: LuaTable) throws(LuaProblem) {
    try lua.run(Array(Self.text.utf8), name: "=beacontrace")
    keep = try Self.function("_keep", lua)
    let put = try Self.function("_put", lua)
    if !state.pairs.isEmpty { try lua.call(put, [.table(state)]) }
    lua.release(put)
  }

  private static func function(_ name: String, _ lua: LuaState) throws(LuaProblem) -> LuaFunction {
    guard case .function(let function) = try lua.global(name) else {
      throw LuaProblem(limit: .error, message: "\(name) is missing", traceback: [])
    }
    try lua.setGlobal(name, .none)
    return function
  }

  /// What a plugin keeps may be many times what one of its calls may do: the walk over it is counted by its
  /// time and memory alone.
  /// - Parameter keys: these alone; nil: all.
  func take(_ lua: LuaState, _ keys: Set<[UInt8]>?) throws(LuaProblem) -> KeptState {
    var only = LuaTable()
    for key in keys ?? [] { only.append(.bytes(key), .flag(true)) }
    guard case .table(let answer) = try lua.callUncounted(keep, keys == nil ? [] : [.table(only)])
    else { return KeptState() }
    var kept = KeptState()
    if case .table(let data) = answer["data"] { kept.table = data }
    if case .table(let left) = answer["left"] { kept.leftOut = left.list.compactMap(\.text) }
    if case .table(let changed) = answer["changed"] {
      kept.changed = changed.list.compactMap(\.text)
    }
    return kept
  }

  /// Tables from which nothing is left out are handed on as they are: a copy would need as much
  /// memory again.
  private static let text = """
    local next, pairs, type, getmetatable = next, pairs, type, getmetatable
    local rawequal, rawget, rawset, state = rawequal, rawget, rawset, state
    local tostring, format, find, globals = tostring, string.format, string.find, _G
    -- Those of events and copies, which only tell names that are misspelt.
    local quiet = _absent
    _absent = nil
    local deepest = 28
    local kinds = { string = true, number = true, boolean = true }
    local others = {
      thread = "a coroutine is left out",
      userdata = "a sighting is left out; its s:copy() would be kept",
    }

    local function path(names, depth)
      local text = "state"
      for i = 1, depth do
        local key = names[i]
        if type(key) ~= "string" then
          text = text .. "[" .. (kinds[type(key)] and tostring(key) or "a " .. type(key)) .. "]"
        elseif find(key, "^[%a_][%w_]*$") then
          text = text .. "." .. key
        else
          text = text .. format("[%q]", key)
        end
      end
      return text
    end

    local function has_metatable(value)
      local own = getmetatable(value)
      return own ~= nil and not quiet[own]
    end

    -- What is in a table, whatever a metatable of its own says; `next` looks at every key each time.
    local function walk(value)
      if rawequal(value, state) or not has_metatable(value) then return pairs(value) end
      return next, value
    end

    function _keep(only)
      local left, changed, names, open, seen = {}, {}, {}, {}, {}
      local function leave(depth, why) left[#left + 1] = path(names, depth) .. ": " .. why end
      local function change(depth, how) changed[#changed + 1] = path(names, depth) .. ": " .. how end
      local plain

      local function table_of(value, depth)
        local copy
        for key, item in walk(value) do
          names[depth + 1] = key
          local kept
          if depth == 0 and only and not only[key] then
            kept = nil
          elseif depth == 0 and key == "save" then
            leave(1, "left out; it would hide the function state.save")
          elseif not kinds[type(key)] then
            leave(depth + 1, "left out; keys are strings, numbers and booleans")
          else
            kept = plain(item, depth + 1)
          end
          if not copy and kept ~= item then
            copy = {}
            for before, same in walk(value) do
              if before == key then break end
              copy[before] = same
            end
          end
          if copy then copy[key] = kept end
        end
        return copy or value
      end

      function plain(value, depth)
        local kind = type(value)
        if kinds[kind] then return value end
        if kind ~= "table" then return leave(depth, others[kind] or "a " .. kind .. " is left out") end
        if open[value] then return leave(depth, "left out; the table contains itself") end
        if depth > deepest then
          return leave(depth, "left out; tables are nested more than " .. deepest .. " deep")
        end
        if depth > 0 and has_metatable(value) then
          change(depth, "its metatable is left out, what is in it is not")
        end
        if seen[value] then change(depth, "the same table as another one; a copy from now on") end
        open[value], seen[value] = true, true
        local kept = table_of(value, depth)
        open[value] = nil
        return kept
      end

      local now = rawget(globals, "state")
      if type(now) ~= "table" then
        return { data = {}, left = { "state: a " .. type(now) .. ", no table; left out" } }
      end
      return { data = plain(now, 0), left = left, changed = changed }
    end

    function _put(values)
      for key, value in pairs(values) do rawset(state, key, value) end
    end
    """
}
