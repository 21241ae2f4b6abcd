/* What went wrong and where, written down without asking Lua for memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* C, and texts of our own (their names begin with '='), do not concern who reads. */
static bool is_foreign(const lua_Debug *record) { return record->source[0] != '='; }

static size_t append(char *text, size_t used, size_t capacity, const char *more) {
  size_t count = strlen(more);
  if (count > capacity - used) return used;
  memcpy(text + used, more, count);
  return used + count;
}

static void describe(const lua_Debug *record, char *line, size_t capacity) {
  char where[LUA_IDSIZE + 32];
  if (record->currentline > 0)
    snprintf(where, sizeof where, "%s:%d", record->short_src, record->currentline);
  else
    snprintf(where, sizeof where, "%s", record->short_src);
  if (*record->what == 'm')
    snprintf(line, capacity, "%s: in the file itself", where);
  else if (*record->namewhat != 0 && record->name != NULL)
    snprintf(line, capacity, "%s: in %s '%.100s'", where, record->namewhat, record->name);
  else
    snprintf(line, capacity, "%s: in the function of line %d", where, record->linedefined);
}

/* What a text of our own calls a function is no name that who reads has given it. */
static void forget_our_name(lua_State *L, int level, lua_Debug *record) {
  lua_Debug caller;
  if (!lua_getstack(L, level + 1, &caller) || !lua_getinfo(L, "S", &caller)) return;
  if (!is_foreign(&caller)) record->namewhat = "";
}

/* Appends a range of levels; returns how much of the traceback is used then. */
static size_t write_levels(guard_state *state, lua_State *L, int first, int end, size_t used) {
  lua_Debug record;
  for (int level = first; level < end; level++) {
    char line[LUA_IDSIZE + 200];
    if (!lua_getstack(L, level, &record) || !lua_getinfo(L, "Sln", &record)) break;
    if (!is_foreign(&record)) continue;
    forget_our_name(L, level, &record);
    if (used > 0) used = append(state->traceback, used, GUARD_TRACEBACK, "\n");
    describe(&record, line, sizeof line);
    used = append(state->traceback, used, GUARD_TRACEBACK, line);
  }
  return used;
}

/* The ten innermost and the ten outermost levels; of a runaway recursion the innermost only: Lua finds a
 * level by walking to it, and there may be half a million. */
void guard_trace(guard_state *state, lua_State *L) {
  enum { each = 10, most = 1000 };
  lua_Debug record;
  if (lua_getstack(L, most, &record)) {
    size_t used = write_levels(state, L, 0, each, 0);
    used = append(state->traceback, used, GUARD_TRACEBACK, "\n… more than 1000 levels");
    state->traceback_count = used;
    return;
  }
  int step = 1;
  while (lua_getstack(L, step, &record)) step *= 2;
  int levels = step / 2; /* at least; fewer than `step` + 1 */
  while (levels < step) {
    int middle = levels + (step - levels) / 2;
    if (lua_getstack(L, middle, &record)) levels = middle + 1;
    else step = middle;
  }
  bool has_middle = levels > 2 * each;
  size_t used = write_levels(state, L, 0, has_middle ? each : levels, 0);
  if (has_middle) {
    char line[64];
    snprintf(line, sizeof line, "\n… %d more levels", levels - 2 * each);
    used = append(state->traceback, used, GUARD_TRACEBACK, line);
    used = write_levels(state, L, levels - each, levels, used);
  }
  state->traceback_count = used;
}

void guard_place(lua_State *L, char *text, size_t capacity) {
  lua_Debug record;
  text[0] = 0;
  for (int level = 0; level < 100 && lua_getstack(L, level, &record); level++) {
    if (!lua_getinfo(L, "Sl", &record) || !is_foreign(&record)) continue;
    if (record.currentline > 0)
      snprintf(text, capacity, "%s:%d: ", record.short_src, record.currentline);
    return;
  }
}

void guard_raise_here(lua_State *L) {
  char place[LUA_IDSIZE + 32];
  guard_place(L, place, sizeof place);
  lua_pushstring(L, place);
  lua_insert(L, -2);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

void guard_note(guard_state *state, guard_status status, const char *message, size_t count) {
  state->status = status;
  state->message_count = 0;
  if (count >= state->message_capacity) {
    char *larger = realloc(state->message, count + 1);
    if (larger == NULL) {
      count = state->message_capacity == 0 ? 0 : state->message_capacity - 1;
    } else {
      state->message = larger;
      state->message_capacity = count + 1;
    }
  }
  if (count > 0) memcpy(state->message, message, count);
  state->message_count = count;
}

void guard_note_limit(guard_state *state, guard_status status) {
  const guard_limits *limits = &state->limits;
  char text[2 * LUA_IDSIZE + 160], *place = state->stop_place;
  int count = 0;
  switch (status) {
    case GUARD_MEMORY:
      count = snprintf(text, sizeof text, "%snot enough memory (the limit is %zu bytes)", place,
                       limits->memory);
      break;
    case GUARD_INSTRUCTIONS:
      count = snprintf(text, sizeof text, "%smore than %llu instructions in one call", place,
                       (unsigned long long)limits->instructions);
      break;
    case GUARD_TIME:
      count = snprintf(text, sizeof text, "%smore than %g s of processor time in one call", place,
                       limits->seconds);
      break;
    case GUARD_STEPS:
      count = snprintf(text, sizeof text, "%smore than %llu steps of pattern matching in one call",
                       place, (unsigned long long)limits->steps);
      break;
    case GUARD_STRING:
      count = snprintf(text, sizeof text, "%sa string of more than %zu bytes", place,
                       limits->string);
      break;
    default: break;
  }
  guard_note(state, status, text, (size_t)count);
}

/* Runs where an error was raised, before the stack is taken down. The message is left as text. */
int guard_tracer(lua_State *L) {
  guard_state *state = guard_of(L);
  if (state->stopped != GUARD_OK) return 1;
  if (!state->traceback_kept) guard_trace(state, L);
  state->traceback_kept = true;
  if (lua_type(L, 1) == LUA_TSTRING) return 1;
  if (lua_isnumber(L, 1)) {
    lua_tolstring(L, 1, NULL);
    return 1;
  }
  const char *type = luaL_typename(L, 1);
  if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    int status = lua_pcall(L, 1, 1, 0);
    guard_settle_refusal(state);
    if (state->stopped != GUARD_OK) return 1;
    if (status == LUA_OK && lua_type(L, -1) == LUA_TSTRING) return 1;
    lua_pushfstring(L, "error was given a %s whose '__tostring' gives no text", type);
    return 1;
  }
  lua_pushfstring(L, "error was given a %s, not a text", type);
  return 1;
}
