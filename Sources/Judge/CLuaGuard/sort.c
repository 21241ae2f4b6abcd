/* table.sort: merging, so that it takes n·log n whatever the comparison says, keeps equal elements in
 * their order, and repeats. (Lua's picks its pivots by the clock.) */
#include <limits.h>

#include "internal.h"

enum { TABLE = 1, COMPARISON, FROM, TO };

/* Whether the element at place A of FROM comes before that at B. */
static bool is_before(lua_State *L, lua_Integer a, lua_Integer b) {
  bool is;
  guard_charge(L, 4);
  if (lua_isnil(L, COMPARISON)) {
    lua_rawgeti(L, FROM, a);
    lua_rawgeti(L, FROM, b);
    is = lua_compare(L, -2, -1, LUA_OPLT);
    lua_pop(L, 2);
  } else {
    lua_pushvalue(L, COMPARISON);
    lua_rawgeti(L, FROM, a);
    lua_rawgeti(L, FROM, b);
    lua_call(L, 2, 1);
    is = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return is;
}

/* Merges the runs [low, middle) and [middle, high) of FROM into TO. */
static void merge(lua_State *L, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer place = low; place < high; place++) {
    bool takes_right =
        left == middle || (right < high && is_before(L, right, left));
    guard_charge(L, 2);
    lua_rawgeti(L, FROM, takes_right ? right++ : left++);
    lua_rawseti(L, TO, place);
  }
}

static void copy(lua_State *L, lua_Integer count, bool back) {
  for (lua_Integer i = 1; i <= count; i++) {
    guard_charge(L, 4);
    if (back) {
      lua_rawgeti(L, FROM, i);
      lua_seti(L, TABLE, i);
    } else {
      lua_geti(L, TABLE, i);
      lua_rawseti(L, FROM, i);
    }
  }
}

int guard_sort(lua_State *L) {
  luaL_checktype(L, TABLE, LUA_TTABLE);
  lua_Integer count = luaL_len(L, TABLE);
  if (count < 2) return 0;
  luaL_argcheck(L, count < INT_MAX, TABLE, "array too big");
  if (!lua_isnoneornil(L, COMPARISON)) luaL_checktype(L, COMPARISON, LUA_TFUNCTION);
  lua_settop(L, COMPARISON);
  lua_newtable(L);
  lua_newtable(L);
  copy(L, count, false);
  for (lua_Integer run = 1; run < count; run *= 2) {
    for (lua_Integer low = 1; low <= count; low += 2 * run) {
      lua_Integer middle = low + run > count + 1 ? count + 1 : low + run;
      lua_Integer high = middle + run > count + 1 ? count + 1 : middle + run;
      merge(L, low, middle, high);
    }
    lua_pushvalue(L, FROM);
    lua_pushvalue(L, TO);
    lua_replace(L, FROM);
    lua_replace(L, TO);
  }
  copy(L, count, true);
  return 0;
}
