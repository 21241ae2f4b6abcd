/* Values on their way between Lua and the outside. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

void guard_push(lua_State *L, const guard_value *value) {
  switch (value->kind) {
    case GUARD_NIL: lua_pushnil(L); return;
    case GUARD_BOOLEAN: lua_pushboolean(L, value->boolean); return;
    case GUARD_INTEGER: lua_pushinteger(L, value->integer); return;
    case GUARD_NUMBER: lua_pushnumber(L, value->number); return;
    case GUARD_STRING_VALUE:
      lua_pushlstring(L, value->string.bytes == NULL ? "" : value->string.bytes,
                      value->string.bytes == NULL ? 0 : value->string.count);
      return;
    case GUARD_FUNCTION: guard_push_function(L, value->function); return;
    case GUARD_SIGHTING: luaL_error(L, "a sighting cannot be handed to Lua as a value"); return;
    case GUARD_TABLE: break;
  }
  luaL_checkstack(L, 4, "tables nested too deep");
  lua_createtable(L, 0, 0);
  for (size_t i = 0; i < value->table.count; i++) {
    const guard_pair *pair = &value->table.pairs[i];
    if (pair->key.kind == GUARD_NIL || pair->value.kind == GUARD_NIL) continue;
    if (pair->key.kind == GUARD_NUMBER && pair->key.number != pair->key.number) continue;
    guard_push(L, &pair->key);
    guard_push(L, &pair->value);
    lua_rawset(L, -3);
  }
}

/* Userdata that hold each other: the newest at the arena's place. */
void *guard_room(lua_State *L, int arena, size_t size) {
  void *room = lua_newuserdatauv(L, size == 0 ? 1 : size, 1);
  lua_pushvalue(L, arena);
  lua_setiuservalue(L, -2, 1);
  lua_replace(L, arena);
  return room;
}

typedef struct {
  lua_State *L;
  int arena;
  const char *what;
  size_t nodes;
  int depth;
  const guard_key *path[GUARD_DEPTH + 1];
  const void *tables[GUARD_DEPTH + 1];
} taking;

/* "fields.list[3]", of the tables that are open. */
static void describe_path(const taking *t, char *text, size_t capacity) {
  size_t used = (size_t)snprintf(text, capacity, "%s", t->what);
  for (int i = 0; i < t->depth && used < capacity; i++) {
    const guard_key *key = t->path[i];
    char *rest = text + used;
    size_t room = capacity - used;
    switch (key->rank) {
      case KEY_STRING:
        used += (size_t)snprintf(rest, room, "%s%.60s", used > 0 ? "." : "", key->string.bytes);
        break;
      case KEY_BOOLEAN:
        used += (size_t)snprintf(rest, room, "[%s]", key->boolean ? "true" : "false");
        break;
      default:
        if (key->is_integer)
          used += (size_t)snprintf(rest, room, "[%lld]", (long long)key->integer);
        else
          used += (size_t)snprintf(rest, room, "[%.14g]", (double)key->number);
    }
  }
}

static _Noreturn void refuse(const taking *t, const char *why) {
  char path[400];
  describe_path(t, path, sizeof path);
  lua_pushfstring(t->L, path[0] == 0 ? "%s%s" : "%s: %s", path, why);
  guard_raise_here(t->L);
}

static void take(taking *t, int index, guard_value *answer);

static void take_key(const taking *t, const guard_key *key, guard_value *answer) {
  switch (key->rank) {
    case KEY_STRING:
      answer->kind = GUARD_STRING_VALUE;
      answer->string.bytes = key->string.bytes;
      answer->string.count = key->string.count;
      return;
    case KEY_BOOLEAN:
      answer->kind = GUARD_BOOLEAN;
      answer->boolean = key->boolean;
      return;
    case KEY_SEQUENCE:
    case KEY_NUMBER:
      answer->kind = key->is_integer ? GUARD_INTEGER : GUARD_NUMBER;
      if (key->is_integer) answer->integer = key->integer;
      else answer->number = key->number;
      return;
    default: refuse(t, "only numbers, strings and booleans can be keys here");
  }
}

static bool is_weak(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  lua_pushliteral(L, "__mode");
  lua_rawget(L, -2);
  bool is = lua_type(L, -1) == LUA_TSTRING;
  lua_pop(L, 2);
  return is;
}

static void take_table(taking *t, int index, guard_value *answer) {
  lua_State *L = t->L;
  const void *table = lua_topointer(L, index);
  for (int i = 0; i < t->depth; i++)
    if (t->tables[i] == table) refuse(t, "the table contains itself");
  if (t->depth == GUARD_DEPTH) refuse(t, "tables are nested more than 32 deep");
  /* What goes while memory is collected cannot be lent. */
  if (is_weak(L, index)) refuse(t, "a weak table cannot be handed over");
  luaL_checkstack(L, 10, "tables nested too deep");
  size_t count;
  const guard_key *keys = guard_sorted_keys(L, index, &count);
  t->nodes += count;
  if (t->nodes > GUARD_NODES) refuse(t, "more than 1000000 values");
  guard_charge(L, 8 * count);
  guard_pair *pairs = guard_room(L, t->arena, count * sizeof *pairs);
  t->tables[t->depth] = table;
  for (size_t i = 0; i < count; i++) {
    take_key(t, &keys[i], &pairs[i].key);
    guard_push(L, &pairs[i].key);
    lua_rawget(L, index);
    t->path[t->depth++] = &keys[i];
    take(t, lua_gettop(L), &pairs[i].value);
    t->depth--;
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
  answer->kind = GUARD_TABLE;
  answer->table.pairs = pairs;
  answer->table.count = count;
}

static void take(taking *t, int index, guard_value *answer) {
  lua_State *L = t->L;
  int type = lua_type(L, index);
  switch (type) {
    case LUA_TNONE:
    case LUA_TNIL: answer->kind = GUARD_NIL; return;
    case LUA_TBOOLEAN:
      answer->kind = GUARD_BOOLEAN;
      answer->boolean = lua_toboolean(L, index);
      return;
    case LUA_TNUMBER:
      answer->kind = lua_isinteger(L, index) ? GUARD_INTEGER : GUARD_NUMBER;
      if (answer->kind == GUARD_INTEGER) answer->integer = lua_tointeger(L, index);
      else answer->number = lua_tonumber(L, index);
      return;
    case LUA_TSTRING:
      answer->kind = GUARD_STRING_VALUE;
      answer->string.bytes = lua_tolstring(L, index, &answer->string.count);
      return;
    case LUA_TTABLE:
      if (guard_is_live_handle(L, index)) answer->kind = GUARD_SIGHTING;
      else take_table(t, index, answer);
      return;
    case LUA_TFUNCTION:
      lua_pushvalue(L, index);
      answer->function = guard_keep_function(L);
      answer->kind = GUARD_FUNCTION;
      return;
    case LUA_TUSERDATA:
      if (guard_is_live_handle(L, index)) {
        answer->kind = GUARD_SIGHTING;
        return;
      }
      if (guard_is_handle(L, index)) guard_raise_dead(L);
      break;
    default: break;
  }
  char why[80];
  snprintf(why, sizeof why, "a %s cannot be handed over",
           type == LUA_TTHREAD ? "coroutine" : lua_typename(L, type));
  refuse(t, why);
}

void guard_take(lua_State *L, int index, int arena, const char *what, guard_value *answer) {
  taking t = {.L = L, .arena = arena, .what = what};
  take(&t, lua_absindex(L, index), answer);
}
