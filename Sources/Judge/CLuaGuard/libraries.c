/* The libraries that a program gets. */
#include "internal.h"

static void open_library(lua_State *L, const char *name, lua_CFunction open) {
  luaL_requiref(L, name, open, 1);
}

static void remove_field(lua_State *L, const char *name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
}

/* math.randomseed(…): without arguments Lua would take the time and an address; ours takes the seed
 * of the state. Upvalue: Lua's own. */
static int seed_random(lua_State *L) {
  int count = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (count == 0) lua_pushinteger(L, (lua_Integer)guard_of(L)->limits.seed);
  lua_call(L, count == 0 ? 1 : count, 0);
  return 0;
}

static void open_math(lua_State *L) {
  open_library(L, LUA_MATHLIBNAME, luaopen_math);
  lua_getfield(L, -1, "randomseed");
  lua_pushcclosure(L, seed_random, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "randomseed");
  lua_call(L, 0, 0);
  /* Of Lua 5.2; some builds of 5.4 still have them. */
  static const char *const old[] = {"atan2", "cosh",  "frexp", "ldexp",
                                    "log10", "pow",   "sinh",  "tanh"};
  for (size_t place = 0; place < sizeof old / sizeof *old; place++) remove_field(L, old[place]);
  lua_pop(L, 1);
}

void guard_open_libraries(lua_State *L) {
  open_library(L, LUA_GNAME, luaopen_base);
  guard_open_conversions(L);
  lua_pop(L, 1);
  guard_open_base(L);
  open_math(L);
  open_library(L, LUA_COLIBNAME, luaopen_coroutine);
  guard_open_coroutines(L);
  lua_pop(L, 1);
  open_library(L, LUA_TABLIBNAME, luaopen_table);
  guard_open_tables(L);
  lua_pop(L, 1);
  open_library(L, LUA_UTF8LIBNAME, luaopen_utf8);
  guard_open_utf8(L);
  lua_pop(L, 1);
  open_library(L, LUA_STRLIBNAME, luaopen_string);
  remove_field(L, "dump");
  guard_open_strings(L);
  lua_pop(L, 1);
  /* Every string's metatable belongs to all. */
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
  guard_open_clock(L);
  guard_open_require(L);
}
