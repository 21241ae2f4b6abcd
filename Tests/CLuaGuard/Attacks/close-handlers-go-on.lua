-- instructions
local function guarded(depth)
  local c <close> = setmetatable({}, {__close = function() while true do end end})
  if depth > 0 then guarded(depth - 1) end
  while true do end
end
guarded(50)
