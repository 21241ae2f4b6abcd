/* What of the base library is our own. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Numbers of objects, in the order in which their texts were asked for: addresses do not repeat. */
static lua_Integer identity(lua_State *L, int index) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_IDENTITIES);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_rawgeti(L, -2, 1);
    lua_Integer number = lua_tointeger(L, -1) + 1;
    lua_pop(L, 2);
    lua_pushvalue(L, index);
    lua_pushinteger(L, number);
    lua_rawset(L, -3);
    lua_pushinteger(L, number);
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
    return number;
  }
  lua_Integer number = lua_tointeger(L, -1);
  lua_pop(L, 2);
  return number;
}

/* As `tostring`: pushes the text. */
const char *guard_tostring(lua_State *L, int index, size_t *count) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 6, NULL);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, count);
  }
  switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: return luaL_tolstring(L, index, count);
    default: break;
  }
  char number[32];
  snprintf(number, sizeof number, "0x%08llx", (unsigned long long)identity(L, index));
  int type = luaL_getmetafield(L, index, "__name");
  const char *name = type == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index);
  lua_pushfstring(L, "%s: %s", name, number);
  if (type != LUA_TNIL) lua_remove(L, -2);
  return lua_tolstring(L, -1, count);
}

static int to_string(lua_State *L) {
  luaL_checkany(L, 1);
  guard_tostring(L, 1, NULL);
  return 1;
}

static int print(lua_State *L) {
  const guard_state *state = guard_of(L);
  int count = lua_gettop(L);
  lua_newtable(L);
  size_t size = 0, length;
  for (int i = 1; i <= count; i++) {
    guard_tostring(L, i, &length);
    size += length + 1;
    lua_rawseti(L, count + 1, i);
  }
  char *line = lua_newuserdatauv(L, size + 1, 0), *end = line;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, count + 1, i);
    const char *text = lua_tolstring(L, -1, &length);
    if (i > 1) *end++ = '\t';
    memcpy(end, text, length);
    end += length;
    lua_pop(L, 1);
  }
  guard_charge(L, 50 + size);
  state->callbacks.print(state->callbacks.context, line, (size_t)(end - line));
  return 0;
}

/* Finalisers would run unseen by the hook, and whenever memory happens to be collected. */
static int set_metatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL)
      return luaL_error(L, "finalisers ('__gc') are not permitted; use '__close'");
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

static int collect_garbage(lua_State *L) {
  const char *option = luaL_optstring(L, 1, "collect");
  if (strcmp(option, "count") != 0)
    return luaL_error(L, "collectgarbage takes only \"count\" here, not \"%s\"", option);
  lua_pushnumber(L, (lua_Number)guard_of(L)->used / 1024);
  return 1;
}

void guard_open_base(lua_State *L) {
  const luaL_Reg functions[] = {
      {"collectgarbage", collect_garbage}, {"load", guard_load},     {"next", guard_next},
      {"pairs", guard_pairs},              {"pcall", guard_pcall},   {"xpcall", guard_xpcall},
      {"print", print},                    {"tostring", to_string},  {"setmetatable", set_metatable},
      {NULL, NULL}};
  const char *const absent[] = {"dofile", "loadfile", "warn"};
  lua_pushglobaltable(L);
  luaL_setfuncs(L, functions, 0);
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, absent[i]);
  }
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushinteger(L, 0);
  lua_rawseti(L, -2, 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_IDENTITIES);
}
