/* pcall and xpcall, which do not catch that a limit is over. */
#include "internal.h"

void guard_after_protected(lua_State *L, int status) {
  guard_state *state = guard_of(L);
  if (status != LUA_OK && status != LUA_YIELD) {
    guard_settle_refusal(state);
    if (status == LUA_ERRMEM) guard_stop(state, L, GUARD_MEMORY);
  }
  if (state->stopped != GUARD_OK) guard_raise_stopped(L);
  state->traceback_kept = false;
}

/* KEPT: how much of the stack is not a result. */
static int finish(lua_State *L, int status, lua_KContext kept) {
  guard_after_protected(L, status);
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)kept;
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

int guard_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  guard_charge(L, 2);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return finish(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish), 0);
}

/* The program's message handler (the upvalue), while there is anything left to handle. */
static int handle(lua_State *L) {
  const guard_state *state = guard_of(L);
  if (state->stopped != GUARD_OK) return 1;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int guard_xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  guard_charge(L, 2);
  int arguments = lua_gettop(L) - 2;
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* function, handler, true, function, arguments… */
  return finish(L, lua_pcallk(L, arguments, LUA_MULTRET, 2, 2, finish), 2);
}
