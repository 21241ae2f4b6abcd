/* The allocator: counts, refuses, and gives each block the number of its making. */
#include <stdlib.h>

#include "internal.h"

/* Before each block. Lua asks for no alignment above eight. */
typedef struct {
  uint64_t serial;
} block_head;

uint64_t guard_serial_of(const void *block) { return ((const block_head *)block - 1)->serial; }

/* Lua answers a refusal with a full collection and asks once more; the second one is final. */
static bool refuse(guard_state *state, const void *old, size_t size) {
  bool again = state->refused_size == size && state->refused == old;
  state->refused = old;
  state->refused_size = size;
  if (state->stopped == GUARD_OK && (again || ++state->collections > GUARD_COLLECTIONS))
    guard_stop(state, state->running, GUARD_MEMORY);
  return false;
}

static bool refuse_for_good(guard_state *state, const void *old, size_t size, guard_status limit) {
  state->refused = old;
  state->refused_size = size;
  guard_stop(state, state->running, limit);
  return false;
}

static bool may_grow(guard_state *state, const void *old, size_t old_size, size_t size, int type) {
  const guard_limits *limits = &state->limits;
  state->allocations++;
  if (limits->fail_at != 0 && state->allocations >= limits->fail_at) return refuse(state, old, size);
  if (state->stopped == GUARD_OK) {
    if (type == LUA_TSTRING && size > limits->string + state->string_overhead)
      return refuse_for_good(state, old, size, GUARD_STRING);
    /* Sixteen bytes to an instruction: about what a processor clears, copies and faults in
     * meanwhile, so that work in C by its size costs no less than the same in Lua. */
    state->work += 1 + size / GUARD_BYTES_PER_INSTRUCTION;
    if (state->work > limits->instructions)
      return refuse_for_good(state, old, size, GUARD_INSTRUCTIONS);
  } else if (size > GUARD_GRACE || (state->refused_size == size && state->refused == old)) {
    return false;
  }
  size_t room = limits->memory + (state->stopped == GUARD_OK ? 0 : GUARD_GRACE);
  size_t rest = state->used - old_size;
  if (size > room || rest > room - size) return refuse(state, old, size);
  if (state->refused_size == size && state->refused == old) state->refused_size = 0;
  return true;
}

void *guard_allocate(void *context, void *old, size_t old_size, size_t size) {
  guard_state *state = context;
  block_head *head = old == NULL ? NULL : (block_head *)old - 1;
  size_t had = old == NULL ? 0 : old_size;
  if (size == 0) {
    state->used -= had;
    free(head);
    return NULL;
  }
  int type = old == NULL ? (int)old_size : 0;
  if (size > had && !may_grow(state, old, had, size, type)) return NULL;
  block_head *grown = size > SIZE_MAX - sizeof *head ? NULL : realloc(head, sizeof *head + size);
  if (grown == NULL) {
    if (size <= had) return old;
    refuse(state, old, size);
    return NULL;
  }
  if (head == NULL) grown->serial = ++state->serial;
  state->used += size - had;
  state->newest = grown + 1;
  state->newest_size = size;
  return state->newest;
}

void guard_settle_refusal(guard_state *state) {
  if (state->refused_size != 0 && state->stopped == GUARD_OK)
    guard_stop(state, state->running, GUARD_MEMORY);
}
