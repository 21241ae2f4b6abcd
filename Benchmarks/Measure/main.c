// usage: Measure COMMAND
// Runs a shell command with its output to /dev/null and prints: wall seconds, processor seconds
// (all of its threads and processes), and the largest peak of memory (KiB) among its processes.
// The command's exit status is ours.
//
// In C, because a process takes over the peak memory of the one that forked it: a runtime's start
// would show in the figures of small programs.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void become(const char *command) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) {
    perror("/dev/null");
    _exit(126);
  }
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  perror("/bin/sh");
  _exit(126);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: Measure COMMAND\n");
    return 64;
  }
  double start = now();
  pid_t child = fork();
  if (child == 0) become(arguments[1]);
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    perror("Measure");
    return 71;
  }
  printf("%.6f\t%.6f\t%ld\n", now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime),
         usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
