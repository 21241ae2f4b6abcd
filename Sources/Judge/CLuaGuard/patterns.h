/* Lua's patterns, with a budget of steps. */
#ifndef GUARD_PATTERNS_H
#define GUARD_PATTERNS_H

#include "internal.h"

enum { GUARD_CAPTURES = 32 };

typedef struct {
  const char *start;
  ptrdiff_t length; /* or one of the two below */
} guard_capture;
enum { CAPTURE_OPEN = -1, CAPTURE_PLACE = -2 };

typedef struct {
  lua_State *L;
  guard_state *state;
  const char *text, *text_end, *pattern_end;
  int depth;
  int count;
  guard_capture captures[GUARD_CAPTURES];
} guard_match;

void guard_match_begin(guard_match *m, lua_State *L, const char *text, size_t text_count,
                       const char *pattern, size_t pattern_count);
/* Where a match that begins at `place` ends, NULL where there is none. */
const char *guard_match_at(guard_match *m, const char *place, const char *pattern);
_Noreturn void guard_out_of_steps(guard_state *state, lua_State *L);
/* Counts steps; raises where they are too many. */
static inline void guard_steps(guard_state *state, lua_State *L, uint64_t steps) {
  state->steps += steps;
  if (state->steps > state->limits.steps || state->stopped != GUARD_OK)
    guard_out_of_steps(state, L);
}
/* Pushes capture NUMBER from 0; the whole match (from START to END) where there are none. */
void guard_push_capture(guard_match *m, int number, const char *start, const char *end);
/* All of them; START NULL: not the whole match. */
int guard_push_captures(guard_match *m, const char *start, const char *end);

#endif
