/* How much a call from outside may do, and how it is stopped for good. */
#include <time.h>

#include "internal.h"

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void guard_begin(guard_state *state) {
  state->inside = true;
  state->nesting = 0;
  state->running = state->main;
  state->stopped = GUARD_OK;
  state->work = 0;
  state->steps = 0;
  state->began = 0;
  state->collections = 0;
  state->refused_size = 0;
  state->traceback_kept = false;
  if (state->slow) {
    state->slow = false;
    guard_count_hook(state->main, state->quantum);
  }
}

void guard_stop(guard_state *state, lua_State *L, guard_status limit) {
  if (state->stopped != GUARD_OK) return;
  state->stopped = limit;
  state->stop_place[0] = 0;
  state->traceback_count = 0;
  if (L == NULL) return;
  guard_place(L, state->stop_place, sizeof state->stop_place);
  guard_trace(state, L);
  state->traceback_kept = true;
}

void guard_count_hook(lua_State *L, int count) { lua_sethook(L, guard_hook, LUA_MASKCOUNT, count); }

/* Whatever still runs while the stack is taken down (`__close`) meets the hook at its first
 * instruction. Nothing is allocated here. */
void guard_raise_stopped(lua_State *L) {
  guard_state *state = guard_of(L);
  guard_count_hook(L, 1);
  if (L == state->main) state->slow = true;
  lua_pushlightuserdata(L, state);
  lua_error(L);
  __builtin_unreachable();
}

/* Instructions that weigh more than they count (arguments by the hundred thousand, comparisons of
 * long strings) are stopped by the clock. The clock of the wall is cheap to read; only where it says
 * so is the thread's own asked. */
static bool out_of_time(guard_state *state) {
  double now = seconds(CLOCK_MONOTONIC);
  if (state->began == 0) {
    state->began = now;
    state->began_cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    return false;
  }
  return now - state->began > state->limits.seconds
         && seconds(CLOCK_THREAD_CPUTIME_ID) - state->began_cpu > state->limits.seconds;
}

void guard_hook(lua_State *L, lua_Debug *record) {
  (void)record;
  guard_state *state = guard_of(L);
  if (state->stopped == GUARD_OK) {
    state->work += (uint64_t)lua_gethookcount(L);
    if (state->work > state->limits.instructions)
      guard_stop(state, L, GUARD_INSTRUCTIONS);
    else if (out_of_time(state))
      guard_stop(state, L, GUARD_TIME);
  }
  if (state->stopped != GUARD_OK) guard_raise_stopped(L);
}

void guard_charge(lua_State *L, uint64_t work) {
  guard_state *state = guard_of(L);
  state->work += work;
  if (state->work > state->limits.instructions) guard_stop(state, L, GUARD_INSTRUCTIONS);
  if (state->stopped != GUARD_OK) guard_raise_stopped(L);
}
