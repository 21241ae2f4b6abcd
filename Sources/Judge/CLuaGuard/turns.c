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

enum { AT_FUNCTIONS = 2, AT_HANDLES, AT_FUNCTION, AT_READ };

/* The function of a turn, and for a reader what it reads, for all turns with it that follow. */
static bool open_turn(lua_State *L, guard_state *state, const guard_turn *turn) {
  lua_settop(L, AT_HANDLES);
  lua_rawgeti(L, AT_FUNCTIONS, turn->function);
  return turn->reader && guard_open_reader(L, state, turn->function, AT_READ);
}

static void push_handle(lua_State *L, guard_state *state) {
  state->ring = state->ring % GUARD_RING + 1;
  state->live = state->handles[state->ring - 1];
  lua_rawgeti(L, AT_HANDLES, state->ring);
}

static int call_turns(lua_State *L) {
  turns *t = lua_touserdata(L, 1);
  guard_state *state = guard_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_FUNCTIONS);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_HANDLES);
  int function = 0;
  bool reads = false;
  while (t->done < t->count) {
    const guard_turn *turn = &t->turns[t->done++];
    begin_turn(state);
    watch(state, L, !turn->brief);
    state->sighting = &turn->sighting;
    if (turn->function != function) {
      reads = open_turn(L, state, turn);
      function = turn->function;
    }
    if (reads) guard_lay_out(L, state, function, AT_READ);
    lua_pushvalue(L, AT_FUNCTION);
    if (reads) lua_pushvalue(L, AT_READ);
    else push_handle(L, state);
    lua_call(L, 1, 0);
    state->live = NULL;
    state->learning = NULL;
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
  state->learning = NULL;
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
