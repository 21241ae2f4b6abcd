/// Modules that every plugin can `require`, by name.
enum BuiltInModules {
  static let all: [String: String] = [
    "beacontrace.stats": stats, "beacontrace.recent": recent, "beacontrace.words": words,
    "beacontrace.filters": filters, "beacontrace.listening": listening,
  ]

  /// Figures over numbers.
  private static let stats = """
    local stats = {}

    local function sorted(list)
      local copy = table.move(list, 1, #list, 1, {})
      table.sort(copy)
      return copy
    end

    -- The middle value; nil of nothing.
    function stats.median(list)
      return stats.quantile(list, 0.5)
    end

    -- The value below which a share of the list lies, between neighbours in proportion.
    function stats.quantile(list, share)
      if type(share) ~= "number" or not (share >= 0 and share <= 1) then
        error("stats.quantile: the share is a number from 0 to 1, not " .. tostring(share), 2)
      end
      if #list == 0 then return nil end
      local values = sorted(list)
      local place = 1 + (#values - 1) * share
      local low = math.floor(place)
      local high = math.min(low + 1, #values)
      return values[low] + (values[high] - values[low]) * (place - low)
    end

    function stats.mean(list)
      if #list == 0 then return nil end
      local sum = 0
      for _, value in ipairs(list) do sum = sum + value end
      return sum / #list
    end

    -- The latest `size` values: w:add(v), w:values() (the oldest first), w:count(). Of nil, such as a
    -- signal that is not available, nothing is added.
    function stats.window(size)
      if math.type(size) ~= "integer" or size < 1 then
        error("stats.window: how many values it keeps is a whole number from 1 on", 2)
      end
      local values, next, window = {}, 1, {}
      function window:add(value)
        if value == nil then return end
        values[next] = value
        next = next % size + 1
      end
      function window:values()
        -- While there is room they lie as they came; then the oldest is the one that is next to go.
        local first = #values < size and 1 or next
        local list = table.move(values, first, #values, 1, {})
        return table.move(values, 1, first - 1, #list + 1, list)
      end
      function window:count() return #values end
      return window
    end

    return stats
    """

  /// Maps that forget. Two tables take turns: nothing has to be sorted or counted for each key.
  private static let recent = """
    local recent = {}

    -- What is written past set would be neither saved nor forgotten.
    local function refuse(what, level)
      error("a map of beacontrace.recent is no table: " .. what, level)
    end
    local no_table = {
      __index = function() refuse("read it with m:get(key)", 3) end,
      __newindex = function() refuse("write it with m:set(key, value)", 3) end,
      __pairs = function() refuse("walk through it with m:each()", 4) end,
      __len = function() refuse("walk through it with m:each() to count", 3) end,
    }

    -- A map that is kept in state[name], over restarts, too, and forgets what was not asked for while
    -- `most` other keys were: m:get(key), m:set(key, value), m:each().
    function recent.map(name, most)
      if most == nil then most = 5000 end
      if type(name) ~= "string" or name == "save" then
        error("recent.map: the name of a key of state is needed, such as \\"seen\\"", 2)
      end
      if math.type(most) ~= "integer" or most < 1 then
        error("recent.map: how many keys it keeps is a whole number from 1 on", 2)
      end
      state.save(name)
      local kept = state[name]
      local is_map = type(kept) == "table" and type(kept.newer) == "table"
        and type(kept.older) == "table" and math.type(kept.count) == "integer"
      if not is_map then
        if kept ~= nil then
          print("state." .. name .. " held something else than a map of beacontrace.recent; it begins anew")
        end
        kept = { newer = {}, older = {}, count = 0 }
        state[name] = kept
      end
      local map = {}

      local function check(self)
        if self ~= map then error("a map of beacontrace.recent is called with a colon: m:get(key)", 3) end
      end

      local function set(key, value)
        local is_new = kept.newer[key] == nil
        if value == nil then
          if not is_new then kept.count = kept.count - 1 end
        elseif is_new then
          if kept.count >= most then kept.newer, kept.older, kept.count = {}, kept.newer, 0 end
          kept.count = kept.count + 1
        end
        kept.newer[key], kept.older[key] = value, nil
        return value
      end

      function map:set(key, value)
        check(self)
        return set(key, value)
      end

      function map:get(key)
        check(self)
        local value = kept.newer[key]
        if value ~= nil then return value end
        value = kept.older[key]
        if value ~= nil then set(key, value) end
        return value
      end

      -- Every key that is there when it begins, and still is in its turn, wherever it is kept by then.
      function map:each()
        check(self)
        local keys, count, at = {}, 0, 0
        for _, kept_keys in ipairs({ kept.newer, kept.older }) do
          for key in pairs(kept_keys) do
            count = count + 1
            keys[count] = key
          end
        end
        return function()
          while at < count do
            at = at + 1
            local key = keys[at]
            local value = kept.newer[key]
            if value == nil then value = kept.older[key] end
            if value ~= nil then return key, value end
          end
        end
      end

      return setmetatable(map, no_table)
    end

    return recent
    """

  /// Times as people say them.
  private static let words = """
    local words = {}

    -- "45 s", "3 min 20 s", "2 h 05 min", "6 d 23 h", in the form of analyze, rounded; "-45 s" below 0.
    function words.duration(seconds)
      local whole = math.floor(math.abs(seconds) + 0.5)
      if seconds < 0 and whole > 0 then return "-" .. words.duration(whole) end
      if whole < 60 then return ("%d s"):format(whole) end
      if whole < 3600 then return ("%d min %02d s"):format(whole // 60, whole % 60) end
      if whole < 86400 then return ("%d h %02d min"):format(whole // 3600, whole // 60 % 60) end
      local days = ("%d"):format(whole // 86400)
      if #days > 3 then days = days:sub(1, -4) .. " " .. days:sub(-3) end
      return ("%s d %02d h"):format(days, whole // 3600 % 24)
    end

    -- "08:19:59 UTC"; with its date where that is not the one of `beside`, or where there is none.
    function words.clock(time, beside)
      local day = os.date("%Y-%m-%d", math.floor(time))
      local clock = os.date("%H:%M:%S", math.floor(time)) .. " UTC"
      if beside and os.date("%Y-%m-%d", math.floor(beside)) == day then return clock end
      return day .. " " .. clock
    end

    return words
    """
}
