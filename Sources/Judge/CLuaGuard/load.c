/* Text to functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* How often WORD stands in the text. */
static size_t occurrences(const char *text, size_t count, const char *word) {
  size_t found = 0, length = strlen(word);
  const char *end = text + count;
  while ((text = memmem(text, (size_t)(end - text), word, length)) != NULL) {
    found++;
    text += length;
  }
  return found;
}

/* Lua compares each label with every other, and walks through the jumps of a chain: their number
 * counts by its square, the rest by its length. */
static uint64_t work_of(const char *text, size_t count) {
  uint64_t jumps = occurrences(text, count, "::") + occurrences(text, count, "goto")
                   + occurrences(text, count, "break") + occurrences(text, count, "elseif");
  return count + jumps * jumps / 8;
}

int guard_load_text(lua_State *L, const char *text, size_t count, const char *name) {
  guard_state *state = guard_of(L);
  state->work += work_of(text, count);
  if (state->work > state->limits.instructions) {
    guard_stop(state, L, GUARD_INSTRUCTIONS);
    lua_pushnil(L);
    return LUA_ERRRUN;
  }
  /* Lua shows the end of a name that begins with '@'. */
  char shown[1024];
  size_t length = strlen(name);
  if (*name == '=') snprintf(shown, sizeof shown, "%s", name);
  else snprintf(shown, sizeof shown, "@%s", length > 1000 ? name + length - 1000 : name);
  return luaL_loadbufferx(L, text, count, shown, "t");
}

/* The pieces that the function at index 1 gives until it gives nothing, as one string. */
static int read_pieces(lua_State *L) {
  enum { pieces = 2 };
  lua_newtable(L);
  lua_Integer count = 0;
  size_t size = 0, length;
  for (;;) {
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) break;
    if (!lua_isstring(L, -1)) return luaL_error(L, "reader function must return a string");
    lua_tolstring(L, -1, &length);
    if (length == 0) break;
    size += length;
    lua_rawseti(L, pieces, ++count);
  }
  lua_settop(L, pieces);
  char *text = lua_newuserdatauv(L, size + 1, 0), *end = text;
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, pieces, i);
    const char *piece = lua_tolstring(L, -1, &length);
    memcpy(end, piece, length);
    end += length;
    lua_pop(L, 1);
  }
  lua_pushlstring(L, text, size);
  return 1;
}

/* load(chunk [, chunkname [, mode [, env]]]), of text only. */
int guard_load(lua_State *L) {
  bool has_globals = !lua_isnone(L, 4);
  const char *mode = luaL_optstring(L, 3, "bt");
  const char *name = luaL_optstring(L, 2, NULL);
  lua_settop(L, 4);
  if (lua_isstring(L, 1)) {
    lua_pushvalue(L, 1);
  } else {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_pushcfunction(L, read_pieces);
    lua_pushvalue(L, 1);
    int status = lua_pcall(L, 1, 1, 0);
    guard_after_protected(L, status);
    if (status != LUA_OK) {
      lua_pushnil(L);
      lua_insert(L, -2);
      return 2;
    }
  }
  size_t count;
  const char *text = lua_tolstring(L, -1, &count);
  guard_charge(L, work_of(text, count));
  if (name == NULL) name = lua_isstring(L, 1) ? lua_tostring(L, 1) : "=(load)";
  if (strchr(mode, 't') == NULL) {
    lua_pushnil(L);
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  int status = luaL_loadbufferx(L, text, count, name, "t");
  guard_after_protected(L, status);
  if (status != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_globals) {
    lua_pushvalue(L, 4);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
  }
  return 1;
}
