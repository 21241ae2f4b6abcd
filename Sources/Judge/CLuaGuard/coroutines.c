/* coroutine.create, wrap, resume and close: no coroutine outlives a limit, or counts for less. */
#include "internal.h"

/* Coroutines within one another. Lua's own count forgets those that are being closed. */
enum { DEEPEST = 150 };

/* Its hooks are off then: nothing of it may run again. */
static bool was_stopped(lua_State *co) { return (*guard_mark(co) & 1) != 0; }

static lua_State *coroutine_at(lua_State *L, int index) {
  lua_State *co = lua_tothread(L, index);
  luaL_argexpected(L, co != NULL, index, "thread");
  return co;
}

/* Each has a hook of its own, which counts from zero: what it may do unseen is charged at once. */
static int create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  guard_charge(L, GUARD_COROUTINE_QUANTUM);
  lua_State *co = lua_newthread(L);
  guard_count_hook(co, GUARD_COROUTINE_QUANTUM);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

/* Why it cannot go on; NULL where it can. */
static const char *obstacle(lua_State *L, lua_State *co) {
  lua_Debug record;
  if (guard_of(L)->nesting >= DEEPEST) return "C stack overflow";
  if (co == L) return "cannot resume non-suspended coroutine";
  switch (lua_status(co)) {
    case LUA_YIELD: return NULL;
    case LUA_OK:
      if (lua_getstack(co, 0, &record)) return "cannot resume non-suspended coroutine";
      return lua_gettop(co) == 0 ? "cannot resume dead coroutine" : NULL;
    default: return "cannot resume dead coroutine";
  }
}

/* Resumes CO with the COUNT values on top. Returns how many values it left on L's stack, -1 with an
 * error on top of it. */
static int resume(lua_State *L, lua_State *co, int count) {
  guard_state *state = guard_of(L);
  const char *reason = obstacle(L, co);
  if (reason == NULL && !lua_checkstack(co, count + 1)) reason = "too many arguments to resume";
  if (reason != NULL) {
    lua_pushstring(L, reason);
    return -1;
  }
  guard_charge(L, 2 + (uint64_t)count / 4);
  lua_xmove(L, co, count);
  int results, nesting = state->nesting;
  state->nesting = nesting + 1;
  state->running = co;
  int status = lua_resume(co, L, count, &results);
  state->running = L;
  state->nesting = nesting;
  if (status != LUA_OK && status != LUA_YIELD) {
    guard_settle_refusal(state);
    if (status == LUA_ERRMEM) guard_stop(state, co, GUARD_MEMORY);
  }
  if (state->stopped != GUARD_OK) {
    *guard_mark(co) |= 1;
    guard_raise_stopped(L);
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, results);
  return results;
}

static int resume_function(lua_State *L) {
  lua_State *co = coroutine_at(L, 1);
  int results = resume(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  if (results < 0) results = 1;
  lua_insert(L, -(results + 1));
  return results + 1;
}

/* Closes what CO has open; returns the status that it ended with. */
static int take_down(lua_State *L, lua_State *co) {
  guard_state *state = guard_of(L);
  if (was_stopped(co)) return LUA_OK;
  if (state->nesting >= DEEPEST) return luaL_error(L, "C stack overflow");
  int nesting = state->nesting;
  state->nesting = nesting + 1;
  state->running = co;
  int status = lua_resetthread(co);
  state->running = L;
  state->nesting = nesting;
  if (status != LUA_OK) {
    guard_settle_refusal(state);
    if (status == LUA_ERRMEM) guard_stop(state, co, GUARD_MEMORY);
  }
  if (state->stopped != GUARD_OK) {
    *guard_mark(co) |= 1;
    guard_raise_stopped(L);
  }
  return status;
}

static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {
    if (take_down(L, co) != LUA_OK) {
      lua_xmove(co, L, 1);
      lua_remove(L, -2);
    }
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int wrap(lua_State *L) {
  create(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

static int close(lua_State *L) {
  lua_State *co = coroutine_at(L, 1);
  lua_Debug record;
  guard_charge(L, 10);
  bool is_on = co == L || (lua_status(co) == LUA_OK && lua_getstack(co, 0, &record));
  if (is_on)
    return luaL_error(L, "cannot close a %s coroutine", co == L ? "running" : "normal");
  if (was_stopped(co)) {
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "a limit ended this coroutine");
    return 2;
  }
  int status = take_down(L, co);
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(co, L, 1);
  return 2;
}

/* Into the library's table, on top. */
void guard_open_coroutines(lua_State *L) {
  const luaL_Reg functions[] = {{"create", create},
                                {"wrap", wrap},
                                {"resume", resume_function},
                                {"close", close},
                                {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
  /* Raised where a coroutine has no one to raise it to: they have to be there already. */
  const char *kept[] = {"C stack overflow", "cannot resume dead coroutine",
                        "cannot resume non-suspended coroutine"};
  for (int i = 0; i < 3; i++) {
    lua_pushstring(L, kept[i]);
    lua_pushboolean(L, 1);
    lua_rawset(L, LUA_REGISTRYINDEX);
  }
}
