-- Thousands of patterns and subjects, drawn from pieces: find, match, gmatch and gsub of each.
local state = 20240607
local function draw(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n + 1
end
local pieces = {
  "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%p", "%S", "%W", "%x", "[ab]", "[^a]", "[a-c%d]",
  "[%a_]", "[]a]", "[^]]", "[a-]", "[%]]", "(", ")", "(", ")", "()", "*", "+", "-", "?", "*", "+",
  "%1", "%2", "^", "$", "%f[%w]", "%f[^a]", "%b()", "%bab", "%", "[", "]", "%z", "\0", "%%", "%g",
}
local letters = {"a", "b", "c", "1", " ", "(", ")", "_", "\0", "a", "b", "é"}
local templates = {"<%0>", "%1", "%2%1", "x", "%%", "%", "%9", "", "[%1]"}
local function text(from, most)
  local t = {}
  for i = 1, draw(most) - 1 do t[i] = from[draw(#from)] end
  return table.concat(t)
end
local lines = {}
local function note(...)
  local t = table.pack(...)
  for i = 1, t.n do t[i] = tostring(t[i]) end
  lines[#lines + 1] = table.concat(t, "|")
end
for i = 1, 4000 do
  local pattern, subject = text(pieces, 9), text(letters, 14)
  local start = draw(20) - 8
  lines[#lines + 1] = string.format("%q %q %d", pattern, subject, start)
  note(pcall(string.find, subject, pattern, start))
  note(pcall(string.match, subject, pattern, start))
  note(pcall(string.find, subject, pattern, start, true))
  note(pcall(string.gsub, subject, pattern, templates[draw(#templates)], draw(6) - 1))
  note(pcall(string.gsub, subject, pattern, function(a, b) if b then return b end return a == "a" and "A" end))
  note(pcall(string.gsub, subject, pattern, {a = "1", b = true, ab = 2.5}))
  note(pcall(function()
    local found = {}
    for a, b in string.gmatch(subject, pattern, start) do
      found[#found + 1] = tostring(a) .. ":" .. tostring(b)
    end
    return table.concat(found, ",")
  end))
end
return (table.concat(lines, "\n"):gsub("\0", "<zero>"))
