#include "LuaTrial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIVE, SHOW, FAIL, KEEP, KEEP_TURNS, KEEP_READER, KEEP_EXPRESSION };
static const char *const functions[] = {"give",       "show",        "fail",           "keep",
                                        "keep_turns", "keep_reader", "keep_expression"};

enum { ID = 5, BATTERY, FIELDS, NOTHING };
static const guard_field fields[] = {
    {"time", GUARD_FIELD_TIME},           {"frame", GUARD_FIELD_FRAME},
    {"report", GUARD_FIELD_REPORT},       {"rssi", GUARD_FIELD_RSSI},
    {"channel", GUARD_FIELD_CHANNEL},     {"id", GUARD_FIELD_OF_TRANSMITTER},
    {"battery_mv", GUARD_FIELD_OF_SIGHTING}, {"fields", GUARD_FIELD_OF_TRANSMITTER},
    {"nothing", GUARD_FIELD_OF_TRANSMITTER}};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

enum { MOST_KEPT = 64 };

typedef struct {
  char *text;
  size_t count, capacity;
} writing;

/* What the outside of one trial holds. */
typedef struct {
  writing printed;
  int kept[MOST_KEPT];
  int ways[MOST_KEPT]; /* KEEP, KEEP_TURNS or KEEP_READER */
  size_t kept_count;
  char *expressions[MOST_KEPT];
  size_t expression_count;
  char scratch[64];
} outside;

static void put(writing *w, const char *bytes, size_t count) {
  if (w->count + count + 1 > w->capacity) {
    w->capacity = 2 * (w->count + count + 64);
    w->text = realloc(w->text, w->capacity);
    if (w->text == NULL) abort();
  }
  memcpy(w->text + w->count, bytes, count);
  w->count += count;
  w->text[w->count] = 0;
}

static void say(writing *w, const char *format, ...) {
  char text[128];
  va_list rest;
  va_start(rest, format);
  int count = vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  put(w, text, (size_t)count);
}

static void say_value(writing *w, const guard_value *value) {
  switch (value->kind) {
    case GUARD_NIL: say(w, "nil"); return;
    case GUARD_BOOLEAN: say(w, value->boolean ? "true" : "false"); return;
    case GUARD_INTEGER: say(w, "%lld", (long long)value->integer); return;
    case GUARD_NUMBER: say(w, "%.14g", value->number); return;
    case GUARD_STRING_VALUE:
      put(w, "'", 1);
      put(w, value->string.bytes, value->string.count);
      put(w, "'", 1);
      return;
    case GUARD_FUNCTION: say(w, "function"); return;
    case GUARD_SIGHTING: say(w, "sighting"); return;
    case GUARD_TABLE: break;
  }
  put(w, "{", 1);
  for (size_t i = 0; i < value->table.count; i++) {
    if (i > 0) put(w, ", ", 2);
    say_value(w, &value->table.pairs[i].key);
    put(w, "=", 1);
    say_value(w, &value->table.pairs[i].value);
  }
  put(w, "}", 1);
}

static guard_value text_value(const char *text) {
  guard_value value = {.kind = GUARD_STRING_VALUE};
  value.string.bytes = text;
  value.string.count = strlen(text);
  return value;
}

static bool call(void *context, int number, const guard_value *arguments, size_t count,
                 guard_value *answer) {
  outside *o = context;
  switch (number) {
    case GIVE:
      if (count > 0) *answer = arguments[0];
      if (answer->kind == GUARD_SIGHTING) {
        answer->kind = GUARD_BOOLEAN;
        answer->boolean = true;
      }
      return true;
    case SHOW:
      for (size_t i = 0; i < count; i++) {
        if (i > 0) put(&o->printed, " ", 1);
        say_value(&o->printed, &arguments[i]);
      }
      put(&o->printed, "\n", 1);
      return true;
    case KEEP:
    case KEEP_TURNS:
    case KEEP_READER:
      if (count == 0 || arguments[0].kind != GUARD_FUNCTION || o->kept_count == MOST_KEPT) break;
      o->ways[o->kept_count] = number;
      o->kept[o->kept_count++] = arguments[0].function;
      return true;
    case KEEP_EXPRESSION:
      if (count == 0 || arguments[0].kind != GUARD_STRING_VALUE
          || o->expression_count == MOST_KEPT)
        break;
      o->expressions[o->expression_count++] =
          strndup(arguments[0].string.bytes, arguments[0].string.count);
      return true;
    default: break;
  }
  *answer = count > 0 && arguments[0].kind == GUARD_STRING_VALUE ? arguments[0]
                                                                 : text_value("it failed");
  return false;
}

static void field(void *context, int number, const guard_sighting *sighting, guard_value *answer) {
  outside *o = context;
  static const guard_pair pairs[] = {
      {{.kind = GUARD_STRING_VALUE, .string = {"tilt", 4}}, {.kind = GUARD_NUMBER, .number = 1.5}}};
  if (number == ID) {
    snprintf(o->scratch, sizeof o->scratch, "ibeacon:%u", sighting->transmitter);
    *answer = text_value(o->scratch);
  } else if (number == BATTERY) {
    answer->kind = GUARD_INTEGER;
    answer->integer = 2000 + sighting->frame;
  } else if (number == FIELDS) {
    answer->kind = GUARD_TABLE;
    answer->table.pairs = pairs;
    answer->table.count = 1;
  }
}

static bool module(void *context, const char *name, guard_value *text, guard_value *shown) {
  (void)context;
  static const char *const modules[][2] = {{"plain", "return {name = ...}"},
                                           {"circle", "return require 'circle'"},
                                           {"broken", "local t = nil\nreturn t.x"},
                                           {"text", "this is no Lua"}};
  for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
    if (strcmp(name, modules[i][0]) == 0) {
      *text = text_value(modules[i][1]);
      *shown = text_value("module.lua");
      return true;
    }
  return false;
}

static void print(void *context, const char *bytes, size_t count) {
  outside *o = context;
  put(&o->printed, bytes, count);
  put(&o->printed, "\n", 1);
}

static int64_t clock_of_capture(void *context) {
  (void)context;
  return 1700000000;
}

guard_limits lua_trial_limits(void) {
  return (guard_limits){.memory = 8 << 20,
                        .instructions = 2000000,
                        .steps = 2000000,
                        .string = 1 << 20,
                        .seconds = 600,
                        .seed = 42};
}

static guard_status call_kept(guard_state *state, const outside *o, int sightings) {
  guard_status status = GUARD_OK;
  bool answer;
  for (int i = 0; i < sightings && status == GUARD_OK; i++) {
    guard_sighting sighting = {.time = 1700000000000000000 + i * 500000000LL,
                               .frame = i + 1,
                               .transmitter = (uint32_t)i % 3,
                               .rssi = (int8_t)(-60 - i % 10),
                               .channel = 255};
    for (size_t k = 0; k < o->kept_count && status == GUARD_OK; k++)
      if (o->ways[k] == KEEP)
        status = guard_call_sighting(state, o->kept[k], &sighting, &answer);
  }
  return status;
}

/* Ten turns for each sighting, by more transmitters than are remembered, some at a time. */
static guard_status call_turns(guard_state *state, const outside *o, int sightings) {
  enum { some = 64 };
  guard_turn turns[some];
  size_t count = 0;
  guard_status status = GUARD_OK;
  for (int i = 0; i < 10 * sightings && status == GUARD_OK; i++) {
    for (size_t k = 0; k < o->kept_count && status == GUARD_OK; k++) {
      if (o->ways[k] == KEEP) continue;
      turns[count++] = (guard_turn){.function = o->kept[k],
                                    .brief = i % 2 == 0,
                                    .reader = o->ways[k] == KEEP_READER,
                                    .sighting = {.time = 1700000000000000000 + i * 500000000LL,
                                                 .frame = i + 1,
                                                 .transmitter = (uint32_t)(i * i % 1500),
                                                 .rssi = (int8_t)(i % 7 == 0 ? 127 : -60 - i % 10),
                                                 .channel = (uint8_t)(i % 5 == 0 ? 255 : 37)}};
      bool is_last = i == 10 * sightings - 1 && k == o->kept_count - 1;
      if (count < some && !is_last) continue;
      for (size_t at = 0, done = 0; at < count && status == GUARD_OK; at += done)
        status = guard_call_turns(state, turns + at, count - at, &done);
      count = 0;
    }
  }
  return status;
}

static guard_status call_expressions(guard_state *state, outside *o) {
  guard_status status = GUARD_OK;
  guard_sighting sighting = {.time = INT64_MIN, .frame = 7, .rssi = -50, .channel = 37};
  for (size_t i = 0; i < o->expression_count && status == GUARD_OK; i++) {
    int function;
    bool answer = false;
    const char *text = o->expressions[i];
    status = guard_expression(state, text, strlen(text), "--where", &function);
    if (status != GUARD_OK) break;
    status = guard_call_sighting(state, function, &sighting, &answer);
    say(&o->printed, "%s\n", answer ? "yes" : "no");
    guard_release(state, function);
  }
  return status;
}

static guard_status run(guard_state *state, outside *o, const char *program, const char *name,
                        int sightings) {
  guard_value global = {.kind = GUARD_INTEGER, .integer = 7}, answer;
  guard_status status = guard_set_global(state, "from_outside", &global);
  if (status == GUARD_OK) status = guard_run(state, program, strlen(program), name);
  if (status == GUARD_OK) status = call_kept(state, o, sightings);
  if (status == GUARD_OK) status = call_turns(state, o, sightings);
  if (status == GUARD_OK) status = call_expressions(state, o);
  if (status == GUARD_OK) status = guard_global(state, "result", &answer);
  if (status == GUARD_OK && answer.kind != GUARD_NIL) {
    say_value(&o->printed, &answer);
    put(&o->printed, "\n", 1);
  }
  return status;
}

lua_trial lua_trial_run(const char *program, const char *name, guard_limits limits, int sightings) {
  outside o = {.kept_count = 0};
  guard_callbacks callbacks = {&o, call, field, module, print, clock_of_capture};
  lua_trial trial = {.opened = false};
  put(&o.printed, "", 0);
  guard_state *state =
      guard_open(&limits, &callbacks, functions, sizeof functions / sizeof functions[0], fields,
                 FIELD_COUNT, "sighting");
  if (state != NULL) {
    trial.opened = true;
    trial.status = run(state, &o, program, name, sightings);
    guard_problem problem = guard_last_problem(state);
    trial.message = strndup(problem.message == NULL ? "" : problem.message, problem.message_count);
    trial.traceback = strndup(problem.traceback, problem.traceback_count);
    trial.allocations = guard_allocations(state);
    trial.memory = guard_memory_used(state);
    for (int i = 0; i < GUARD_STATUSES; i++) trial.counts[i] = guard_count(state, (guard_status)i);
    for (size_t i = 0; i < o.kept_count; i++) guard_release(state, o.kept[i]);
    guard_close(state);
  }
  for (size_t i = 0; i < o.expression_count; i++) free(o.expressions[i]);
  trial.printed = o.printed.text;
  return trial;
}

void lua_trial_free(lua_trial *trial) {
  free(trial->printed);
  free(trial->message);
  free(trial->traceback);
}
