-- Generated from Sources/Judge/Plugins/Reference.
stds.beacontrace = {
  globals = { "state" },
  read_globals = {
    "_G",
    "_VERSION",
    "after",
    "alert",
    "assert",
    "cancel",
    "collectgarbage",
    "decoder",
    "error",
    "every",
    "getmetatable",
    "heard_anybody_at",
    "ipairs",
    "load",
    "mark",
    "message",
    "name_of",
    "next",
    "on",
    "option",
    "pairs",
    "pcall",
    "plugin",
    "print",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "region",
    "region_state",
    "regions_at",
    "regions_like",
    "regions_of",
    "remark",
    "require",
    "scan_limits",
    "select",
    "setmetatable",
    "subscribe",
    "tonumber",
    "tostring",
    "type",
    "utc",
    "utc_offset",
    "xpcall",
    string = { fields = {
      "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower",
      "match", "pack", "packsize", "rep", "reverse", "sub", "unpack", "upper"
    } },
    table = { fields = {
      "concat", "insert", "move", "pack", "remove", "sort", "unpack"
    } },
    math = { fields = {
      "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor",
      "fmod", "huge", "log", "max", "maxinteger", "min", "mininteger", "modf",
      "pi", "rad", "random", "randomseed", "sin", "sqrt", "tan", "tointeger",
      "type", "ult"
    } },
    utf8 = { fields = {
      "char", "charpattern", "codepoint", "codes", "len", "offset"
    } },
    coroutine = { fields = {
      "close", "create", "isyieldable", "resume", "running", "status", "wrap",
      "yield"
    } },
    os = { fields = {
      "date", "time"
    } },
  },
}
std = "beacontrace"
-- Handlers are given what they need not use.
unused_args = false
files["types"] = { ignore = { ".*" } }
files["**/*.test.lua"] = { read_globals = { "test" } }
