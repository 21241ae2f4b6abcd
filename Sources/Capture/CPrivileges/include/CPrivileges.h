// Capabilities and users of Linux processes: what is reached through prctl(2), which takes a variable
// number of arguments, and capset(2), for which the C library has no function.
#ifndef CPRIVILEGES_H
#define CPRIVILEGES_H

#include <stdint.h>
#include <sys/types.h>

// A user by name: 0, or what errno says; ENOENT where there is none.
int privileges_find_user(const char *name, uid_t *user, gid_t *group);

// Becomes that user and group with no others, for good; of the capabilities (bits by number) those
// remain that are kept. 0, or what errno says; `step` then names the call.
int privileges_become(uid_t user, gid_t group, uint64_t kept, const char **step);

// Whether root could be had again. Asked after `privileges_become`; does not return as root.
int privileges_can_return(void);

// What this process may do is not for the programs that it starts. Nothing happens where the kernel
// knows no ambient capabilities.
void privileges_keep_to_self(void);

#endif
