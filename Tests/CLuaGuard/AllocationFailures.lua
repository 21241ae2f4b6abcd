-- A little of everything: each of its allocations fails once.
local plain = require "plain"
local seen, lines = {}, {}
local function note(...) lines[#lines + 1] = table.concat({...}, " ") end
keep(function(s)
  local n = (seen[s.id] or 0) + 1
  seen[s.id] = n
  if s.rssi < -61 and s.battery_mv > 2000 then note(s.id, n, s:copy().frame, s.fields.tilt) end
  for name, value in pairs(s) do note(name, tostring(value)) end
  return give(s)
end)
keep_reader(function(s)
  local n = (seen[s.id] or 0) + s.frame + (s.rssi or 0)
  seen[s.id] = n
  if s.frame == 40 then show { evidence = s, tilt = s.fields.tilt } end
end)
keep_turns(function(s) note(s.id, s.frame) end)
keep_expression "rssi < -40 and id == 'ibeacon:0' and math.abs(rssi) > 3"
print(plain.name, pcall(require, "broken"), pcall(require, "text"))
show({1, 2, {x = {y = "z"}}, f = function() end}, "text", 1.5, true)
print(pcall(give, {a = {b = coroutine.create(print)}}), pcall(fail, "no"))
local co = coroutine.wrap(function(a) local b = coroutine.yield(a .. "!") error {b} end)
print(co "x", pcall(co, "y"))
local closed <close> = setmetatable({}, {__close = function() note "closed" end})
for k, v in pairs {b = 1, a = 2, [3.5] = 3, 10, 20} do note(tostring(k), v) end
local t = {}
for i = 1, 40 do t[i] = (i * 7) % 11 end
table.sort(t, function(a, b) return a > b end)
note(table.concat(t, ","), string.format("%5.1f %s %q", 1.5, {}, "x\n"), os.date("%Y", 0))
note((("some words here"):gsub("%w+", function(w) return w:upper():rep(2) end)))
for w in ("a b c"):gmatch "%a" do note(w) end
note(tostring(select(2, pcall(error, setmetatable({}, {__tostring = function() return "e" end})))))
note(load("return 1 + 1")(), (select(2, xpcall(error, function(m) return m .. "?" end, "x"))))
note(#utf8.char(228, 8364), #string.pack("i4z", 1, "x"), tostring(next({})))
result = {lines = #lines, nested = {true}}
