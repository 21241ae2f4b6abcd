/* Lua functions that the outside holds by number. */
#include <stdlib.h>

#include "internal.h"

bool guard_list_reserve(guard_list *list, size_t count) {
  if (count <= list->capacity) return true;
  size_t capacity = count < 16 ? 16 : 2 * count;
  int *numbers = realloc(list->numbers, capacity * sizeof *numbers);
  if (numbers == NULL) return false;
  list->numbers = numbers;
  list->capacity = capacity;
  return true;
}

/* Pops the function on top and keeps it. */
int guard_keep_function(lua_State *L) {
  guard_state *state = guard_of(L);
  size_t most = (size_t)state->function_count + 1;
  if (!guard_list_reserve(&state->free_functions, most)
      || !guard_list_reserve(&state->released, most) || !guard_list_reserve(&state->taken, most))
    luaL_error(L, "not enough memory");
  bool reused = state->free_functions.count > 0;
  int number = reused ? state->free_functions.numbers[state->free_functions.count - 1]
                      : state->function_count + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_FUNCTIONS);
  lua_insert(L, -2);
  lua_rawseti(L, -2, number);
  lua_pop(L, 1);
  if (reused) state->free_functions.count--;
  else state->function_count++;
  state->taken.numbers[state->taken.count++] = number;
  return number;
}

void guard_push_function(lua_State *L, int number) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_KEY_FUNCTIONS);
  lua_rawgeti(L, -1, number);
  lua_remove(L, -2);
}

/* Only between calls. `false` where a function was needs no memory. */
void guard_give_back(guard_state *state, int number) {
  lua_State *L = state->main;
  if (number < 1 || number > state->function_count) return;
  if (lua_rawgeti(L, GUARD_AT_FUNCTIONS, number) == LUA_TFUNCTION) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, GUARD_AT_FUNCTIONS, number);
    state->free_functions.numbers[state->free_functions.count++] = number;
  }
  lua_pop(L, 1);
}

void guard_release(guard_state *state, int function) {
  int number = function < 0 ? -function : function;
  if (!state->inside) {
    guard_give_back(state, number);
  } else if (state->released.count < state->released.capacity) {
    state->released.numbers[state->released.count++] = number;
  }
}
