#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

#include "LuaTrial.h"

char *lua_stock_run(const char *program) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  char *text;
  if (luaL_loadbuffer(L, program, strlen(program), "@program") != LUA_OK
      || lua_pcall(L, 0, 1, 0) != LUA_OK) {
    text = strdup(lua_tostring(L, -1));
  } else {
    text = strdup(luaL_tolstring(L, -1, NULL));
  }
  lua_close(L);
  return text;
}
