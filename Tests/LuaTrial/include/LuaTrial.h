/* Tries of the guard, from C, so that the same ones run below a test and below AddressSanitizer. */
#ifndef LUATRIAL_H
#define LUATRIAL_H

#include <CLuaGuard.h>

typedef struct {
  /* Whether there was a state at all. */
  bool opened;
  /* Of the program, then of what it kept, until one was not GUARD_OK. */
  guard_status status;
  /* What was printed, a line each; message and traceback of the problem. Freed with the trial. */
  char *printed, *message, *traceback;
  uint64_t allocations;
  size_t memory;
  uint64_t counts[GUARD_STATUSES];
} lua_trial;

/* Small limits, under which an attack ends soon. */
guard_limits lua_trial_limits(void);

/* Runs a program with these functions: `give(…)` returns its first argument (`true` for a sighting),
 * after a way through the outside; `show(…)` prints what arrives there; `fail(text)` fails; `keep(f)`
 * has f called with `sightings` sightings after the program, `keep_turns(f)` and `keep_reader(f)` in
 * turns, ten times as many, the latter as a function that only reads; `keep_expression(text)` an
 * expression.
 * Modules: `plain` returns {name = "plain"}, `circle` requires itself, `broken` has an error, `text`
 * is not Lua. */
lua_trial lua_trial_run(const char *program, const char *name, guard_limits limits, int sightings);
void lua_trial_free(lua_trial *trial);

/* What a plain Lua state, with its own libraries, makes of a program: what it returns first, as text.
 * Freed by the caller. */
char *lua_stock_run(const char *program);

#endif
