---@meta beacontrace.filters
-- The built-in module `beacontrace.filters`. Generated from Sources/Judge/Plugins/Reference.

local filters = {}

---Whether an observer's controller filters duplicates. Where it does, `text` is remarked behind its name.
---@param observer string
---@param text? string such as " filters duplicates: intervals there were not judged"
---@return boolean
function filters.is_on(observer, text) end

---How often filters let the same beacon pass.
---@class beacontrace.rhythm
---@field hear fun(self: beacontrace.rhythm, observer: string, id: string, time: number?)
---@field seconds fun(self: beacontrace.rhythm, observer: string): number? # nil while it is not known

---A rhythm in `state[name]`, saved over restarts.
---@param name string
---@param pause? number s: no gap is counted over a scan that was off for longer; 30 without it
---@return beacontrace.rhythm
function filters.rhythm(name, pause) end

return filters
