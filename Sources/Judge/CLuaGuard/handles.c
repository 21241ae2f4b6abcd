/* Sightings as Lua sees them: handles that are good for one call. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Names are interned strings, which are kept: the address says which one it is. */
static size_t place_of(const guard_state *state, const char *name) {
  uintptr_t bits = (uintptr_t)name >> 3;
  return (size_t)(bits ^ (bits >> 9)) & state->name_mask;
}

bool guard_open_names(guard_state *state) {
  size_t places = 16;
  while (places < 4 * state->field_count) places *= 2;
  state->name_mask = places - 1;
  state->known_words = (state->field_count + 63) / 64 + 1;
  state->names = calloc(places, sizeof *state->names);
  state->slots = calloc(GUARD_CACHE, sizeof *state->slots);
  state->known = calloc(GUARD_CACHE * state->known_words, sizeof *state->known);
  return state->names != NULL && state->slots != NULL && state->known != NULL;
}

/* A number as a key becomes its text here, which is no field's name. */
int guard_field_number(const guard_state *state, lua_State *L, int index) {
  const char *name = lua_tolstring(L, index, NULL);
  if (name == NULL) return -1;
  for (size_t place = place_of(state, name);; place = (place + 1) & state->name_mask) {
    if (state->names[place].name == name) return state->names[place].number;
    if (state->names[place].name == NULL) return -1;
  }
}

bool guard_is_handle(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return false;
  bool is = lua_topointer(L, -1) == guard_of(L)->handle_metatable;
  lua_pop(L, 1);
  return is;
}

bool guard_is_live_handle(lua_State *L, int index) {
  const void *live = guard_of(L)->live;
  return live != NULL && lua_topointer(L, index) == live;
}

void guard_raise_dead(lua_State *L) {
  lua_pushfstring(
      L, "this %s was over when its handler returned; keep its fields, or s:copy()",
      guard_of(L)->handle_name);
  guard_raise_here(L);
}

/* Asks the outside. */
static void push_asked(lua_State *L, guard_state *state, int number) {
  guard_value answer = {.kind = GUARD_NIL};
  state->callbacks.field(state->callbacks.context, number, state->sighting, &answer);
  guard_push(L, &answer);
}

/* The table with a field's values of all transmitters that are remembered. */
void guard_push_column(lua_State *L, int number, int cache) {
  if (lua_rawgeti(L, cache, number + 1) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, GUARD_CACHE, 0);
  lua_pushvalue(L, -1);
  lua_rawseti(L, cache, number + 1);
}

/* Where a transmitter is remembered; what was there of another one is forgotten. */
static size_t place_of_transmitter(guard_state *state, uint32_t transmitter) {
  size_t place = transmitter % GUARD_CACHE;
  guard_slot *slot = &state->slots[place];
  if (!slot->used || slot->transmitter != transmitter) {
    memset(&state->known[place * state->known_words], 0,
           state->known_words * sizeof *state->known);
    slot->transmitter = transmitter;
    slot->used = true;
  }
  return place;
}

/* Tables are made anew each time: a program may change them. */
void guard_push_remembered(lua_State *L, guard_state *state, int number, int column) {
  size_t place = place_of_transmitter(state, state->sighting->transmitter);
  uint64_t *known = &state->known[place * state->known_words + (size_t)number / 64];
  uint64_t bit = UINT64_C(1) << (number % 64);
  if (*known & bit) {
    lua_rawgeti(L, column, (lua_Integer)place + 1);
    return;
  }
  push_asked(L, state, number);
  if (lua_istable(L, -1)) return;
  lua_pushvalue(L, -1);
  lua_rawseti(L, column, (lua_Integer)place + 1);
  *known |= bit;
}

void guard_push_field(guard_state *state, lua_State *L, int number, int cache) {
  const guard_sighting *sighting = state->sighting;
  switch (state->fields[number].source) {
    case GUARD_FIELD_TIME:
      if (sighting->time == INT64_MIN) lua_pushnil(L);
      else lua_pushnumber(L, (lua_Number)sighting->time / 1e9);
      return;
    case GUARD_FIELD_FRAME: lua_pushinteger(L, sighting->frame); return;
    case GUARD_FIELD_REPORT: lua_pushinteger(L, sighting->report); return;
    case GUARD_FIELD_RSSI:
      if (sighting->rssi == 127) lua_pushnil(L);
      else lua_pushinteger(L, sighting->rssi);
      return;
    case GUARD_FIELD_CHANNEL:
      if (sighting->channel == 255) lua_pushnil(L);
      else lua_pushinteger(L, sighting->channel);
      return;
    case GUARD_FIELD_OF_TRANSMITTER:
      guard_push_column(L, number, cache);
      guard_push_remembered(L, state, number, lua_gettop(L));
      return;
    case GUARD_FIELD_OF_SIGHTING: push_asked(L, state, number); return;
  }
  lua_pushnil(L);
}

/* A table of its own with all fields that are there. */
static int copy(lua_State *L) {
  if (!guard_is_live_handle(L, 1)) {
    if (guard_is_handle(L, 1)) guard_raise_dead(L);
    return luaL_typeerror(L, 1, guard_of(L)->handle_name);
  }
  guard_state *state = guard_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_CACHE);
  int cache = lua_gettop(L), made = cache + 1;
  lua_createtable(L, 0, (int)state->field_count);
  for (size_t i = 0; i < state->field_count; i++) {
    guard_push_field(state, L, (int)i, cache);
    lua_setfield(L, made, state->fields[i].name);
    lua_settop(L, made);
  }
  if (lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_COPIES) == LUA_TTABLE) lua_setmetatable(L, made);
  lua_settop(L, made);
  return 1;
}

static int shape_copies(lua_State *L) {
  lua_pushglobaltable(L);
  lua_pushstring(L, lua_touserdata(L, 1));
  lua_rawget(L, -2);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_COPIES);
  return 0;
}

guard_status guard_shape_copies(guard_state *state, const char *name) {
  return guard_protected(state, shape_copies, (void *)name);
}

/* Upvalue: what is remembered. */
int guard_index_sighting(lua_State *L) {
  guard_state *state = guard_of(L);
  const void *handle = lua_topointer(L, 1);
  if (handle == NULL || handle != state->live) guard_raise_dead(L);
  int number = guard_field_number(state, L, 2);
  if (number >= 0) {
    guard_push_field(state, L, number, lua_upvalueindex(1));
    if (state->learning != NULL) guard_learn(state->learning, L, number);
    return 1;
  }
  if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "copy") == 0) {
    lua_pushcfunction(L, copy);
    return 1;
  }
  lua_pushfstring(L, "a %s has no field '%s'", state->handle_name,
                  guard_tostring(L, 2, NULL));
  guard_raise_here(L);
}

int guard_refuse_change(lua_State *L) {
  lua_pushfstring(L, "a %s cannot be changed", guard_of(L)->handle_name);
  guard_raise_here(L);
}

static int next_field(lua_State *L) {
  guard_state *state = guard_of(L);
  if (!guard_is_live_handle(L, 1)) guard_raise_dead(L);
  int number = lua_isnoneornil(L, 2) ? -1 : guard_field_number(state, L, 2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_CACHE);
  int cache = lua_gettop(L);
  while ((size_t)++number < state->field_count) {
    lua_pushstring(L, state->fields[number].name);
    int name = lua_gettop(L);
    guard_push_field(state, L, number, cache);
    lua_copy(L, -1, name + 1);
    lua_settop(L, name + 1);
    if (!lua_isnil(L, -1)) return 2;
    lua_settop(L, cache);
  }
  lua_pushnil(L);
  return 1;
}

static int pairs_of_handle(lua_State *L) {
  if (!guard_is_live_handle(L, 1)) guard_raise_dead(L);
  lua_pushcfunction(L, next_field);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int show_handle(lua_State *L) {
  const guard_state *state = guard_of(L);
  if (guard_is_live_handle(L, 1))
    lua_pushfstring(L, "%s of frame %I", state->handle_name, (LUAI_UACINT)state->sighting->frame);
  else
    lua_pushfstring(L, "%s that is over", state->handle_name);
  return 1;
}

/* A metatable that programs neither see nor change. */
void guard_push_metatable(lua_State *L, lua_CFunction index, lua_CFunction new_index) {
  lua_createtable(L, 0, 8);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_CACHE);
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, new_index);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

/* Leaves the ring on the stack. */
void guard_open_handles(lua_State *L) {
  guard_state *state = guard_of(L);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_CACHE);
  guard_push_metatable(L, guard_index_sighting, guard_refuse_change);
  state->handle_metatable = lua_topointer(L, -1);
  const luaL_Reg rest[] = {
      {"__pairs", pairs_of_handle}, {"__tostring", show_handle}, {NULL, NULL}};
  luaL_setfuncs(L, rest, 0);
  lua_pushstring(L, state->handle_name);
  lua_setfield(L, -2, "__name");
  lua_createtable(L, GUARD_RING, 0);
  for (int i = 1; i <= GUARD_RING; i++) {
    guard_handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    handle->serial = state->serial;
    state->handles[i - 1] = handle;
    lua_pushvalue(L, -3);
    lua_setmetatable(L, -2);
    lua_rawseti(L, -2, i);
  }
  /* The names are kept in the table of what is remembered, so that they stay where they are. */
  for (size_t i = 0; i < state->field_count; i++) {
    const char *name = lua_pushstring(L, state->fields[i].name);
    size_t place = place_of(state, name);
    while (state->names[place].name != NULL) place = (place + 1) & state->name_mask;
    state->names[place] = (guard_name){name, (int)i};
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
}
