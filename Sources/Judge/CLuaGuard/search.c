/* string.find, match, gmatch and gsub. */
#include <string.h>

#include "patterns.h"

/* Where to begin, from 0; beyond the end where it is there. */
static size_t start_of(lua_State *L, int index, size_t count) {
  lua_Integer place = luaL_optinteger(L, index, 1);
  if (place > 0) return (size_t)place - 1;
  if (place == 0 || place < -(lua_Integer)count) return 0;
  return count - (size_t)-place;
}

static bool is_plain(const char *pattern, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (pattern[i] != 0 && strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
  return true;
}

static int search(lua_State *L, bool finds) {
  size_t count, pattern_count;
  const char *text = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  size_t start = start_of(L, 3, count);
  guard_match m;
  if (start > count) {
    lua_pushnil(L);
    return 1;
  }
  if (finds && (lua_toboolean(L, 4) || is_plain(pattern, pattern_count))) {
    guard_steps(guard_of(L), L, 1 + (count - start + pattern_count) / 16);
    const char *found = memmem(text + start, count - start, pattern, pattern_count);
    if (found == NULL) {
      lua_pushnil(L);
      return 1;
    }
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (ptrdiff_t)pattern_count);
    return 2;
  }
  bool anchored = *pattern == '^' && pattern_count > 0;
  guard_match_begin(&m, L, text, count, pattern, pattern_count);
  const char *place = text + start;
  do {
    m.count = m.depth = 0;
    const char *end = guard_match_at(&m, place, pattern + anchored);
    if (end == NULL) continue;
    if (!finds) return guard_push_captures(&m, place, end);
    lua_pushinteger(L, place - text + 1);
    lua_pushinteger(L, end - text);
    return guard_push_captures(&m, NULL, NULL) + 2;
  } while (place++ < m.text_end && !anchored);
  lua_pushnil(L);
  return 1;
}

static int find(lua_State *L) { return search(L, true); }
static int match(lua_State *L) { return search(L, false); }

typedef struct {
  size_t place; /* where to go on, from 0 */
  size_t last;  /* the end of the last match; beyond any at first */
} walk;

/* Upvalues: text, pattern, walk. */
static int next_match(lua_State *L) {
  size_t count, pattern_count;
  const char *text = lua_tolstring(L, lua_upvalueindex(1), &count);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_count);
  walk *w = lua_touserdata(L, lua_upvalueindex(3));
  guard_match m;
  guard_match_begin(&m, L, text, count, pattern, pattern_count);
  for (size_t place = w->place; place <= count; place++) {
    m.count = m.depth = 0;
    const char *end = guard_match_at(&m, text + place, pattern);
    if (end == NULL || (size_t)(end - text) == w->last) continue;
    w->place = w->last = (size_t)(end - text);
    return guard_push_captures(&m, text + place, end);
  }
  w->place = count + 1;
  return 0;
}

static int gmatch(lua_State *L) {
  size_t count;
  luaL_checklstring(L, 1, &count);
  luaL_checkstring(L, 2);
  size_t start = start_of(L, 3, count);
  lua_settop(L, 2);
  walk *w = lua_newuserdatauv(L, sizeof *w, 0);
  w->place = start > count ? count + 1 : start;
  w->last = SIZE_MAX;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* What gsub has put together: a userdata at the place OUTPUT of the stack. */
enum { TEXT = 1, PATTERN, REPLACEMENT, MOST, OUTPUT };
typedef struct {
  lua_State *L;
  char *bytes;
  size_t count, capacity;
} output;

static void append(output *o, const char *bytes, size_t count) {
  if (count == 0) return;
  if (count > o->capacity - o->count) {
    guard_state *state = guard_of(o->L);
    if (count > state->limits.string - o->count) {
      guard_stop(state, o->L, GUARD_STRING);
      guard_raise_stopped(o->L);
    }
    size_t capacity = 2 * o->capacity < o->count + count + 64 ? o->count + count + 64
                                                              : 2 * o->capacity;
    char *larger = lua_newuserdatauv(o->L, capacity, 0);
    if (o->count > 0) memcpy(larger, o->bytes, o->count);
    lua_replace(o->L, OUTPUT);
    o->bytes = larger;
    o->capacity = capacity;
  }
  memcpy(o->bytes + o->count, bytes, count);
  o->count += count;
}

/* Appends the text on top of the stack and pops it. */
static void append_top(output *o) {
  size_t count;
  const char *bytes = lua_tolstring(o->L, -1, &count);
  guard_charge(o->L, 1 + count / 16);
  append(o, bytes, count);
  lua_pop(o->L, 1);
}

static void append_template(guard_match *m, output *o, const char *start, const char *end) {
  size_t count;
  const char *p = lua_tolstring(m->L, REPLACEMENT, &count), *last = p + count;
  guard_charge(m->L, 1 + count / 8);
  while (p < last) {
    const char *escape = memchr(p, '%', (size_t)(last - p));
    append(o, p, (size_t)((escape == NULL ? last : escape) - p));
    if (escape == NULL) return;
    char letter = escape[1]; /* a zero at the end */
    p = escape + 2;
    if (letter == '%') {
      append(o, "%", 1);
    } else if (letter == '0') {
      append(o, start, (size_t)(end - start));
    } else if (letter >= '1' && letter <= '9') {
      guard_push_capture(m, letter - '1', start, end);
      append_top(o);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
  }
}

/* Whether the replacement of this match is anything but the match. */
static bool append_replacement(guard_match *m, output *o, const char *start, const char *end) {
  lua_State *L = m->L;
  switch (lua_type(L, REPLACEMENT)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, REPLACEMENT);
      int count = guard_push_captures(m, start, end);
      lua_call(L, count, 1);
      break;
    }
    case LUA_TTABLE:
      guard_push_capture(m, 0, start, end);
      lua_gettable(L, REPLACEMENT);
      break;
    default: append_template(m, o, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    append(o, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  append_top(o);
  return true;
}

static int gsub(lua_State *L) {
  size_t count, pattern_count;
  const char *text = luaL_checklstring(L, TEXT, &count), *last = NULL;
  const char *pattern = luaL_checklstring(L, PATTERN, &pattern_count);
  int type = lua_type(L, REPLACEMENT);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION
                          || type == LUA_TTABLE, REPLACEMENT, "string/function/table");
  lua_Integer most = luaL_optinteger(L, MOST, (lua_Integer)count + 1), done = 0;
  bool anchored = *pattern == '^' && pattern_count > 0, changed = false;
  lua_settop(L, MOST);
  lua_pushnil(L);
  if (type == LUA_TNUMBER) {
    lua_pushvalue(L, REPLACEMENT);
    lua_tolstring(L, -1, NULL);
    lua_replace(L, REPLACEMENT);
  }
  output o = {.L = L};
  guard_match m;
  guard_match_begin(&m, L, text, count, pattern, pattern_count);
  const char *place = text, *plain = text; /* from `plain` on nothing is taken over yet */
  while (done < most) {
    m.count = m.depth = 0;
    const char *end = guard_match_at(&m, place, pattern + anchored);
    if (end != NULL && end != last) {
      done++;
      append(&o, plain, (size_t)(place - plain));
      changed = append_replacement(&m, &o, place, end) || changed;
      place = plain = last = end;
    } else if (place < m.text_end) {
      place++;
    } else {
      break;
    }
    if (anchored) break;
  }
  if (changed) {
    append(&o, plain, (size_t)(m.text_end - plain));
    lua_pushlstring(L, o.bytes == NULL ? "" : o.bytes, o.count);
  } else {
    lua_pushvalue(L, TEXT);
  }
  lua_pushinteger(L, done);
  return 2;
}

/* Into the table on top. */
void guard_open_search(lua_State *L) {
  const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
