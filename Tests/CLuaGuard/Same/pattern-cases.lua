-- Cases by hand.
local lines = {}
local function note(...)
  local t = table.pack(...)
  for i = 1, t.n do t[i] = tostring(t[i]) end
  lines[#lines + 1] = table.concat(t, "|")
end
local function try(name, ...) note(name, pcall(string[name], ...)) end
try("find", "", "") try("find", "", "", 2) try("find", "abc", "b", -1) try("find", "abc", "b", -9)
try("find", "abc", "", 10) try("find", "abc", "", 4) try("find", "a.b", ".", 2, true)
try("find", "a\0b", "\0") try("find", "a\0b", "%z") try("match", "key = value", "^(%w+)%s*=%s*(%w+)$")
try("match", "2024-06-07", "(%d+)-(%d+)-(%d+)") try("match", "  x  ", "^%s*(.-)%s*$")
try("match", "THE (quick) fox", "%((%a+)%)") try("find", "THE (quick) fox", "%f[%a]%a+%f[%A]", 6)
try("match", "f(a(b)c)d", "%b()") try("match", "aa", "(a)%1") try("match", "ab", "(a)%2")
try("match", "a", "%1") try("match", "a", "(") try("match", "a", ")") try("match", "a", "(a")
try("match", "a", "%") try("match", "a", "[a") try("match", "a", "[") try("match", "a", "[]")
try("match", "a", "[^]") try("match", "a", "[%") try("match", "a", "[a%") try("match", "a", "%b")
try("match", "a", "%bx") try("match", "a", "%f") try("match", "a", "%fa") try("match", "]", "[]]")
try("match", "-", "[a-]") try("match", "b", "[a-c-e]") try("match", "a", "a**") try("match", "a", "*")
try("match", "+", "^+") try("match", "x^", "x^") try("match", "$x", "$x") try("match", "x$", "x$$")
try("match", "hello", ".-(l+)(.*)") try("match", "hello", "()ll()") try("match", ("a"):rep(300), ("a?"):rep(250))
try("match", "x", ("()"):rep(32)) try("match", "x", ("()"):rep(33)) try("match", "a", nil) try("match")
try("find", "a", "a", {}) try("find", 123, 2) try("find", "a", "a", "1")
try("gsub", "hello world", "o", "0", 1) try("gsub", "hello", "", "-") try("gsub", "abc", "%w", "%0%0")
try("gsub", "abc", "%w", "%1") try("gsub", "abc", "%w", "%2") try("gsub", "abc", "%w", "%x")
try("gsub", "abc", "%w", "%") try("gsub", "abc", "(a)(b)(c)", "%3%2%1") try("gsub", "abc", "b*", "-")
try("gsub", "abc", "^a", "x") try("gsub", "aaa", "^a", "x") try("gsub", "abc", "b", "%%")
try("gsub", "abc", "b", {}) try("gsub", "abc", "b", {b = 1}) try("gsub", "abc", "b", {b = {}})
try("gsub", "abc", "b", function() end) try("gsub", "abc", "b", function() return {} end)
try("gsub", "abc", "b", function() error("x", 0) end) try("gsub", "abc", "b", true) try("gsub", "abc", "b")
try("gsub", "abc", "b", 5) try("gsub", "abc", "b", 5.5, -1) try("gsub", "abc", "()", "%1")
try("gsub", "abc def", "%f[%w]%w+", string.upper) try("gsub", "abc", "b", "x", "y")
try("gmatch", "a") try("gmatch", "a", {})
for _, a in ipairs {{"one two", "%a+"}, {"a,b,,c", "([^,]*)"}, {"k=v, x=y", "(%w+)=(%w+)"}, {"abc", ""},
  {"^a^a", "^a"}, {"abc", "b", 3}, {"abc", "%w", -2}, {"abc", "%w", 9}} do
  for x, y in string.gmatch(a[1], a[2], a[3]) do note("gmatch", x, y) end
end
return (table.concat(lines, "\n"):gsub("\0", "<zero>"))
