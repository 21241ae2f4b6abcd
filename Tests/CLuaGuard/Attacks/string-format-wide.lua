-- string memory instructions
local s = ("x"):rep(1 << 20)
print(#string.format("%s%s", s, s))
