/* Functions that do nothing with a sighting but to read its fields. They get a table of their own instead
 * of a handle, with what they read most laid out in it: Lua reads a table without leaving its loop. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
  /* Calls in which it is learned what a function reads, and how many until that is done again. */
  LEARNING = 32,
  LEARNED = 4096,
  /* How often a field has to be read in them. */
  WORTH = 24,
};

void guard_learn(guard_reader *reader, lua_State *L, int number) {
  /* Tables are made anew for whoever asks; nothing cannot lie in a table. */
  bool is_kept = !lua_istable(L, -1) && !lua_isnil(L, -1);
  if (is_kept && number < GUARD_READ_FIELDS && reader->asked[number] < WORTH)
    reader->asked[number]++;
}

/* The metatable of the tables, and the tables by function. A program that should get hold of one has no
 * more of it than of a handle. */
void guard_open_readers(lua_State *L) {
  guard_state *state = guard_of(L);
  guard_push_metatable(L, guard_index_sighting, guard_refuse_change);
  lua_pushstring(L, state->handle_name);
  lua_setfield(L, -2, "__name");
  lua_createtable(L, 1, 0);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_KEY_READERS);
}

static bool reserve(guard_state *state, int function) {
  size_t count = (size_t)function + 1;
  if (count <= state->reader_count) return true;
  guard_reader *readers = realloc(state->readers, count * sizeof *readers);
  if (readers == NULL) return false;
  memset(readers + state->reader_count, 0, (count - state->reader_count) * sizeof *readers);
  state->readers = readers;
  state->reader_count = count;
  return true;
}

/* Behind the table: the cache, and for each field that is laid out its name and its column. */
static void push_columns(lua_State *L, guard_state *state, const guard_reader *reader, int base) {
  lua_settop(L, base + 1);
  for (int i = 0; i < reader->count; i++) {
    int number = reader->fields[i];
    lua_pushstring(L, state->fields[number].name);
    if (state->fields[number].source == GUARD_FIELD_OF_TRANSMITTER)
      guard_push_column(L, number, base + 1);
    else
      lua_pushboolean(L, 0);
  }
}

bool guard_open_reader(lua_State *L, guard_state *state, int function, int base) {
  if (!reserve(state, function)) return false;
  luaL_checkstack(L, 2 * GUARD_READ_MOST + 16, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_READERS);
  if (lua_rawgeti(L, base, function) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_createtable(L, 0, GUARD_READ_MOST);
    lua_rawgeti(L, base, 0);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, base, function);
  }
  lua_replace(L, base);
  state->read = lua_topointer(L, base);
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_CACHE);
  push_columns(L, state, &state->readers[function], base);
  return true;
}

/* What was laid out is taken away, so that every field is asked for again. */
static void begin_learning(lua_State *L, guard_state *state, guard_reader *reader, int base) {
  for (int i = 0; i < reader->count; i++) {
    lua_pushvalue(L, base + 2 + 2 * i);
    lua_pushnil(L);
    lua_rawset(L, base);
  }
  memset(reader, 0, sizeof *reader);
  push_columns(L, state, reader, base);
}

static void end_learning(lua_State *L, guard_state *state, guard_reader *reader, int base) {
  reader->count = 0;
  for (int number = 0; number < GUARD_READ_FIELDS && reader->count < GUARD_READ_MOST; number++)
    if (reader->asked[number] >= WORTH) reader->fields[reader->count++] = (uint8_t)number;
  push_columns(L, state, reader, base);
}

void guard_lay_out(lua_State *L, guard_state *state, int function, int base) {
  guard_reader *reader = &state->readers[function];
  state->live = state->read;
  if (reader->calls == LEARNED) begin_learning(L, state, reader, base);
  if (reader->calls == LEARNING) end_learning(L, state, reader, base);
  if (reader->calls++ < LEARNING) {
    state->learning = reader;
    return;
  }
  for (int i = 0; i < reader->count; i++) {
    int number = reader->fields[i], name = base + 2 + 2 * i;
    lua_pushvalue(L, name);
    if (state->fields[number].source == GUARD_FIELD_OF_TRANSMITTER)
      guard_push_remembered(L, state, number, name + 1);
    else
      guard_push_field(state, L, number, base + 1);
    if (lua_istable(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_rawset(L, base);
  }
}
