/* os.time and os.date, on the capture's clock and in UTC. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "internal.h"

/* Days from 1970-01-01 to a day of the Gregorian calendar; months and days may be out of range. */
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
  year += (month - 1) / 12;
  month = (month - 1) % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  /* Years that begin in March: the leap day is the last. */
  month = (month + 10) % 12;
  if (month >= 10) year--;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t of_era = year - era * 400;
  int64_t of_year = (153 * month + 2) / 5;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 1 - 719468;
}

static int64_t field(lua_State *L, const char *name, int64_t otherwise) {
  int is_integer;
  lua_getfield(L, 1, name);
  lua_Integer value = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer) {
    if (!lua_isnil(L, -1)) return luaL_error(L, "field '%s' is not an integer", name);
    if (otherwise < 0) return luaL_error(L, "field '%s' missing in date table", name);
    value = otherwise;
  } else if (value < INT_MIN || value > INT_MAX) {
    return luaL_error(L, "field '%s' is out-of-bound", name);
  }
  lua_pop(L, 1);
  return value;
}

static void set_fields(lua_State *L, const struct tm *date) {
  const struct { const char *name; int value; } fields[] = {
      {"year", date->tm_year + 1900}, {"month", date->tm_mon + 1}, {"day", date->tm_mday},
      {"hour", date->tm_hour},        {"min", date->tm_min},       {"sec", date->tm_sec},
      {"yday", date->tm_yday + 1},    {"wday", date->tm_wday + 1}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    lua_pushinteger(L, fields[i].value);
    lua_setfield(L, -2, fields[i].name);
  }
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "isdst");
}

static struct tm date_of(lua_State *L, int64_t seconds) {
  time_t time = (time_t)seconds;
  struct tm date;
  if (gmtime_r(&time, &date) == NULL || date.tm_year > INT_MAX - 1900)
    luaL_error(L, "date result cannot be represented in this installation");
  return date;
}

static int64_t now(lua_State *L) {
  const guard_state *state = guard_of(L);
  return state->callbacks.clock(state->callbacks.context);
}

/* As Lua's, the table is brought into order. */
static int time_function(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, now(L));
    return 1;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  int64_t year = field(L, "year", -1), month = field(L, "month", -1), day = field(L, "day", -1);
  int64_t hour = field(L, "hour", 12), minute = field(L, "min", 0), second = field(L, "sec", 0);
  int64_t seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
  struct tm date = date_of(L, seconds);
  set_fields(L, &date);
  lua_pushinteger(L, seconds);
  return 1;
}

/* Length of the conversion behind a '%' at TEXT, 0 for one that C does not know. */
static size_t conversion(const char *text, size_t rest) {
  if (rest > 0 && strchr("aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%", *text) != NULL && *text != 0)
    return 1;
  if (rest > 1 && text[1] != 0
      && ((*text == 'E' && strchr("cCxXyY", text[1]) != NULL)
          || (*text == 'O' && strchr("deHImMSuUVwWy", text[1]) != NULL)))
    return 2;
  return 0;
}

/* Seconds: times of captures have fractions, which are left out, downwards. */
static int64_t whole_seconds(lua_State *L, int place) {
  if (lua_isinteger(L, place)) return lua_tointeger(L, place);
  lua_Number number = floor(luaL_checknumber(L, place));
  lua_Integer seconds = 0;
  if (!lua_numbertointeger(number, &seconds))
    luaL_argerror(L, place, "the time is out of range");
  return seconds;
}

static int date_function(lua_State *L) {
  size_t count;
  const char *format = luaL_optlstring(L, 1, "%c", &count);
  const char *end = format + count;
  int64_t seconds = lua_isnoneornil(L, 2) ? now(L) : whole_seconds(L, 2);
  struct tm date = date_of(L, seconds);
  if (*format == '!') format++;
  if (strcmp(format, "*t") == 0) {
    lua_createtable(L, 0, 9);
    set_fields(L, &date);
    return 1;
  }
  guard_charge(L, 8 * count);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (format < end) {
    if (*format != '%') {
      luaL_addchar(&buffer, *format++);
      continue;
    }
    format++;
    size_t length = conversion(format, (size_t)(end - format));
    char specifier[4] = "%", text[250];
    if (length == 0) {
      lua_pushfstring(L, "invalid conversion specifier '%%%s'", format);
      return luaL_argerror(L, 1, lua_tostring(L, -1));
    }
    memcpy(specifier + 1, format, length);
    specifier[length + 1] = 0;
    luaL_addlstring(&buffer, text, strftime(text, sizeof text, specifier, &date));
    format += length;
  }
  luaL_pushresult(&buffer);
  return 1;
}

static int open_library(lua_State *L) {
  const luaL_Reg functions[] = {{"time", time_function}, {"date", date_function}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void guard_open_clock(lua_State *L) {
  luaL_requiref(L, LUA_OSLIBNAME, open_library, 1);
  lua_pop(L, 1);
}
