#include "CPrivileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int privileges_find_user(const char *name, uid_t *user, gid_t *group) {
  char text[16384];
  struct passwd entry, *found = NULL;
  int code = getpwnam_r(name, &entry, text, sizeof text, &found);
  if (found == NULL) return code ? code : ENOENT;
  *user = found->pw_uid;
  *group = found->pw_gid;
  return 0;
}

static int set_capabilities(uint64_t wanted) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  for (int i = 0; i < 2; i++) {
    data[i].effective = (uint32_t)(wanted >> (32 * i));
    data[i].permitted = data[i].effective;
  }
  return (int)syscall(SYS_capset, &header, data);
}

int privileges_become(uid_t user, gid_t group, uint64_t kept, const char **step) {
  *step = "prctl(PR_SET_KEEPCAPS)";
  if (prctl(PR_SET_KEEPCAPS, kept != 0, 0, 0, 0) != 0) return errno;
  *step = "setgroups";
  if (setgroups(1, &group) != 0) return errno;
  *step = "setresgid";
  if (setresgid(group, group, group) != 0) return errno;
  *step = "setresuid";
  if (setresuid(user, user, user) != 0) return errno;
  // What was permitted has been kept, but nothing of it is effective.
  *step = "capset";
  if (set_capabilities(kept) != 0) return errno;
  *step = "prctl(PR_SET_KEEPCAPS)";
  if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0) return errno;
  return 0;
}

int privileges_can_return(void) {
  uid_t user = getuid();
  gid_t group = getgid();
  if (setuid(0) == 0 || seteuid(0) == 0) {
    if (setresuid(user, user, user) != 0) _exit(70);
    return 1;
  }
  if (setgid(0) == 0 || setegid(0) == 0) {
    if (setresgid(group, group, group) != 0) _exit(70);
    return 1;
  }
  return 0;
}

void privileges_keep_to_self(void) { (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); }
