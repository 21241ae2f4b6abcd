/* Lua behind glass: a Lua state whose every raising call stays in C.
 *
 * Lua raises errors with longjmp, which must never cross a Swift frame. So Swift never sees a
 * lua_State: it hands over and is handed plain values (`guard_value`), and what it answers a Lua
 * caller with is a value or a message, which C raises after Swift has returned.
 *
 * A state belongs to one thread at a time. Nothing here is kept between states. */
#ifndef CLUAGUARD_H
#define CLUAGUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard_state guard_state;

/* What stopped a piece of Lua: each limit has its own name and its own count. */
typedef enum {
  GUARD_OK,
  /* Lua does not understand the text. */
  GUARD_SYNTAX,
  /* An error that the program raised, or one of its operations did. */
  GUARD_ERROR,
  /* More bytes than `memory` at once. */
  GUARD_MEMORY,
  /* More than `instructions` in one call, work in C by its size included. */
  GUARD_INSTRUCTIONS,
  /* More than `seconds` of processor time in one call: what no count sees. */
  GUARD_TIME,
  /* More than `steps` of pattern matching in one call. */
  GUARD_STEPS,
  /* A string longer than `string`. */
  GUARD_STRING,
} guard_status;

/* How many statuses there are. */
enum { GUARD_STATUSES = 8 };

typedef struct {
  size_t memory;         /* bytes, of the whole state */
  uint64_t instructions; /* per call from outside */
  uint64_t steps;        /* per call from outside */
  size_t string;         /* bytes of one string */
  double seconds;        /* processor time per call from outside */
  uint64_t seed;         /* of math.random (Lua's hashes cannot be seeded: `pairs` goes in order) */
  uint64_t fail_at;      /* for tests: the allocation that fails, from 1, and all after it; 0: none */
} guard_limits;

typedef enum {
  GUARD_NIL,
  GUARD_BOOLEAN,
  GUARD_INTEGER,
  GUARD_NUMBER,
  GUARD_STRING_VALUE,
  GUARD_TABLE,
  /* A Lua function, kept by the state until it is released. */
  GUARD_FUNCTION,
  /* The sighting that is being handled (only from Lua to Swift, and only while that is so). */
  GUARD_SIGHTING,
} guard_kind;

/* A value on its way. From Lua it is good until the call that brought it returns; a table is a tree:
 * its pairs in order: 1…#t first, then the other keys, strings by their bytes, so that runs repeat. */
typedef struct guard_value {
  guard_kind kind;
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct { const char *bytes; size_t count; } string;
    struct { const struct guard_pair *pairs; size_t count; } table;
    int function;
  };
} guard_value;

typedef struct guard_pair {
  guard_value key; /* integer, number, string or boolean */
  guard_value value;
} guard_pair;

/* Where the field of a sighting handle comes from. */
typedef enum {
  /* Of `guard_sighting` itself. */
  GUARD_FIELD_TIME, /* seconds, a number; nil where it is not known */
  GUARD_FIELD_FRAME,
  GUARD_FIELD_REPORT,
  GUARD_FIELD_RSSI,    /* nil where 127 */
  GUARD_FIELD_CHANNEL, /* nil where 255 */
  /* Asked for with `field` once for each transmitter, and remembered (the latest 1 024 of them).
   * Tables are asked for each time: a program may change what it got. */
  GUARD_FIELD_OF_TRANSMITTER,
  /* Asked for with `field` each time. */
  GUARD_FIELD_OF_SIGHTING,
} guard_field_source;

typedef struct {
  const char *name;
  guard_field_source source;
} guard_field;

/* A sighting as Lua sees it. */
typedef struct {
  int64_t time; /* nanoseconds since 1970; INT64_MIN where it is not known */
  int64_t frame;
  int64_t clock; /* the caller's own: nanoseconds of the run's clock */
  uint32_t transmitter;
  int32_t place; /* the caller's own: where it keeps the rest of the sighting */
  uint16_t report;
  int8_t rssi;
  uint8_t channel;
} guard_sighting;

/* What Swift is asked. `context` is that of `guard_open`. Strings that are handed back are copied
 * before the next call of the same function; tables likewise. None of these may call into the state,
 * but `guard_release` and `guard_end_turns`. */
typedef struct {
  void *context;
  /* A Lua program calls function `number` of `functions`. Returns false with a message in `answer`
   * (a string) to raise an error at the caller's line, else a value (nil for none). */
  bool (*call)(void *context, int number, const guard_value *arguments, size_t count,
               guard_value *answer);
  /* The value of field `number` of `fields`. */
  void (*field)(void *context, int number, const guard_sighting *sighting, guard_value *answer);
  /* `require NAME`: the text of the module (a string), and in `name` what messages call it;
   * false with a message. */
  bool (*module)(void *context, const char *name, guard_value *text, guard_value *shown);
  /* `print`: one line. */
  void (*print)(void *context, const char *bytes, size_t count);
  /* os.time() without arguments: seconds of the capture's clock. */
  int64_t (*clock)(void *context);
} guard_callbacks;

/* What went wrong, and what it cost. Good until the next call into the state. */
typedef struct {
  guard_status status;
  /* The message as Lua has it, with file and line; whatever was raised, as text. */
  const char *message;
  size_t message_count;
  /* Lines of the stack, parted by '\n', innermost first; may be empty. */
  const char *traceback;
  size_t traceback_count;
} guard_problem;

/* A new state with the permitted libraries, `functions` as globals and handles with `fields`
 * (arrays of C strings and of fields; they have to live as long as the state). `handle_name` is
 * what messages call a handle ("sighting").
 * NULL where there is no memory even for that. */
guard_state *guard_open(const guard_limits *limits, const guard_callbacks *callbacks,
                        const char *const *functions, size_t function_count,
                        const guard_field *fields, size_t field_count, const char *handle_name);
void guard_close(guard_state *state);

/* How many instructions a call may take from now on. Returns how many it could: for calls of what is no
 * program's own text, and ends by itself. */
uint64_t guard_allow(guard_state *state, uint64_t instructions);

/* Runs a text (never bytecode) as a program. `name` is what messages call it; a text whose name begins
 * with '=' is no concern of who reads messages: what it calls raises at the line that called it, and
 * tracebacks pass over it. */
guard_status guard_run(guard_state *state, const char *text, size_t count, const char *name);

/* Compiles `return (TEXT)` to a function whose globals are the fields of the sighting it is called
 * with, then of its first argument where that is a table, then the libraries. A name that is none of
 * these is an error; a pair of the table whose value is nil makes its name a known one. The function's
 * number is below zero. */
guard_status guard_expression(guard_state *state, const char *text, size_t count, const char *name,
                              int *function);

/* Calls a function; what it returns first is in `answer` where that is not NULL (good until the next
 * call into the state). */
guard_status guard_call(guard_state *state, int function, const guard_value *arguments,
                        size_t count, guard_value *answer);

/* Calls a function with a handle of a sighting, which dies when the call returns; `answer` is whether
 * it returned something true. For a function of `guard_expression` the fields are its globals. */
guard_status guard_call_sighting(guard_state *state, int function, const guard_sighting *sighting,
                                 bool *answer);

/* A function and the sighting that it is to be called with. `brief`: it is known to come back soon, so
 * that nobody has to count its instructions. `reader`: it is known to do nothing with the sighting but
 * to read fields of it, and to hand it to functions of the outside. */
typedef struct {
  int function;
  bool brief, reader;
  guard_sighting sighting;
} guard_turn;

/* As guard_call_sighting for each turn, in order, each within limits of its own: the way for many, as
 * what a protected call costs is paid once. Ends with the first that fails, or calls guard_end_turns;
 * `*done` is how many were called, that one included. Not for functions of guard_expression. */
guard_status guard_call_turns(guard_state *state, const guard_turn *turns, size_t count,
                              size_t *done);

/* The line on which a Lua function begins; 0 for one that is not of the text of that name. */
int guard_line(guard_state *state, int function, const char *name);

/* The sighting that is being handled; NULL where none is. */
const guard_sighting *guard_current(const guard_state *state);

/* From within a callback: the turn that is under way is the last of its guard_call_turns. */
void guard_end_turns(guard_state *state);

/* Also from within a callback: it is given back when the call ends. */
void guard_release(guard_state *state, int function);

/* Global variables: to put in what Swift computed (`state`), to take out what survives. */
guard_status guard_set_global(guard_state *state, const char *name, const guard_value *value);
guard_status guard_global(guard_state *state, const char *name, guard_value *answer);

/* The table that a global variable holds is the metatable of all copies of sightings from now on. */
guard_status guard_shape_copies(guard_state *state, const char *name);

/* About the last call that did not return GUARD_OK. */
guard_problem guard_last_problem(const guard_state *state);

/* So far. */
size_t guard_memory_used(const guard_state *state);
uint64_t guard_allocations(const guard_state *state);
/* How often each limit stopped a call. */
uint64_t guard_count(const guard_state *state, guard_status status);

#endif
