-- ok
-- Keys that go while they are put in order, and while they are walked through.
local left = 0
for round = 1, 12 do
  local t = setmetatable({}, {__mode = round % 2 == 0 and "k" or "v"})
  for i = 1, 500 do
    t["a key of some length, " .. i .. ":" .. round] = {("x"):rep(20)}
    t[{i}] = ("y"):rep(20) .. i
  end
  for k, v in pairs(t) do
    left = left + #tostring(k)
    local litter = {k, {}, ("z"):rep(50) .. left}
  end
  next(t)
end
print(left > 0)
--> true
