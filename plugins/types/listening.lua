---@meta beacontrace.listening
-- The built-in module `beacontrace.listening`. Generated from Sources/Judge/Plugins/Reference.

local listening = {}

---Since when an observer listens without a break.
---@class beacontrace.ear
---@field since number s
---@field latest number s: when it heard somebody last, or its scan began
---@field capture? string that of the latest sighting
---@field frame? integer its frame, for an alert to cite

---When each observer listens, by whom it hears.
---@class beacontrace.ears
---@field hear fun(self: beacontrace.ears, s: beacontrace.sighting): beacontrace.ear? # nil of what has no time
---@field of fun(self: beacontrace.ears, observer: string, now: number): beacontrace.ear? # nil where it may be deaf
---@field seconds fun(self: beacontrace.ears, observer: string, from: number, to: number): number
---@field observers fun(self: beacontrace.ears): string[] # all that ever listened, sorted

---Ears in `state[name]`, saved over restarts.
---@param name string
---@param pause? number s: one that hears nobody for longer may be deaf; 30 without it
---@return beacontrace.ears
function listening.ears(name, pause) end

---How long the gaps between somebody's sightings are, learned into tables of the caller's, `{}` in the beginning.
---@class beacontrace.gaps
---@field learn fun(self: beacontrace.gaps, kept: table, seconds: number)
---@field quantile fun(self: beacontrace.gaps, kept: table, share: number): number? # nil of none
---@field unusual fun(self: beacontrace.gaps, kept: table): number # s: from there on no chance; 0 of none

---@param finest? number s: gaps below it are all alike; 1 without it
---@return beacontrace.gaps
function listening.gaps(finest) end

---Which part of the time an observer's radio listens, where that is less than nine tenths. Then `text` is
---remarked behind its name.
---@param observer string
---@param text? string such as " listens a part of the time: intervals there were not judged"
---@return number? # nil of one that listens all the time, or of which nobody knows
function listening.share(observer, text) end

return listening
