/* States: opened, closed, called. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct {
  const char *const *functions;
  size_t count;
} opening;

/* A function of the outside; upvalues: its number and its name. */
static int call_outside(lua_State *L) {
  guard_state *state = guard_of(L);
  int count = lua_gettop(L), number = (int)lua_tointeger(L, lua_upvalueindex(1));
  enum { few = 8 };
  guard_value on_stack[few], *arguments = on_stack;
  luaL_checkstack(L, 8, NULL);
  /* Nothing is done outside for a program that a limit has stopped (`__close`). */
  guard_charge(L, 50);
  lua_pushnil(L);
  int arena = count + 1;
  if (count > few) arguments = guard_room(L, arena, (size_t)count * sizeof *arguments);
  size_t before = state->taken.count;
  for (int i = 0; i < count; i++) guard_take(L, i + 1, arena, "", &arguments[i]);
  size_t behind = state->taken.count;
  state->taken.count = before;
  guard_value answer = {.kind = GUARD_NIL};
  bool good = state->callbacks.call(state->callbacks.context, number, arguments, (size_t)count,
                                    &answer);
  /* Who refuses a call keeps none of its functions. */
  if (!good) state->taken.count = behind;
  if (!good && answer.kind != GUARD_STRING_VALUE)
    lua_pushfstring(L, "'%s' failed", lua_tostring(L, lua_upvalueindex(2)));
  else
    guard_push(L, &answer);
  if (!good) guard_raise_here(L);
  return 1;
}

/* Leaves what the main stack keeps: functions and handles. */
static int open_state(lua_State *L) {
  const opening *o = lua_touserdata(L, 1);
  guard_state *state = guard_of(L);
  enum { probe = 100 };
  char characters[probe];
  memset(characters, '-', probe);
  lua_pushlstring(L, characters, probe);
  state->string_overhead = state->newest_size - probe;
  /* Keys are put in order by the numbers of their blocks: that takes a Lua in which the address of
   * an object is that of its block. */
  lua_newtable(L);
  if (lua_topointer(L, -1) != state->newest) return luaL_error(L, "another Lua than 5.4");
  lua_pushcclosure(L, open_state, 1);
  if (lua_topointer(L, -1) != state->newest) return luaL_error(L, "another Lua than 5.4");
  uint64_t next = state->serial + 1;
  if (guard_serial_of(guard_mark(lua_newthread(L))) != next)
    return luaL_error(L, "another Lua than 5.4");
  lua_settop(L, 0);
  guard_open_libraries(L);
  for (size_t i = 0; i < o->count; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushstring(L, o->functions[i]);
    lua_pushcclosure(L, call_outside, 2);
    lua_setglobal(L, o->functions[i]);
  }
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_FUNCTIONS);
  guard_open_handles(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_HANDLES);
  guard_open_readers(L);
  guard_open_expressions(L);
  guard_open_order(L);
  return 2;
}

/* A call that came to its end: whose fault, and back to where it was. */
static guard_status end(guard_state *state, int status) {
  lua_State *L = state->main;
  guard_status result = GUARD_OK;
  state->running = L;
  if (status != LUA_OK) {
    guard_settle_refusal(state);
    if (status == LUA_ERRMEM) guard_stop(state, NULL, GUARD_MEMORY);
  }
  if (state->stopped != GUARD_OK) {
    result = state->stopped;
    guard_note_limit(state, result);
  } else if (status != LUA_OK) {
    result = status == LUA_ERRSYNTAX ? GUARD_SYNTAX : GUARD_ERROR;
    size_t count = 0;
    const char *text = "(an error without a text)";
    if (lua_type(L, -1) == LUA_TSTRING) text = lua_tolstring(L, -1, &count);
    else count = strlen(text);
    guard_note(state, result, text, count);
  }
  if (result != GUARD_OK) {
    if (!state->traceback_kept) state->traceback_count = 0;
    state->counts[result]++;
    lua_settop(L, GUARD_AT_TOP);
  }
  for (size_t i = 0; i < state->taken.count; i++)
    guard_give_back(state, state->taken.numbers[i]);
  for (size_t i = 0; i < state->released.count; i++)
    guard_give_back(state, state->released.numbers[i]);
  state->taken.count = state->released.count = 0;
  state->inside = false;
  return result;
}

/* The outside must not call from within a callback: Lua is in the middle of something. */
static guard_status refuse_nested(guard_state *state) {
  static const char text[] = "a callback must not call into the state";
  guard_note(state, GUARD_ERROR, text, sizeof text - 1);
  return GUARD_ERROR;
}

guard_status guard_protected(guard_state *state, lua_CFunction function, void *request) {
  if (state->inside) return refuse_nested(state);
  lua_State *L = state->main;
  guard_begin(state);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, request);
  int status = lua_pcall(L, 1, 2, GUARD_AT_TRACER);
  if (status == LUA_OK && state->stopped == GUARD_OK) {
    /* A text that was not understood comes with its status. */
    if (lua_isinteger(L, -1)) status = (int)lua_tointeger(L, -1);
    if (status != LUA_OK) {
      lua_pop(L, 1);
      return end(state, status);
    }
    lua_replace(L, GUARD_AT_ARENA);
    lua_replace(L, GUARD_AT_KEPT);
  }
  return end(state, status);
}

static void discard(guard_state *state) {
  if (state->main != NULL) lua_close(state->main);
  free(state->free_functions.numbers);
  free(state->released.numbers);
  free(state->taken.numbers);
  free(state->readers);
  free(state->names);
  free(state->slots);
  free(state->known);
  free(state->message);
  free(state);
}

uint64_t guard_allow(guard_state *state, uint64_t instructions) {
  uint64_t before = state->limits.instructions;
  state->limits.instructions = instructions;
  return before;
}

guard_state *guard_open(const guard_limits *limits, const guard_callbacks *callbacks,
                        const char *const *functions, size_t function_count,
                        const guard_field *fields, size_t field_count, const char *handle_name) {
  guard_state *state = calloc(1, sizeof *state);
  if (state == NULL) return NULL;
  state->limits = *limits;
  state->callbacks = *callbacks;
  state->fields = fields;
  state->field_count = field_count;
  state->handle_name = handle_name;
  state->string_overhead = 64;
  uint64_t eighth = limits->instructions / 8;
  state->quantum = eighth < 1 ? 1 : eighth > GUARD_QUANTUM ? GUARD_QUANTUM : (int)eighth;
  if (guard_open_names(state)) state->main = lua_newstate(guard_allocate, state);
  if (state->main == NULL) {
    discard(state);
    return NULL;
  }
  lua_State *L = state->main;
  *guard_mark(L) = (uintptr_t)state;
  guard_begin(state);
  opening o = {functions, function_count};
  state->limits.instructions = UINT64_MAX; /* a program's share is not spent on this */
  lua_pushcfunction(L, guard_tracer);
  lua_pushcfunction(L, open_state);
  lua_pushlightuserdata(L, &o);
  int status = lua_pcall(L, 1, 2, GUARD_AT_TRACER);
  state->limits.instructions = limits->instructions;
  state->inside = false;
  if (status != LUA_OK || state->stopped != GUARD_OK) {
    discard(state);
    return NULL;
  }
  lua_settop(L, GUARD_AT_TOP);
  guard_count_hook(L, state->quantum);
  state->watched = true;
  return state;
}

void guard_close(guard_state *state) {
  if (state != NULL) discard(state);
}

guard_status guard_run(guard_state *state, const char *text, size_t count, const char *name) {
  if (state->inside) return refuse_nested(state);
  lua_State *L = state->main;
  guard_begin(state);
  int status = guard_load_text(L, text, count, name);
  if (status == LUA_OK) status = lua_pcall(L, 0, 0, GUARD_AT_TRACER);
  lua_settop(L, status == LUA_OK ? GUARD_AT_TOP : lua_gettop(L));
  return end(state, status);
}

guard_status guard_call_sighting(guard_state *state, int function, const guard_sighting *sighting,
                                 bool *answer) {
  if (state->inside) return refuse_nested(state);
  lua_State *L = state->main;
  guard_begin(state);
  lua_rawgeti(L, GUARD_AT_FUNCTIONS, function < 0 ? -function : function);
  if (function > 0) {
    state->ring = state->ring % GUARD_RING + 1;
    state->live = state->handles[state->ring - 1];
    lua_rawgeti(L, GUARD_AT_HANDLES, state->ring);
  }
  state->sighting = sighting;
  int status = lua_pcall(L, function < 0 ? 0 : 1, 1, GUARD_AT_TRACER);
  state->live = NULL;
  state->sighting = NULL;
  if (status == LUA_OK && state->stopped == GUARD_OK) {
    *answer = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (state->taken.count == 0 && state->released.count == 0) {
      state->inside = false;
      return GUARD_OK;
    }
  }
  return end(state, status);
}
