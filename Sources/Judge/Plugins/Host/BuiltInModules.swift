/// Modules that every plugin can `require`, by name.
enum BuiltInModules {
  static let all: [String: String] = ["beacontrace.stats": stats]

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

    -- The latest `size` values: w:add(v), w:values(), w:count().
    function stats.window(size)
      local values, next, window = {}, 1, {}
      function window:add(value)
        values[next] = value
        next = next % size + 1
      end
      function window:values()
        return table.move(values, 1, #values, 1, {})
      end
      function window:count() return #values end
      return window
    end

    return stats
    """
}
