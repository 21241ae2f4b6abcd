-- instructions
local s = ("\x80"):rep(1000000)
while true do pcall(utf8.codes("x"), s, 1) end
