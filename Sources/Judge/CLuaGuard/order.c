/* An order of keys that repeats. Lua's own depends on addresses and on the time of the start.
 * 1…#t, then the other numbers, strings by their bytes, false and true, then tables, functions and
 * coroutines in the order in which they were made. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const char light_functions = 0;

/* The serial of an object: that of its block. Functions without a block were numbered at the start. */
static void describe_object(lua_State *L, int index, guard_key *key) {
  key->rank = KEY_OBJECT;
  switch (lua_type(L, index)) {
    case LUA_TTABLE: key->serial = guard_serial_of(lua_topointer(L, index)); return;
    case LUA_TFUNCTION:
      if (lua_iscfunction(L, index)) {
        if (lua_getupvalue(L, index, 1) == NULL) {
          key->rank = KEY_OTHER;
          lua_rawgetp(L, LUA_REGISTRYINDEX, &light_functions);
          lua_pushvalue(L, index);
          lua_rawget(L, -2);
          key->serial = (uint64_t)lua_tointeger(L, -1);
          lua_pop(L, 2);
          return;
        }
        lua_pop(L, 1);
      }
      key->serial = guard_serial_of(lua_topointer(L, index));
      return;
    case LUA_TTHREAD:
      key->serial = guard_serial_of(lua_getextraspace(lua_tothread(L, index)));
      return;
    case LUA_TUSERDATA:
      key->serial = guard_is_handle(L, index) ? ((guard_handle *)lua_touserdata(L, index))->serial : 0;
      return;
    default: key->serial = 0; return;
  }
}

/* INDEX is absolute, LENGTH the table's `#`. */
static void describe(lua_State *L, int index, lua_Unsigned length, guard_key *key) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->is_integer = lua_isinteger(L, index);
      key->rank = KEY_NUMBER;
      if (key->is_integer) {
        key->integer = lua_tointeger(L, index);
        if ((lua_Unsigned)key->integer - 1u < length) key->rank = KEY_SEQUENCE;
      } else {
        key->number = lua_tonumber(L, index);
      }
      return;
    case LUA_TSTRING:
      key->rank = KEY_STRING;
      key->string.bytes = lua_tolstring(L, index, &key->string.count);
      return;
    case LUA_TBOOLEAN:
      key->rank = KEY_BOOLEAN;
      key->boolean = lua_toboolean(L, index);
      return;
    default: describe_object(L, index, key); return;
  }
}

static int compare_numbers(const guard_key *a, const guard_key *b) {
  if (a->is_integer && b->is_integer) return (a->integer > b->integer) - (a->integer < b->integer);
  long double x = a->is_integer ? (long double)a->integer : (long double)a->number;
  long double y = b->is_integer ? (long double)b->integer : (long double)b->number;
  return x == y ? (int)a->is_integer - (int)b->is_integer : (x > y) - (x < y);
}

static int compare(const void *left, const void *right) {
  const guard_key *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  switch (a->rank) {
    case KEY_SEQUENCE:
    case KEY_NUMBER: return compare_numbers(a, b);
    case KEY_STRING: {
      size_t shorter = a->string.count < b->string.count ? a->string.count : b->string.count;
      int order = memcmp(a->string.bytes, b->string.bytes, shorter);
      if (order != 0) return order;
      return (a->string.count > b->string.count) - (a->string.count < b->string.count);
    }
    case KEY_BOOLEAN: return (int)a->boolean - (int)b->boolean;
    default: return (a->serial > b->serial) - (a->serial < b->serial);
  }
}

/* About n·log n, in instructions. */
static void charge_for_sorting(lua_State *L, size_t count) {
  uint64_t steps = 1;
  for (size_t rest = count; rest > 1; rest /= 2) steps++;
  guard_charge(L, 2 * steps * count);
}

static size_t count_keys(lua_State *L, int index) {
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (++count % 256 == 0) guard_charge(L, 4 * 256);
  }
  return count;
}

/* Keys go from weak tables whenever memory is collected: they are kept before they are looked at. */
guard_key *guard_sorted_keys(lua_State *L, int index, size_t *count) {
  luaL_checkstack(L, 6, NULL);
  index = lua_absindex(L, index);
  size_t most = count_keys(L, index), found = 0;
  charge_for_sorting(L, most);
  lua_createtable(L, (int)most, 0);
  int kept = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, kept, (lua_Integer)++found);
  }
  guard_key *keys = lua_newuserdatauv(L, (found + 1) * sizeof *keys, 0);
  lua_Unsigned length = lua_rawlen(L, index);
  for (size_t i = 0; i < found; i++) {
    lua_rawgeti(L, kept, (lua_Integer)i + 1);
    keys[i].position = (uint32_t)i;
    describe(L, lua_gettop(L), length, &keys[i]);
    lua_pop(L, 1);
  }
  *count = found;
  qsort(keys, found, sizeof *keys, compare);
  return keys;
}

/* Upvalue: the length at the start. */
static int next_of_sequence(lua_State *L) {
  lua_Integer length = lua_tointeger(L, lua_upvalueindex(1));
  lua_Integer place = lua_isinteger(L, 2) ? lua_tointeger(L, 2) : 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  while (place < length) {
    lua_pushinteger(L, ++place);
    if (lua_rawgeti(L, 1, place) != LUA_TNIL) return 2;
    lua_pop(L, 2);
    guard_charge(L, 2);
  }
  lua_pushnil(L);
  return 1;
}

/* The order of a walk; the keys as they were found are its user value. */
typedef struct {
  size_t next, count;
  uint32_t order[];
} guard_walk;

static int next_of_walk(lua_State *L) {
  guard_walk *walk = lua_touserdata(L, lua_upvalueindex(1));
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getiuservalue(L, lua_upvalueindex(1), 1);
  while (walk->next < walk->count) {
    lua_rawgeti(L, 2, (lua_Integer)walk->order[walk->next++] + 1);
    lua_pushvalue(L, 3);
    if (lua_rawget(L, 1) != LUA_TNIL) return 2;
    lua_settop(L, 2);
    guard_charge(L, 2);
  }
  lua_pushnil(L);
  return 1;
}

static bool is_plain_sequence(lua_State *L, int index, lua_Integer length) {
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (!lua_isinteger(L, -2) || (lua_Unsigned)lua_tointeger(L, -2) - 1u >= (lua_Unsigned)length) {
      lua_pop(L, 2);
      return false;
    }
    if (++count % 256 == 0) guard_charge(L, 4 * 256);
  }
  return true;
}

static void push_walk(lua_State *L) {
  size_t count;
  const guard_key *keys = guard_sorted_keys(L, 1, &count);
  guard_walk *walk = lua_newuserdatauv(L, sizeof *walk + count * sizeof walk->order[0], 1);
  walk->next = 0;
  walk->count = count;
  for (size_t i = 0; i < count; i++) walk->order[i] = keys[i].position;
  lua_pushvalue(L, -3);
  lua_setiuservalue(L, -2, 1);
  lua_pushcclosure(L, next_of_walk, 1);
}

/* pairs(t): keys that are there when it begins. What is set to nil meanwhile is passed over, what is
 * added is not met. */
int guard_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer length = (lua_Integer)lua_rawlen(L, 1);
  if (is_plain_sequence(L, 1, length)) {
    lua_pushinteger(L, length);
    lua_pushcclosure(L, next_of_sequence, 1);
  } else {
    push_walk(L);
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/* next(t, k): the key that follows in the same order. A look at every key: `pairs` is the way to walk
 * through a table, `next(t) == nil` the way to ask whether there is anything in it. */
int guard_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_Unsigned length = lua_rawlen(L, 1);
  lua_Integer after = 0;
  bool begins = lua_isnil(L, 2);
  if (begins || lua_isinteger(L, 2)) {
    after = begins ? 0 : lua_tointeger(L, 2);
    if (after >= 0 && (lua_Unsigned)after < length) {
      lua_pushinteger(L, after + 1);
      if (lua_rawgeti(L, 1, after + 1) != LUA_TNIL) return 2;
      lua_settop(L, 2);
    }
  }
  guard_key last, best, key;
  if (!begins) describe(L, 2, length, &last);
  bool found = false;
  size_t seen = 0;
  lua_pushnil(L); /* 3: the best so far */
  for (lua_pushnil(L); lua_next(L, 1);) {
    lua_pop(L, 1);
    if (++seen % 256 == 0) guard_charge(L, 4 * 256);
    describe(L, 4, length, &key);
    if (!begins && compare(&key, &last) <= 0) continue;
    if (found && compare(&key, &best) >= 0) continue;
    best = key;
    found = true;
    lua_pushvalue(L, 4);
    lua_replace(L, 3);
  }
  if (!found) {
    lua_settop(L, 3);
    return 1;
  }
  lua_settop(L, 3);
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

/* Numbers the functions that have no block, in the order of their names; those on top of the stack
 * are the libraries' by now. */
void guard_open_order(lua_State *L) {
  static const char *const iterators =
      "local c = utf8.codes return {(ipairs{}), (c''), (c('', true))}";
  lua_newtable(L);
  int numbers = lua_gettop(L);
  lua_Integer number = 0;
  lua_pushglobaltable(L);
  size_t count, inner;
  const guard_key *libraries = guard_sorted_keys(L, -1, &count);
  for (size_t i = 0; i < count; i++) {
    lua_getfield(L, numbers + 1, libraries[i].string.bytes);
    if (lua_istable(L, -1)) {
      int library = lua_gettop(L);
      const guard_key *keys = guard_sorted_keys(L, library, &inner);
      for (size_t k = 0; k < inner; k++) {
        lua_getfield(L, library, keys[k].string.bytes);
        if (lua_isfunction(L, -1)) {
          lua_pushinteger(L, ++number);
          lua_rawset(L, numbers);
        } else {
          lua_pop(L, 1);
        }
      }
      lua_settop(L, library);
    } else if (lua_isfunction(L, -1)) {
      lua_pushvalue(L, -1);
      lua_pushinteger(L, ++number);
      lua_rawset(L, numbers);
    }
    lua_settop(L, numbers + 3);
  }
  if (luaL_loadstring(L, iterators) == LUA_OK) {
    lua_call(L, 0, 1);
    for (lua_Integer i = 1; i <= 3; i++) {
      lua_rawgeti(L, -1, i);
      lua_pushinteger(L, ++number);
      lua_rawset(L, numbers);
    }
  }
  lua_settop(L, numbers);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &light_functions);
}
