extension BuiltInModules {
  /// Controllers that filter duplicates: whoever is there is told of once, or seldom.
  static let filters = """
    local recent = require "beacontrace.recent"
    local stats = require "beacontrace.stats"
    local filters = {}

    -- By observer. Any event of it may change that.
    local known = {}
    on("observer", function(e) known[e.observer] = nil end)

    -- By observer: what was remarked of it.
    local told = {}

    -- Whether an observer's controller filters duplicates. Where it does, `text` is remarked behind the
    -- observer's name, whoever asked before without one.
    function filters.is_on(observer, text)
      local is_on = known[observer]
      if is_on == nil then
        is_on = scan_limits(observer).filters_duplicates
        known[observer] = is_on
      end
      if is_on and text and told[observer] ~= text then
        told[observer] = text
        remark(observer .. text)
      end
      return is_on
    end

    -- So many gaps make a figure, and so many of the latest count.
    local ENOUGH, MOST = 5, 50
    -- A scan that is begun again at once lets everybody pass, which belongs to the rhythm; a pause does not.
    local ENDS = { scan_off = true, reset = true, capture_off = true, recording_off = true }

    local function restored(name)
      local kept = state[name]
      local is_whole = kept == nil or type(kept) == "table"
      if is_whole then
        for _, it in pairs(kept or {}) do
          is_whole = is_whole and type(it) == "table" and type(it.gaps) == "table"
        end
      end
      if not is_whole then
        print("state." .. name .. " held something else than a rhythm of beacontrace.filters; it begins anew")
        return {}
      end
      return kept or {}
    end

    -- How often each observer's filter lets the same beacon pass, learned from all that it heard, and kept
    -- in state[name], over restarts, too: r:hear(observer, id, time), r:seconds(observer). What lies behind
    -- a scan that was off for more than `pause` seconds has nothing to do with what was heard before it.
    function filters.rhythm(name, pause)
      if pause == nil then pause = 30 end
      if type(name) ~= "string" or name == "save" then
        error("filters.rhythm: the name of a key of state is needed, such as \\"rhythm\\"", 2)
      end
      if type(pause) ~= "number" or not (pause > 0) then
        error("filters.rhythm: how long a pause may be is a number of seconds above 0", 2)
      end
      state.save(name)
      local kept = restored(name)
      state[name] = kept
      -- By observer and id: when it was heard last.
      local passes = recent.map(name .. "_passes")
      local rhythm = {}

      local function check(self)
        if self ~= rhythm then
          error("a rhythm of beacontrace.filters is called with a colon: r:seconds(observer)", 3)
        end
      end

      on("start", function(e)
        -- A restart is a pause, and the clock may have been set meanwhile.
        for _, it in pairs(kept) do it.since, it.latest, it.off = e.time, nil, nil end
      end)

      on("observer", function(e)
        local it = kept[e.observer]
        if not it or e.what == "lost" then return end
        if ENDS[e.what] then
          it.off = it.off or e.time
        elseif it.off then
          if e.time - it.off > pause then it.since = e.time end
          it.off = nil
        end
      end)

      function rhythm:hear(observer, id, time)
        check(self)
        -- Of what has no time nobody knows how long ago it was.
        if not time then return end
        local it = kept[observer]
        if not it then
          it = { since = time, gaps = {} }
          kept[observer] = it
        end
        -- Where the clock was set back nobody knows how long ago anything was, until it has come as far.
        if it.latest and time < it.latest then
          it.since = it.latest
          return
        end
        it.latest = time
        local key = observer .. "\\n" .. id
        local before = passes:get(key)
        passes:set(key, time)
        -- What was heard before its filter began says nothing of that.
        if not before or before < it.since then return end
        local gaps = it.gaps
        gaps[#gaps + 1], it.median = time - before, nil
        if #gaps > MOST then table.remove(gaps, 1) end
      end

      function rhythm:seconds(observer)
        check(self)
        local it = kept[observer]
        if not it or #it.gaps < ENOUGH then return nil end
        it.median = it.median or stats.median(it.gaps)
        return it.median
      end

      return rhythm
    end

    return filters
    """
}
