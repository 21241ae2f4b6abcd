extension BuiltInModules {
  /// Whether a receiver listens, and whether a silence is longer than chance makes it.
  static let listening = """
    local listening = {}

    -- Of each observer so many times are kept in which it listened before.
    local MOST_BEFORE = 20
    -- A radio that listens nearly all the time misses next to nothing by that.
    local ALL = 0.9

    -- By observer. Any event of it may change that.
    local shares = {}
    on("observer", function(e) shares[e.observer] = nil end)

    -- By observer: what was remarked of it.
    local told = {}

    -- Which part of the time an observer's radio listens, by the windows of its scan, where that is less than nine
    -- tenths; else nil. Where it is, `text` is remarked behind the observer's name, whoever asked before without one.
    function listening.share(observer, text)
      local share = shares[observer]
      if share == nil then
        share = scan_limits(observer).radio_share or 1
        shares[observer] = share
      end
      if share >= ALL then return nil end
      if text and told[observer] ~= text then
        told[observer] = text
        remark(observer .. text)
      end
      return share
    end

    -- What was heard before the scan began anew, or ended, or before packets were lost, says nothing about
    -- afterwards. Between two captures only a time that is long enough is one in which nobody was heard.
    local PASSED_OVER = { recording_off = true, recording_on = true }

    local function is_span(it)
      return type(it) == "table" and type(it.since) == "number" and type(it.latest) == "number"
    end

    local function is_ear(it)
      if type(it) ~= "table" or it.since and not is_span(it) then return false end
      if it.before ~= nil and type(it.before) ~= "table" then return false end
      for _, span in pairs(it.before or {}) do
        if not is_span(span) then return false end
      end
      return true
    end

    local function restored(name)
      local kept = state[name]
      local is_whole = kept == nil or type(kept) == "table"
      if is_whole then
        for _, it in pairs(kept or {}) do is_whole = is_whole and is_ear(it) end
      end
      if not is_whole then
        print("state." .. name .. " held something else than ears of beacontrace.listening; they begin anew")
        return {}
      end
      return kept or {}
    end

    -- It does not listen any more.
    local function close(it)
      if not it.since then return end
      local before = it.before or {}
      it.before = before
      before[#before + 1] = { since = it.since, latest = it.latest }
      if #before > MOST_BEFORE then table.remove(before, 1) end
      it.since, it.capture, it.frame = nil, nil, nil
    end

    -- When each observer listens, which is known from whom it hears, beacon or not, and kept in state[name], over
    -- restarts, too: e:hear(s), e:of(observer, now), e:seconds(observer, from, to), e:observers(). One that hears
    -- nobody for more than `pause` seconds may be deaf. An ear says since when without such a break (since), when it heard somebody
    -- last, or began (latest), and in which frame (capture, frame).
    function listening.ears(name, pause)
      if pause == nil then pause = 30 end
      if type(name) ~= "string" or name == "save" then
        error("listening.ears: the name of a key of state is needed, such as \\"ears\\"", 2)
      end
      if type(pause) ~= "number" or not (pause > 0) then
        error("listening.ears: how long a pause may be is a number of seconds above 0", 2)
      end
      state.save(name)
      local kept = restored(name)
      state[name] = kept
      local ears = {}

      local function without_colon()
        error("ears of beacontrace.listening are called with a colon: e:hear(s)", 3)
      end

      local function open(observer, time)
        local it = kept[observer] or {}
        close(it)
        kept[observer], it.since, it.latest = it, time, time
        return it
      end

      local function reach(observer, time)
        local it = kept[observer]
        if not it or not it.since then it = open(observer, time) end
        time = math.max(time, it.latest)
        if time - it.latest > pause then it = open(observer, time) end
        it.latest = time
        return it
      end

      on("start", function(e)
        for _, it in pairs(kept) do
          -- A restart is a pause, and the clock may have been set meanwhile.
          if it.since and math.abs(e.time - it.latest) > pause then close(it) end
          -- An earlier run's frames cannot be cited.
          it.capture, it.frame = nil, nil
        end
      end)

      on("observer", function(e)
        if PASSED_OVER[e.what] then return end
        if e.what == "scan_on" then open(e.observer, e.time)
        elseif kept[e.observer] then close(kept[e.observer]) end
        -- What was heard before says nothing of it any more.
        if kept[e.observer] then kept[e.observer].ended = e.time end
      end)

      -- Whoever is no beacon is heard, too.
      every(1, function()
        for observer, it in pairs(kept) do
          local time = heard_anybody_at(observer)
          if time and time > (it.ended or -math.huge) and (not it.since or time > it.latest) then
            reach(observer, time)
          end
        end
      end)

      -- The ear of who hears a sighting, as it is then; nil of what has no time. Where the clock was set back time
      -- stands still until it has come as far as before.
      function ears:hear(s)
        if self ~= ears then without_colon() end
        local time = s and s.time
        if not time then
          if type(s) == "userdata" or type(s) == "table" then return nil end
          error("ears of beacontrace.listening hear sightings: e:hear(s)", 2)
        end
        local it = reach(s.observer, time)
        it.capture, it.frame = s.capture, s.frame
        return it
      end

      -- nil of one that does not listen.
      function ears:of(observer, now)
        if self ~= ears then without_colon() end
        if not now then error("ears of beacontrace.listening are asked for a time: e:of(observer, now)", 2) end
        local it = kept[observer]
        return it and it.since and now - it.latest <= pause and it or nil
      end

      -- For how many seconds of a time it listened, up to when it heard somebody last.
      function ears:seconds(observer, from, to)
        if self ~= ears then without_colon() end
        if not from or not to then
          error("ears of beacontrace.listening are asked for a time: e:seconds(observer, from, to)", 2)
        end
        local it, sum = kept[observer], 0
        if not it then return sum end
        local function add(span)
          sum = sum + math.max(0, math.min(to, span.latest) - math.max(from, span.since))
        end
        for _, span in ipairs(it.before or {}) do add(span) end
        if it.since then add(it) end
        return sum
      end

      -- The names of all that have ever listened.
      function ears:observers()
        if self ~= ears then without_colon() end
        local names = {}
        for observer in pairs(kept) do names[#names + 1] = observer end
        table.sort(names)
        return names
      end

      return ears
    end

    -- Gaps are counted by their length: the first count is of those below `finest`, and each further one of
    -- those that are longer by a fifth. The latest 200 or so count.
    local STEPS, MANY = 4, 200

    -- How long the gaps between somebody's sightings are: g:learn(kept, seconds), g:quantile(kept, share),
    -- g:unusual(kept). What is learned lies in a table of the caller's, as plain data, so that it can be saved
    -- beside what else is known of the beacon.
    function listening.gaps(finest)
      if finest == nil then finest = 1 end
      if type(finest) ~= "number" or not (finest > 0) then
        error("listening.gaps: the shortest gap that counts as one is a number of seconds above 0", 2)
      end
      local gaps = {}

      local function check(self, kept)
        if self ~= gaps then
          error("gaps of beacontrace.listening are called with a colon: g:learn(kept, seconds)", 3)
        end
        if type(kept) ~= "table" then
          error("gaps of beacontrace.listening are kept in a table of yours, {} in the beginning", 3)
        end
      end

      function gaps:learn(kept, seconds)
        local counts = self == gaps and kept and kept.counts
        if not counts then check(self, kept) end
        if not seconds or not (seconds < math.huge) then
          error("gaps of beacontrace.listening have a length in seconds: g:learn(kept, seconds)", 2)
        end
        if not counts then
          counts = {}
          kept.counts, kept.count = counts, 0
        end
        local place = 1
        if seconds >= finest then place = math.floor(math.log(seconds / finest, 2) * STEPS) + 2 end
        for missing = #counts + 1, place do counts[missing] = 0 end
        counts[place] = counts[place] + 1
        kept.count = kept.count + 1
        if kept.count < MANY then return end
        kept.count = 0
        for number, count in ipairs(counts) do
          counts[number] = count // 2
          kept.count = kept.count + count // 2
        end
      end

      local function quantile(kept, share)
        local rest = kept.count * share
        for number, count in ipairs(kept.counts) do
          rest = rest - count
          if rest <= 0 then return finest * 2 ^ ((number - 1) / STEPS) end
        end
      end

      -- The length that a share of the gaps does not exceed; nil of none.
      function gaps:quantile(kept, share)
        check(self, kept)
        if type(share) ~= "number" or not (share >= 0 and share <= 1) then
          error("gaps of beacontrace.listening are asked for a share from 0 to 1: g:quantile(kept, share)", 2)
        end
        if (kept.count or 0) == 0 then return nil end
        return quantile(kept, share)
      end

      -- From how many seconds on a silence is not chance. Of regular gaps it is three of them; of gaps that chance
      -- makes (each sighting is heard or lost by itself) one that comes once in a million. 0 where none was learned.
      function gaps:unusual(kept)
        check(self, kept)
        if (kept.count or 0) == 0 then return 0 end
        local most, half = quantile(kept, 0.9), quantile(kept, 0.5)
        return math.max(3 * most, half + 8 * (most - half))
      end

      return gaps
    end

    return listening
    """
}
