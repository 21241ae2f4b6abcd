-- The functions that the guard has its own of, or stands before: results and messages.
local lines = {}
local function note(...)
  local t = table.pack(...)
  for i = 1, t.n do
    if type(t[i]) == "function" then t[i] = "function" end
    t[i] = type(t[i]) == "table" and "{" .. table.concat(t[i], " ") .. "}" or tostring(t[i])
  end
  lines[#lines + 1] = table.concat(t, "|")
end
local function list(...) return {...} end
local function on(name, f, ...) note(name, pcall(f, ...)) end
-- Which argument it complains of differs between the versions of Lua 5.4.
local function removing(...)
  local good, message = pcall(table.remove, ...)
  note("remove", good, good and tostring(message) or (message:gsub("#%d", "#")))
end
local function changed(name, f, t, ...) note(name, select("#", f(t, ...)), t) end

on("concat", table.concat, list(1, 2, 3)) on("concat", table.concat, list(1, "b", 2.5), ", ", 2, 3)
on("concat", table.concat, {}, ",") on("concat", table.concat, {1, {}, 3}) on("concat", table.concat, {1}, ",", 1, 2)
on("concat", table.concat, {1, 2}, ",", 3) on("concat", table.concat, nil) on("concat", table.concat, {}, {})
on("concat", table.concat, {[math.maxinteger] = "z"}, "-", math.maxinteger, math.maxinteger)
changed("insert", table.insert, list(1, 2), 3) changed("insert", table.insert, list(1, 2), 1, 0)
on("insert", table.insert, list(1, 2), 5, 0) on("insert", table.insert, list(1), 0, 1) on("insert", table.insert, list(1))
on("insert", table.insert, list(1), 1, 2, 3) on("insert", table.insert, nil, 1) on("insert", table.insert, list(1), "x", 1)
changed("remove", table.remove, list(1, 2, 3)) changed("remove", table.remove, list(1, 2, 3), 1)
removing({}) removing(list(1, 2), 4) removing(list(1, 2), 3)
removing({}, 0) removing({}, -1) removing(list(1), "a")
on("unpack", table.unpack, list(1, 2, 3)) on("unpack", table.unpack, list(1, 2, 3), 2) on("unpack", table.unpack, {}, 1, 3)
on("unpack", table.unpack, {}, 2, 1) on("unpack", table.unpack, {}, 1, 1 << 31) on("unpack", table.unpack, {}, math.mininteger, math.maxinteger)
on("unpack", table.unpack, {}, math.maxinteger, math.maxinteger)
note(table.move(list(1, 2, 3), 1, 3, 2)) note(table.move(list(1, 2, 3), 2, 3, 1)) note(table.move(list(1, 2), 1, 2, 1, {}))
note(table.move(list(1, 2), 2, 1, 1)) on("move", table.move, {}, -1, math.maxinteger, 2)
on("move", table.move, {}, 1, 2, math.maxinteger) on("move", table.move, {}, 1, 2) on("move", table.move, nil, 1, 2, 3)
for n = 0, 40 do
  local t = {}
  for i = 1, n do t[i] = (i * 31) % 17 + i / 64 end
  table.sort(t) note("sort", t)
  table.sort(t, function(a, b) return a > b end) note("sort", t)
end
on("sort", table.sort, {1, "x"}) on("sort", table.sort, {1, 2}, 3) on("sort", table.sort, 1)
local words = {"pear", "Apple", "fig", "apple"} table.sort(words) note(words)

on("rep", string.rep, "ab", 3) on("rep", string.rep, "ab", 3, "-") on("rep", string.rep, "", 5, "x") on("rep", string.rep, "a", 0)
on("rep", string.rep, "a", -1) on("rep", string.rep) on("rep", string.rep, "a", 1, ",") on("rep", string.rep, "a", 2.5)
for _, f in ipairs {"%d", "%5d|", "%-5d|", "%05.1f", "%x", "%s", "%10s|", "%-10s|", "%.2s|", "%q", "%%", "%c", "%g", "%a", "%i", "%y", "%", "%10", "%e", "%u"} do
  on(f, string.format, f, 3) on(f, string.format, f, "text") on(f, string.format, f, 2.5) on(f, string.format, f, nil) on(f, string.format, f)
end
on("format", string.format, "%s %s %s", 1, true, setmetatable({}, {__tostring = function() return "own" end}))
on("format", string.format, "%s", setmetatable({}, {__tostring = function() return 1 end}))
on("format", string.format, "%d%s", 1, nil) on("format", string.format, "%q", 1 / 3) on("format", string.format, "%q", "a\0b\r\n\"")
on("format", string.format, ("%s"):rep(100), table.unpack(list(("x"):rep(100):byte(1, -1))))
on("byte", string.byte, "abc", 1, -1) on("char", string.char, 72, 105) on("char", string.char, 256) on("upper", string.upper, "aé")
on("reverse", string.reverse, "abc") on("lower", string.lower) on("pack", string.pack, "i2s1", 5, "x") on("unpack", string.unpack, "<i2", "\1\0")
on("packsize", string.packsize, "i4i8") on("unpack", string.unpack, "z", "abc")
on("len", utf8.len, "äö") on("len", utf8.len, "\xff") on("codepoint", utf8.codepoint, "äö", 1, -1) on("offset", utf8.offset, "äö", 2) on("char", utf8.char, 228, 8364)
for p, c in utf8.codes "aä€" do note(p, c) end
on("codes", function() for p, c in utf8.codes "a\xff" do note(p, c) end end)
on("tonumber", tonumber, "0x10") on("tonumber", tonumber, "z", 36) on("tonumber", tonumber, "8", 8) on("tonumber", tonumber) on("tonumber", tonumber, 10, 99)
on("tostring", tostring, 1.0) on("tostring", tostring, -0.0) on("tostring", tostring) on("tostring", tostring, 1 << 62) on("tostring", tostring, setmetatable({}, {__tostring = function() return {} end}))
on("pcall", pcall) on("xpcall", xpcall, print) on("xpcall", xpcall, error, function(m) return "h" .. tostring(m) end, "x") on("xpcall", xpcall, function(...) return ... end, print, 1, nil, 3)
on("setmetatable", setmetatable, {}) on("setmetatable", setmetatable, 1, {}) on("setmetatable", setmetatable, setmetatable({}, {__metatable = 1}), {})
note(getmetatable(setmetatable({}, {__metatable = "own"})))
note(load("return 1 + 1")()) note(load("x =")) note(load("return ...", "=name", "t", {})(5)) note(load("error 'x'", "@file"))
local parts = {"return ", "1", nil} local at = 0
note(load(function() at = at + 1 return parts[at] end)()) note(pcall(load, function() return {} end)) note(load("y = 1", "c", "t", {}) ~= nil)
note(pcall(load("local a <const> = 1; return b.c", "=c")))
for k, v in pairs(setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 1, 2 end end, t, nil end})) do note(k, v) end
on("pairs", pairs) on("next", next, {}) on("next", next, {5}) on("next", next, {5}, 1) on("next", next)

local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) local d, e = coroutine.yield(c * 2) return d + e end)
note(coroutine.resume(co, 1, 2)) note(coroutine.resume(co, 10)) note(coroutine.resume(co, 3, 4)) note(coroutine.resume(co)) note(coroutine.status(co))
note(coroutine.resume(coroutine.create(error), "x")) note(pcall(coroutine.wrap(function() error("x") end))) note(pcall(coroutine.wrap(function() error({}) end)) == false)
note(pcall(coroutine.resume, 1)) note(pcall(coroutine.create, 1)) note(coroutine.isyieldable()) note(select(2, coroutine.running()))
local dead = coroutine.wrap(function() return 1 end) note(dead()) note(pcall(dead))
local closing = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() note "closed" end}) coroutine.yield() end)
coroutine.resume(closing) note(coroutine.close(closing)) note(coroutine.status(closing)) note(coroutine.close(closing))
local failing = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() error("in close", 0) end}) coroutine.yield() end)
coroutine.resume(failing) note(coroutine.close(failing)) note(coroutine.close(coroutine.create(print)))
local selfish selfish = coroutine.wrap(function() return pcall(selfish) end) note(selfish())
note(pcall(function() return coroutine.resume(coroutine.running()) end))
note(pcall(coroutine.close, coroutine.running()))
local yielding = coroutine.wrap(function() note(pcall(function() note(coroutine.yield(1)) error("after", 0) end)) note(xpcall(function() return coroutine.yield(2) end, print)) return "end" end)
note(yielding()) note(yielding("in")) note(yielding("again"))
note(pcall(yielding))

for _, time in ipairs {0, 1, 86399, 86400, 951782400, 1709164800, 1735689599, -1, -86400 * 365, 4102444800} do
  note(os.date("!%Y-%m-%d %H:%M:%S %j %a %b %p %y %w %U %D %F %T %R %e %I %%", time))
  local t = os.date("!*t", time)
  note(t.year, t.month, t.day, t.hour, t.min, t.sec, t.yday, t.wday, t.isdst)
end
on("date", os.date, "!%E", 0) on("date", os.date, "!%Ey", 0) on("date", os.date, "!%", 0) on("date", os.date, "!%Q", 0) on("date", os.date, "!%Od", 0) on("date", os.date, "!a\0b", 0)
on("time", os.time, {year = 2024}) on("time", os.time, {year = 2024, month = "x", day = 1}) on("time", os.time, {year = 1 << 40, month = 1, day = 1})
return (table.concat(lines, "\n"):gsub("\0", "<zero>"))
