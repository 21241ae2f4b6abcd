// Runs a program on a terminal of its own and writes what it shows there to a file; what comes on
// standard input is typed. Its status is the program's.
// usage: terminal COLUMNS ROWS FILE PROGRAM [ARGUMENT…]
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void hand_on(int number) { kill(child, number); }

static int start(int terminal, char **arguments) {
  char name[64];
  if (ptsname_r(terminal, name, sizeof name) != 0) return -1;
  child = fork();
  if (child != 0) return child > 0 ? 0 : -1;
  setsid();
  int own = open(name, O_RDWR);
  if (own < 0) _exit(126);
  for (int number = 0; number < 3; number++) dup2(own, number);
  if (own > 2) close(own);
  close(terminal);
  execvp(arguments[0], arguments);
  _exit(127);
}

int main(int count, char **words) {
  if (count < 5) return 2;
  struct winsize size = {.ws_col = atoi(words[1]), .ws_row = atoi(words[2])};
  FILE *shown = fopen(words[3], "w");
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (shown == NULL || terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 ||
      ioctl(terminal, TIOCSWINSZ, &size) != 0 || start(terminal, words + 4) != 0) {
    perror("terminal");
    return 2;
  }
  signal(SIGTERM, hand_on);
  signal(SIGINT, hand_on);
  struct pollfd ends[2] = {{.fd = terminal, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
  char bytes[4096];
  for (;;) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    if (ends[0].revents != 0) {
      ssize_t got = read(terminal, bytes, sizeof bytes);
      // Nobody has it open any more.
      if (got <= 0 && errno != EINTR) break;
      if (got > 0) fwrite(bytes, 1, (size_t)got, shown);
      fflush(shown);
    }
    if (ends[1].revents != 0) {
      ssize_t got = read(0, bytes, sizeof bytes);
      if (got > 0 && write(terminal, bytes, (size_t)got) != got) break;
      if (got <= 0) ends[1].fd = -1;
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
