/* What the files of the guard share. Functions that may raise a Lua error take a lua_State; they run
 * only below a protected call. */
#ifndef GUARD_INTERNAL_H
#define GUARD_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "include/CLuaGuard.h"

enum {
  /* Handles that are taken in turn. */
  GUARD_RING = 256,
  /* Transmitters whose fields are remembered. */
  GUARD_CACHE = 1024,
  /* Levels of tables in tables that cross. */
  GUARD_DEPTH = 32,
  /* Values that cross at once. */
  GUARD_NODES = 1000000,
  /* Instructions between two looks of the hook; in coroutines, each of which counts for itself. */
  GUARD_QUANTUM = 1000,
  GUARD_COROUTINE_QUANTUM = 100,
  /* Allocated bytes that weigh as much as one instruction. */
  GUARD_BYTES_PER_INSTRUCTION = 16,
  /* What a stopped program may still allocate while its stack is taken down. */
  GUARD_GRACE = 256 * 1024,
  /* Full collections that a call may be given because it stood at the limit of memory. */
  GUARD_COLLECTIONS = 10,
  GUARD_TRACEBACK = 4096,
};

/* Places on the main stack, below every call. */
enum {
  GUARD_AT_TRACER = 1, /* the message handler of every call from outside */
  GUARD_AT_FUNCTIONS,  /* functions that the outside holds, by number */
  GUARD_AT_HANDLES,    /* the ring */
  GUARD_AT_KEPT,       /* what the last answer points into */
  GUARD_AT_ARENA,
  GUARD_AT_TOP = GUARD_AT_ARENA,
};

/* Places in the registry. */
enum { GUARD_KEY_FUNCTIONS = 100, GUARD_KEY_CACHE, GUARD_KEY_IDENTITIES, GUARD_KEY_EVENT,
       GUARD_KEY_HANDLES, GUARD_KEY_READERS, GUARD_KEY_COPIES };

/* A sighting handle: the contents of a userdata. */
typedef struct {
  uint64_t serial;
} guard_handle;

/* The fields of one transmitter, as far as they were asked for. */
typedef struct {
  uint32_t transmitter;
  bool used;
} guard_slot;

/* A field name's address (names are interned, and kept) and its number. */
typedef struct {
  const char *name;
  int number;
} guard_name;

/* What a function that only reads its sighting asks for. */
enum { GUARD_READ_FIELDS = 128, GUARD_READ_MOST = 8 };
typedef struct {
  uint32_t calls;  /* since it was last asked what it reads */
  uint8_t count;
  uint8_t fields[GUARD_READ_MOST]; /* that are laid out before it is called */
  uint8_t asked[GUARD_READ_FIELDS]; /* how often, by field, while that is being learned */
} guard_reader;

/* Numbers of functions: which are free, and which are to be given back. */
typedef struct {
  int *numbers;
  size_t count, capacity;
} guard_list;

struct guard_state {
  lua_State *main;
  lua_State *running; /* the coroutine that is on */
  guard_limits limits;
  guard_callbacks callbacks;
  bool inside; /* a call from outside is under way */
  int nesting; /* coroutines resumed or closed within one another */

  /* The budget of the call that is under way. */
  guard_status stopped; /* which limit is over; GUARD_OK while none is */
  uint64_t work;        /* instructions, and what weighs as much */
  uint64_t steps;       /* of pattern matching */
  int quantum;
  bool watched;           /* the hook of the main stack counts */
  bool slow;              /* the hook of the main stack looks at every instruction */
  double began, began_cpu; /* seconds; 0 until the first look */
  int collections;

  /* The allocator's books. */
  size_t used;
  uint64_t allocations;
  uint64_t serial;         /* of the newest block */
  size_t string_overhead;  /* bytes of a string object beside its characters */
  size_t newest_size;      /* as asked for */
  void *newest;            /* block */
  const void *refused;     /* the block that could not grow (NULL: a new one) … */
  size_t refused_size;     /* … to this size; 0: nothing was refused */

  /* Functions that the outside holds. */
  int function_count;
  guard_list free_functions;
  guard_list released; /* while a call is under way: given back when it ends */
  guard_list taken;    /* by a conversion that has not come to its end */

  /* Sightings. */
  const char *handle_name;
  const guard_field *fields;
  size_t field_count;
  guard_name *names; /* by hash of the address; a power of two */
  size_t name_mask;
  const guard_sighting *sighting; /* the one that is being handled; NULL: none */
  const void *live;               /* its handle */
  bool ends_turns;                /* no other one comes in this call */
  const void *handle_metatable;
  int ring;
  const void *handles[GUARD_RING];
  guard_slot *slots;
  uint64_t *known; /* per slot a bit for each field */
  size_t known_words;
  guard_reader *readers; /* by function number */
  size_t reader_count;
  const void *read; /* the table of the function that is on, where that only reads */
  guard_reader *learning; /* of the function that is on; NULL where nothing is to be learned */

  /* The last problem. */
  guard_status status;
  char *message;
  size_t message_count, message_capacity;
  char traceback[GUARD_TRACEBACK];
  size_t traceback_count;
  bool traceback_kept; /* it is that of the error that is on its way */
  char stop_place[LUA_IDSIZE + 32];

  uint64_t counts[GUARD_STATUSES];
};

/* memory.c */
void *guard_allocate(void *context, void *old, size_t old_size, size_t size);
uint64_t guard_serial_of(const void *block);
/* A refusal that nothing made good means that memory is over. */
void guard_settle_refusal(guard_state *state);

/* budget.c */
/* Beside each coroutine lies the state; the lowest bit says that a limit ended the coroutine. */
static inline uintptr_t *guard_mark(lua_State *L) { return lua_getextraspace(L); }
static inline guard_state *guard_of(lua_State *L) {
  return (guard_state *)(*guard_mark(L) & ~(uintptr_t)1);
}
void guard_begin(guard_state *state);
/* Notes that a limit is over, and where. Does not raise. */
void guard_stop(guard_state *state, lua_State *L, guard_status limit);
/* Raises for as long as the call lasts. */
_Noreturn void guard_raise_stopped(lua_State *L);
void guard_hook(lua_State *L, lua_Debug *record);
void guard_count_hook(lua_State *L, int count);
/* Counts work that no hook sees; raises where it is too much. */
void guard_charge(lua_State *L, uint64_t work);

/* state.c */
/* Runs FUNCTION, with REQUEST as a light userdata, as a call from outside. It may leave two results,
 * which the answer points into. */
guard_status guard_protected(guard_state *state, lua_CFunction function, void *request);

/* trace.c */
void guard_trace(guard_state *state, lua_State *L);
/* "file:line: " of the innermost program text, or nothing. */
void guard_place(lua_State *L, char *text, size_t capacity);
int guard_tracer(lua_State *L);
void guard_note(guard_state *state, guard_status status, const char *message, size_t count);
void guard_note_limit(guard_state *state, guard_status status);
/* Raises MESSAGE (on the stack) at the line of the program that called. */
_Noreturn void guard_raise_here(lua_State *L);

/* values.c */
void guard_push(lua_State *L, const guard_value *value);
/* Makes a tree of the value at INDEX; its memory hangs on the arena at index ARENA (absolute). */
void guard_take(lua_State *L, int index, int arena, const char *what, guard_value *answer);
/* Memory for as long as the arena at that index is kept. */
void *guard_room(lua_State *L, int arena, size_t size);

/* functions.c */
int guard_keep_function(lua_State *L);
void guard_push_function(lua_State *L, int number);
void guard_give_back(guard_state *state, int number);
bool guard_list_reserve(guard_list *list, size_t count);

/* handles.c */
void guard_open_handles(lua_State *L);
bool guard_is_live_handle(lua_State *L, int index);
bool guard_is_handle(lua_State *L, int index);
_Noreturn void guard_raise_dead(lua_State *L);
/* The number of the field whose name is at INDEX, -1 for none. */
int guard_field_number(const guard_state *state, lua_State *L, int index);
/* CACHE: the stack index of the table of what is remembered. The value is on top; there may be more
 * below it. */
void guard_push_field(guard_state *state, lua_State *L, int number, int cache);
/* The same for a field of transmitters, whose column is on the stack: one value. */
void guard_push_remembered(lua_State *L, guard_state *state, int number, int column);
void guard_push_column(lua_State *L, int number, int cache);
/* `__index` of handles and of what stands for them; upvalue: the table of what is remembered. */
int guard_index_sighting(lua_State *L);
int guard_refuse_change(lua_State *L);
/* INDEX has the table of what is remembered as its upvalue. */
void guard_push_metatable(lua_State *L, lua_CFunction index, lua_CFunction new_index);
bool guard_open_names(guard_state *state);

/* readers.c */
void guard_open_readers(lua_State *L);
void guard_learn(guard_reader *reader, lua_State *L, int number);
/* Lays out what a function reads, from stack index BASE up; false where there is no memory. */
bool guard_open_reader(lua_State *L, guard_state *state, int function, int base);
void guard_lay_out(lua_State *L, guard_state *state, int function, int base);

/* expressions.c */
void guard_open_expressions(lua_State *L);
/* The table whose keys are globals of expressions; nil values in it: names that are known. */
void guard_push_event(lua_State *L, const guard_value *event);
void guard_forget_event(guard_state *state);

/* order.c */
typedef struct {
  enum { KEY_SEQUENCE, KEY_NUMBER, KEY_STRING, KEY_BOOLEAN, KEY_OBJECT, KEY_OTHER } rank;
  bool is_integer;
  union {
    lua_Integer integer;
    lua_Number number;
    struct { const char *bytes; size_t count; } string;
    bool boolean;
    uint64_t serial;
  };
  uint32_t position; /* in order of the walk */
} guard_key;
/* Keys of the table at INDEX in the order that repeats. They live in a userdata that is pushed, behind
 * a table of them as they were found. */
guard_key *guard_sorted_keys(lua_State *L, int index, size_t *count);
void guard_open_order(lua_State *L);
int guard_pairs(lua_State *L);
int guard_next(lua_State *L);

/* protect.c, coroutines.c, base.c, texts.c, clock.c: parts of the libraries */
int guard_pcall(lua_State *L);
int guard_xpcall(lua_State *L);
void guard_open_coroutines(lua_State *L);
/* After a protected call: rethrows where the whole call is over. */
void guard_after_protected(lua_State *L, int status);
void guard_open_base(lua_State *L);
const char *guard_tostring(lua_State *L, int index, size_t *count);
void guard_open_require(lua_State *L);

/* load.c */
/* Leaves a function or a message; the status is Lua's. Stops where the text is too much work. */
int guard_load_text(lua_State *L, const char *text, size_t count, const char *name);
int guard_load(lua_State *L);
void guard_open_clock(lua_State *L);
void guard_open_libraries(lua_State *L);
void guard_open_strings(lua_State *L);
void guard_open_utf8(lua_State *L);
void guard_open_conversions(lua_State *L);
void guard_open_search(lua_State *L);
void guard_open_tables(lua_State *L);
int guard_sort(lua_State *L);

#endif
