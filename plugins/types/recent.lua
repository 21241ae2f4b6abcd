---@meta beacontrace.recent
-- The built-in module `beacontrace.recent`. Generated from Sources/Judge/Plugins/Reference.

local recent = {}

---A map that forgets.
---@class beacontrace.map
---@field get fun(self: beacontrace.map, key: string|number|boolean): any
---@field set fun(self: beacontrace.map, key: string|number|boolean, value: any): any
---@field each fun(self: beacontrace.map): fun(): string|number|boolean|nil, any

---A map in `state[name]`, saved over restarts, that forgets what was neither set nor asked for while
---`most` other keys were.
---@param name string
---@param most? integer 5000 without it
---@return beacontrace.map
function recent.map(name, most) end

return recent
