/* Calls from outside that carry values. */
#include "internal.h"

typedef struct {
  int function;
  const guard_value *arguments;
  size_t count;
  guard_value *answer;
  const char *name;
} request;

/* Leaves the value on top and the arena of its tree, the two that the answer points into. */
static int answer_with_top(lua_State *L, guard_value *answer, const char *what) {
  int value = lua_gettop(L);
  lua_pushnil(L);
  guard_take(L, value, value + 1, what, answer);
  guard_of(L)->taken.count = 0;
  return 2;
}

static int call(lua_State *L) {
  const request *r = lua_touserdata(L, 1);
  int count = r->count > 1000 ? luaL_error(L, "too many arguments") : (int)r->count;
  luaL_checkstack(L, count + 8, "too many arguments");
  guard_push_function(L, r->function < 0 ? -r->function : r->function);
  if (r->function < 0) {
    if (count > 0 && r->arguments[0].kind == GUARD_TABLE) guard_push_event(L, &r->arguments[0]);
    count = 0;
  }
  for (int i = 0; i < count; i++) guard_push(L, &r->arguments[i]);
  lua_call(L, count, r->answer == NULL ? 0 : 1);
  return r->answer == NULL ? 0 : answer_with_top(L, r->answer, "the value returned");
}

guard_status guard_call(guard_state *state, int function, const guard_value *arguments,
                        size_t count, guard_value *answer) {
  request r = {.function = function, .arguments = arguments, .count = count, .answer = answer};
  guard_status status = guard_protected(state, call, &r);
  if (function < 0 && !state->inside) guard_forget_event(state);
  return status;
}

static int set_global(lua_State *L) {
  const request *r = lua_touserdata(L, 1);
  lua_pushglobaltable(L);
  lua_pushstring(L, r->name);
  guard_push(L, r->arguments);
  lua_rawset(L, -3);
  return 0;
}

guard_status guard_set_global(guard_state *state, const char *name, const guard_value *value) {
  request r = {.name = name, .arguments = value};
  return guard_protected(state, set_global, &r);
}

static int get_global(lua_State *L) {
  const request *r = lua_touserdata(L, 1);
  lua_pushglobaltable(L);
  lua_pushstring(L, r->name);
  lua_rawget(L, -2);
  return answer_with_top(L, r->answer, r->name);
}

guard_status guard_global(guard_state *state, const char *name, guard_value *answer) {
  request r = {.name = name, .answer = answer};
  return guard_protected(state, get_global, &r);
}

guard_problem guard_last_problem(const guard_state *state) {
  return (guard_problem){state->status, state->message, state->message_count, state->traceback,
                         state->traceback_count};
}

size_t guard_memory_used(const guard_state *state) { return state->used; }
uint64_t guard_allocations(const guard_state *state) { return state->allocations; }

uint64_t guard_count(const guard_state *state, guard_status status) {
  return (unsigned)status < GUARD_STATUSES ? state->counts[status] : 0;
}
