/* Runs the attacks (arguments: files) and fails the n-th allocation of one program for every n: a
 * program for AddressSanitizer, built by `.ci/lua-attacks`. */
#ifdef LUA_ATTACKS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LuaTrial.h"

static const char *const words[] = {"ok",    "syntax", "error", "memory", "instructions",
                                    "time",  "steps",  "string"};

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char *text = calloc(1, 1 << 20);
  if (text != NULL) text[fread(text, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  return text;
}

/* The first line names what may come out. */
static bool is_expected(const char *text, guard_status status) {
  char line[80] = {0};
  snprintf(line, sizeof line, "%.*s ", (int)strcspn(text, "\n"), text);
  char word[20];
  snprintf(word, sizeof word, " %s ", words[status]);
  return strstr(line, word) != NULL;
}

static bool attack(const char *path) {
  char *text = read_file(path);
  if (text == NULL) return false;
  guard_limits limits = lua_trial_limits();
  if (strncmp(text, "-- time\n", 8) == 0) limits.seconds = 0.5; /* the others have time enough */
  lua_trial trial = lua_trial_run(text, "attack.lua", limits, 300);
  bool good = trial.opened && is_expected(text, trial.status);
  if (!good || getenv("SHOW") != NULL)
    printf("%s: %s: %s\n%s\n%s", path, words[trial.status], trial.message, trial.traceback,
           trial.printed);
  lua_trial_free(&trial);
  free(text);
  return good;
}

static bool fail_each(const char *path) {
  char *text = read_file(path);
  guard_limits limits = lua_trial_limits();
  lua_trial whole = lua_trial_run(text, "run.lua", limits, 5);
  bool good = whole.opened && whole.status == GUARD_OK;
  if (!good) printf("%s: %s\n%s", path, whole.message, whole.printed);
  for (uint64_t n = 1; good && n <= whole.allocations; n++) {
    limits.fail_at = n;
    lua_trial trial = lua_trial_run(text, "run.lua", limits, 5);
    good = !trial.opened || trial.status == GUARD_MEMORY
           || (trial.status == GUARD_OK && trial.allocations < n);
    if (!good)
      printf("allocation %llu: %s: %s\n%s", (unsigned long long)n, words[trial.status],
             trial.message, trial.printed);
    lua_trial_free(&trial);
  }
  printf("%llu allocations failed, one after the other\n", (unsigned long long)whole.allocations);
  lua_trial_free(&whole);
  free(text);
  return good;
}

int main(int count, char **arguments) {
  int bad = 0;
  if (count < 2) return 2;
  bad += !fail_each(arguments[1]);
  for (int i = 2; i < count; i++) bad += !attack(arguments[i]);
  printf("%d attacks, %d of them with another end than expected\n", count - 2, bad);
  return bad == 0 ? 0 : 1;
}
#endif
