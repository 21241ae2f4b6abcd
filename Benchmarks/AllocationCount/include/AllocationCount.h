#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

/// How often memory has been asked for since the program began, by any thread, the C library's and
/// the Swift runtime's own requests included: malloc, calloc, realloc and the aligned ones.
uint64_t allocation_count(void);

#endif
