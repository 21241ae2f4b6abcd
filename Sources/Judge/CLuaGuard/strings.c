/* The rest of the string and utf8 libraries: Lua's own functions, behind a charge by size. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Lua's buffers do not collect garbage where memory runs short: here it is done before. */
static void make_room(lua_State *L, size_t size) {
  guard_state *state = guard_of(L);
  if (size < GUARD_GRACE / 16 || state->used + 4 * size < state->limits.memory) return;
  if (++state->collections > GUARD_COLLECTIONS) {
    guard_stop(state, L, GUARD_MEMORY);
    guard_raise_stopped(L);
  }
  lua_gc(L, LUA_GCCOLLECT, 0);
}

/* Calls Lua's function (the upvalue) and charges for the strings it is given and for what it
 * returns. */
static int charged(lua_State *L) {
  int count = lua_gettop(L);
  size_t size = 0;
  for (int i = 1; i <= count; i++)
    if (lua_type(L, i) == LUA_TSTRING) size += lua_rawlen(L, i);
  guard_charge(L, 1 + size / 16 + (uint64_t)count / 4);
  make_room(L, size);
  int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  guard_charge(L, (uint64_t)results / 4);
  return results;
}

/* Puts `charged` before a function of the table on top. */
static void charge_function(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, charged, 1);
  lua_setfield(L, -2, name);
}

static int repeat(lua_State *L) {
  guard_state *state = guard_of(L);
  size_t count, parted;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &parted);
  size_t each = count + parted;
  if (times <= 0 || each == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (each > state->limits.string
      || (lua_Unsigned)times > (state->limits.string + parted) / each) {
    guard_stop(state, L, GUARD_STRING);
    guard_raise_stopped(L);
  }
  size_t total = (size_t)times * each - parted;
  guard_charge(L, total / 16);
  char *bytes = lua_newuserdatauv(L, total + 1, 0);
  size_t filled = count < total ? count : total;
  memcpy(bytes, text, filled);
  if (filled < total) {
    memcpy(bytes + filled, separator, parted);
    filled = each < total ? each : total;
  }
  while (filled < total) { /* twice as much each time */
    size_t more = filled < total - filled ? filled : total - filled;
    memcpy(bytes + filled, bytes, more);
    filled += more;
  }
  lua_pushlstring(L, bytes, total);
  return 1;
}

/* The letter of the conversion at *P (behind its '%'); moves on behind it. */
static char conversion_letter(const char **p, const char *end) {
  while (*p < end && strchr("-+ #0123456789.", **p) != NULL && **p != 0) (*p)++;
  return *p < end ? *(*p)++ : 0;
}

/* string.format: `%s` and `%p` of what has an address are given our own text of it. Upvalue: Lua's. */
static int format(lua_State *L) {
  size_t count, size = 0, length;
  const char *text = luaL_checklstring(L, 1, &count), *end = text + count;
  int top = lua_gettop(L), argument = 1;
  luaL_checkstack(L, 6, NULL);
  for (const char *p = text; (p = memchr(p, '%', (size_t)(end - p))) != NULL;) {
    p++;
    if (p < end && *p == '%') {
      p++;
      continue;
    }
    char letter = conversion_letter(&p, end);
    if (++argument > top || (letter != 's' && letter != 'p')) continue;
    int type = lua_type(L, argument);
    if (letter == 'p' && (type <= LUA_TNUMBER))
      return luaL_error(L, "bad argument #%d to 'format' ('%%p' of a %s)", argument,
                        lua_typename(L, type));
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
      guard_tostring(L, argument, NULL);
      lua_replace(L, argument);
    }
    if (letter == 'p') {
      char *changed = lua_newuserdatauv(L, count + 1, 0);
      memcpy(changed, text, count);
      changed[p - 1 - text] = 's';
      size_t place = (size_t)(p - text);
      text = lua_pushlstring(L, changed, count);
      end = text + count;
      p = text + place;
      lua_replace(L, 1);
      lua_settop(L, top);
    }
  }
  for (int i = 1; i <= top; i++)
    if (lua_type(L, i) == LUA_TSTRING) {
      lua_tolstring(L, i, &length);
      size += length;
    }
  guard_charge(L, 1 + size / 16);
  make_room(L, size);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* The iterator of utf8.codes: Lua's skips continuation bytes however many there are. Upvalue: it. */
static int next_code(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Unsigned place = (lua_Unsigned)lua_tointeger(L, 2);
  size_t skipped = 0;
  while (place < count && ((unsigned char)text[place] & 0xC0) == 0x80) {
    place++;
    skipped++;
  }
  guard_charge(L, skipped / 4);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int codes(lua_State *L) {
  int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  lua_pushvalue(L, -results);
  lua_pushcclosure(L, next_code, 1);
  lua_replace(L, -results - 1);
  return results;
}

static void put_before(lua_State *L, const char *name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

/* Into the table on top. */
void guard_open_strings(lua_State *L) {
  const char *const names[] = {"byte", "char",     "lower", "upper",
                               "pack", "packsize", "unpack", "reverse"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) charge_function(L, names[i]);
  put_before(L, "format", format);
  lua_pushcfunction(L, repeat);
  lua_setfield(L, -2, "rep");
  guard_open_search(L);
}

void guard_open_utf8(lua_State *L) {
  const char *const names[] = {"char", "codepoint", "len", "offset"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) charge_function(L, names[i]);
  put_before(L, "codes", codes);
}

/* Of the base library. */
void guard_open_conversions(lua_State *L) { charge_function(L, "tonumber"); }
