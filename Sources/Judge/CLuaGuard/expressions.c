/* Expressions whose globals are fields. */
#include "internal.h"

/* A value that is known and absent: an event has such a field, but not this time. */
static const char absent = 0;

void guard_push_event(lua_State *L, const guard_value *event) {
  lua_newtable(L);
  for (size_t i = 0; i < event->table.count; i++) {
    const guard_pair *pair = &event->table.pairs[i];
    if (pair->key.kind != GUARD_STRING_VALUE) continue;
    guard_push(L, &pair->key);
    if (pair->value.kind == GUARD_NIL) lua_pushlightuserdata(L, (void *)&absent);
    else guard_push(L, &pair->value);
    lua_rawset(L, -3);
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_EVENT);
}

/* The place is there since the start: this takes no memory. */
void guard_forget_event(guard_state *state) {
  lua_pushboolean(state->main, 0);
  lua_rawseti(state->main, LUA_REGISTRYINDEX, GUARD_KEY_EVENT);
}

/* Upvalue: what is remembered of transmitters. */
static int index_globals(lua_State *L) {
  guard_state *state = guard_of(L);
  int number = guard_field_number(state, L, 2);
  if (number >= 0 && state->sighting != NULL) {
    guard_push_field(state, L, number, lua_upvalueindex(1));
    return 1;
  }
  if (lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_EVENT) == LUA_TTABLE) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) {
      if (lua_touserdata(L, -1) == &absent) lua_pushnil(L);
      return 1;
    }
  }
  lua_settop(L, 2);
  lua_pushglobaltable(L);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, -2) != LUA_TNIL || number >= 0) return 1;
  lua_pushfstring(L, "no field '%s'", guard_tostring(L, 2, NULL));
  guard_raise_here(L);
}

static int refuse_assignment(lua_State *L) {
  lua_pushfstring(L, "an expression cannot set '%s'", guard_tostring(L, 2, NULL));
  guard_raise_here(L);
}

/* Leaves the globals of expressions in the registry. */
void guard_open_expressions(lua_State *L) {
  lua_newuserdatauv(L, 1, 0);
  guard_push_metatable(L, index_globals, refuse_assignment);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &absent);
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_EVENT);
}

typedef struct {
  const char *text, *name;
  size_t count;
  int function;
} compiling;

static int load_between(lua_State *L, const compiling *c, const char *before, const char *after) {
  lua_pushstring(L, before);
  lua_pushlstring(L, c->text, c->count);
  lua_pushstring(L, after);
  lua_concat(L, 3);
  size_t count;
  const char *text = lua_tolstring(L, -1, &count);
  return guard_load_text(L, text, count, c->name);
}

/* What is run is `return TEXT`, so that lines are those of the text. In parentheses it has to be
   understood, too: several values, statements or nothing are no expression. */
static int compile(lua_State *L) {
  compiling *c = lua_touserdata(L, 1);
  int status = load_between(L, c, "return ", "");
  if (status == LUA_OK) {
    status = load_between(L, c, "return (", "\n)");
    if (status == LUA_ERRSYNTAX)
      lua_pushstring(L, "it has to be one expression, such as rssi and rssi > -60");
    else if (status == LUA_OK) lua_settop(L, 3);
  }
  if (status != LUA_OK) {
    lua_pushinteger(L, status);
    return 2;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &absent);
  lua_setupvalue(L, -2, 1);
  c->function = guard_keep_function(L);
  guard_of(L)->taken.count = 0;
  lua_pushinteger(L, LUA_OK);
  lua_pushinteger(L, LUA_OK);
  return 2;
}

guard_status guard_expression(guard_state *state, const char *text, size_t count, const char *name,
                              int *function) {
  compiling c = {.text = text, .name = name, .count = count};
  guard_status status = guard_protected(state, compile, &c);
  if (status == GUARD_OK) *function = -c.function;
  return status;
}
