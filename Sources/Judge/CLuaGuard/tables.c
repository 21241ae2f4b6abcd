/* The table library: each element that is touched counts, since no hook looks in between. */
#include <limits.h>
#include <string.h>

#include "internal.h"

/* Instructions that reading or writing one element weighs. */
enum { EACH = 2 };

static lua_Integer length_of(lua_State *L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  return luaL_len(L, index);
}

static int insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, 1) + 1u);
  switch (lua_gettop(L)) {
    case 2:
      guard_charge(L, EACH);
      lua_seti(L, 1, end);
      return 0;
    case 3: break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_Integer place = luaL_checkinteger(L, 2);
  luaL_argcheck(L, (lua_Unsigned)place - 1u < (lua_Unsigned)end, 2, "position out of bounds");
  for (lua_Integer i = end; i > place; i--) {
    guard_charge(L, 2 * EACH);
    lua_geti(L, 1, i - 1);
    lua_seti(L, 1, i);
  }
  lua_seti(L, 1, place);
  return 0;
}

static int take_out(lua_State *L) {
  lua_Integer length = length_of(L, 1);
  lua_Integer place = luaL_optinteger(L, 2, length);
  if (place != length)
    luaL_argcheck(L, (lua_Unsigned)place - 1u <= (lua_Unsigned)length, 2, "position out of bounds");
  lua_geti(L, 1, place);
  for (; place < length; place++) {
    guard_charge(L, 2 * EACH);
    lua_geti(L, 1, place + 1);
    lua_seti(L, 1, place);
  }
  lua_pushnil(L);
  lua_seti(L, 1, place);
  return 1;
}

static int move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, target, LUA_TTABLE);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = end - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool forwards = to > end || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer offset = forwards ? i : count - 1 - i;
      guard_charge(L, 2 * EACH);
      lua_geti(L, 1, from + offset);
      lua_seti(L, target, to + offset);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

/* Two walks: the lengths, then the bytes. Elements are asked for once each and kept in between. */
static int concat(lua_State *L) {
  guard_state *state = guard_of(L);
  lua_Integer length = length_of(L, 1);
  size_t parted, size = 0, count;
  const char *separator = luaL_optlstring(L, 2, "", &parted);
  lua_Integer first = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, length);
  if (first > last) {
    lua_pushliteral(L, "");
    return 1;
  }
  lua_newtable(L);
  int kept = lua_gettop(L);
  lua_Integer place = 0;
  for (lua_Integer i = first;; i++) {
    guard_charge(L, 2 * EACH);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      return luaL_error(L, "invalid value (%s) at index %I in table for 'concat'",
                        luaL_typename(L, -1), (LUAI_UACINT)i);
    lua_tolstring(L, -1, &count);
    size += count + (i == last ? 0 : parted);
    if (size > state->limits.string) {
      guard_stop(state, L, GUARD_STRING);
      guard_raise_stopped(L);
    }
    lua_rawseti(L, kept, ++place);
    if (i == last) break;
  }
  guard_charge(L, size / 16);
  char *bytes = lua_newuserdatauv(L, size + 1, 0), *end = bytes;
  for (lua_Integer i = 1; i <= place; i++) {
    lua_rawgeti(L, kept, i);
    const char *text = lua_tolstring(L, -1, &count);
    memcpy(end, text, count);
    end += count;
    if (i < place) {
      memcpy(end, separator, parted);
      end += parted;
    }
    lua_pop(L, 1);
  }
  lua_pushlstring(L, bytes, size);
  return 1;
}

static int unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= INT_MAX - 1 || !lua_checkstack(L, (int)count + 1))
    return luaL_error(L, "too many results to unpack");
  guard_charge(L, EACH * (count + 1));
  for (lua_Unsigned i = 0; i <= count; i++) lua_geti(L, 1, (lua_Integer)((lua_Unsigned)first + i));
  return (int)count + 1;
}

/* Into the table on top. */
void guard_open_tables(lua_State *L) {
  const luaL_Reg functions[] = {{"insert", insert}, {"remove", take_out},
                                {"move", move},     {"concat", concat},
                                {"unpack", unpack}, {"sort", guard_sort},
                                {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
