/* Calls with one sighting after the other. */
#include <string.h>

#include "internal.h"

typedef struct {
  const guard_turn *turns;
  size_t count, done;
} turns;

/* Each call's own share of what is limited; the hook goes on counting, as it does between calls. */
static void begin_turn(guard_state *state) {
  state->work = 0;
  state->steps = 0;
  state->began = 0;
  state->collections = 0;
}

/* The hook looks at every instruction: a quarter of what a short function takes. */
static void watch(guard_state *state, lua_State *L, bool watched) {
  if (state->watched == watched) return;
  state->watched = watched;
  if (watched) guard_count_hook(L, state->quantum);
  else lua_sethook(L, NULL, 0, 0);
}

static int call_turns(lua_State *L) {
  turns *t = lua_touserdata(L, 1);
  guard_state *state = guard_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_FUNCTIONS);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_HANDLES);
  while (t->done < t->count) {
    const guard_turn *turn = &t->turns[t->done++];
    begin_turn(state);
    watch(state, L, !turn->brief);
    state->ring = state->ring % GUARD_RING + 1;
    state->live = state->handles[state->ring - 1];
    state->sighting = &turn->sighting;
    lua_rawgeti(L, 2, turn->function);
    lua_rawgeti(L, 3, state->ring);
    lua_call(L, 1, 0);
    state->live = NULL;
    if (state->stopped != GUARD_OK) guard_raise_stopped(L);
    if (state->ends_turns) break;
  }
  return 0;
}

guard_status guard_call_turns(guard_state *state, const guard_turn *list, size_t count,
                              size_t *done) {
  turns t = {list, count, 0};
  bool is_nested = state->inside;
  if (!is_nested) state->ends_turns = false;
  guard_status status = guard_protected(state, call_turns, &t);
  if (!is_nested) watch(state, state->main, true);
  *done = t.done;
  if (is_nested) return status;
  state->live = NULL;
  state->sighting = NULL;
  return status;
}

int guard_line(guard_state *state, int function, const char *name) {
  lua_State *L = state->main;
  lua_Debug record;
  if (state->inside || function < 1) return 0;
  if (lua_rawgeti(L, GUARD_AT_FUNCTIONS, function) != LUA_TFUNCTION) {
    lua_pop(L, 1);
    return 0;
  }
  bool known = lua_getinfo(L, ">S", &record) && record.source[0] == '@'
               && strcmp(record.source + 1, name) == 0;
  return known ? record.linedefined : 0;
}

void guard_end_turns(guard_state *state) { state->ends_turns = true; }

const guard_sighting *guard_current(const guard_state *state) { return state->sighting; }
