// Puts the time at which a line was read before it: seconds since 1970 with nine decimals.
#include <stdio.h>
#include <time.h>

int main(void) {
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%lld.%09ld %s", (long long)now.tv_sec, now.tv_nsec, line);
    fflush(stdout);
  }
  return 0;
}
