/* require: what the outside gives, once. */
#include "internal.h"


static void load_module(lua_State *L, const char *name) {
  const guard_state *state = guard_of(L);
  guard_value text = {.kind = GUARD_NIL}, shown = {.kind = GUARD_NIL};
  bool found = state->callbacks.module(state->callbacks.context, name, &text, &shown);
  if (!found || text.kind != GUARD_STRING_VALUE) {
    if (text.kind == GUARD_STRING_VALUE) guard_push(L, &text);
    else lua_pushfstring(L, "there is no module '%s'", name);
    guard_raise_here(L);
  }
  guard_push(L, &text);
  if (shown.kind == GUARD_STRING_VALUE) guard_push(L, &shown);
  else lua_pushstring(L, name);
  size_t count;
  const char *bytes = lua_tolstring(L, -2, &count);
  int status = guard_load_text(L, bytes, count, lua_tostring(L, -1));
  guard_after_protected(L, status);
  if (status != LUA_OK) lua_error(L);
}

/* Upvalue: modules by name; `false` while one is being loaded. */
static int require(lua_State *L) {
  guard_state *state = guard_of(L);
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
    lua_pushfstring(L, "module '%s' requires itself", name);
    guard_raise_here(L);
  }
  if (!lua_isnil(L, -1)) return 1;
  lua_settop(L, 1);
  lua_pushcfunction(L, guard_tracer);
  load_module(L, name);
  lua_pushvalue(L, 1);
  lua_pushboolean(L, 0);
  lua_rawset(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  int status = lua_pcall(L, 1, 1, 2);
  if (status != LUA_OK || lua_isnil(L, -1)) {
    lua_pushvalue(L, 1);
    if (status == LUA_OK) lua_pushboolean(L, 1);
    else lua_pushnil(L);
    lua_rawset(L, lua_upvalueindex(1));
  }
  if (status != LUA_OK) {
    bool kept = state->traceback_kept;
    guard_after_protected(L, status);
    state->traceback_kept = kept;
    return lua_error(L);
  }
  if (!lua_isnil(L, -1)) {
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(1));
  }
  lua_pushvalue(L, 1);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

void guard_open_require(lua_State *L) {
  lua_newtable(L);
  lua_pushcclosure(L, require, 1);
  lua_setglobal(L, "require");
}
