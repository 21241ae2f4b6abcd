/* The matcher: backtracking like Lua's, and the same results and messages; but each step counts. */
#include "patterns.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 200 };

void guard_out_of_steps(guard_state *state, lua_State *L) {
  guard_stop(state, L, GUARD_STEPS);
  guard_raise_stopped(L);
}

void guard_match_begin(guard_match *m, lua_State *L, const char *text, size_t text_count,
                       const char *pattern, size_t pattern_count) {
  m->L = L;
  m->state = guard_of(L);
  m->text = text;
  m->text_end = text + text_count;
  m->pattern_end = pattern + pattern_count;
  m->depth = 0;
  m->count = 0;
}

static unsigned char byte_at(const char *place) { return (unsigned char)*place; }

static bool is_of_class(int byte, int letter) {
  bool is;
  switch (tolower(letter)) {
    case 'a': is = isalpha(byte); break;
    case 'c': is = iscntrl(byte); break;
    case 'd': is = isdigit(byte); break;
    case 'g': is = isgraph(byte); break;
    case 'l': is = islower(byte); break;
    case 'p': is = ispunct(byte); break;
    case 's': is = isspace(byte); break;
    case 'u': is = isupper(byte); break;
    case 'w': is = isalnum(byte); break;
    case 'x': is = isxdigit(byte); break;
    case 'z': is = byte == 0; break;
    default: return letter == byte;
  }
  return isupper(letter) ? !is : is;
}

/* SET begins with '[', CLOSE is its ']'. */
static bool is_in_set(int byte, const char *set, const char *close) {
  bool inside = true;
  const char *p = set + 1;
  if (*p == '^') {
    inside = false;
    p++;
  }
  while (p < close) {
    if (*p == '%') {
      if (is_of_class(byte, byte_at(p + 1))) return inside;
      p += 2;
    } else if (p[1] == '-' && p + 2 < close) {
      if (byte_at(p) <= byte && byte <= byte_at(p + 2)) return inside;
      p += 3;
    } else {
      if (byte_at(p) == byte) return inside;
      p++;
    }
  }
  return !inside;
}

/* Behind the item (a character, a class, a set) that begins at P. */
static const char *item_end(guard_match *m, const char *p) {
  const char *start = p;
  switch (*p++) {
    case '%':
      if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
      return p + 1;
    case '[':
      if (*p == '^') p++;
      do {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p++ == '%' && p < m->pattern_end) p++;
      } while (*p != ']');
      guard_steps(m->state, m->L, (uint64_t)(p - start) / 8);
      return p + 1;
    default: return p;
  }
}

static bool fits(guard_match *m, const char *s, const char *item, const char *end) {
  guard_steps(m->state, m->L, 1);
  if (s >= m->text_end) return false;
  switch (*item) {
    case '.': return true;
    case '%': return is_of_class(byte_at(s), byte_at(item + 1));
    case '[':
      guard_steps(m->state, m->L, (uint64_t)(end - item) / 8);
      return is_in_set(byte_at(s), item, end - 1);
    default: return *item == *s;
  }
}

/* %bxy: P is at x. */
static const char *match_balanced(guard_match *m, const char *s, const char *p) {
  if (m->pattern_end - p < 2)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->text_end || *s != p[0]) return NULL;
  size_t open = 1;
  while (++s < m->text_end) {
    guard_steps(m->state, m->L, 1);
    if (*s == p[1]) {
      if (--open == 0) return s + 1;
    } else if (*s == p[0]) {
      open++;
    }
  }
  return NULL;
}

/* %1 … %9. */
static const char *match_again(guard_match *m, const char *s, int digit) {
  int number = digit - '1';
  if (number < 0 || number >= m->count || m->captures[number].length == CAPTURE_OPEN)
    luaL_error(m->L, "invalid capture index %%%d", number + 1);
  if (m->captures[number].length == CAPTURE_PLACE) return NULL;
  size_t length = (size_t)m->captures[number].length;
  guard_steps(m->state, m->L, 1 + length / 16);
  if ((size_t)(m->text_end - s) < length) return NULL;
  return memcmp(m->captures[number].start, s, length) == 0 ? s + length : NULL;
}

/* '(' or '()'. */
static const char *open_capture(guard_match *m, const char *s, const char *p) {
  bool is_place = p[1] == ')';
  if (m->count >= GUARD_CAPTURES) luaL_error(m->L, "too many captures");
  m->captures[m->count++] = (guard_capture){s, is_place ? CAPTURE_PLACE : CAPTURE_OPEN};
  const char *end = guard_match_at(m, s, p + (is_place ? 2 : 1));
  if (end == NULL) m->count--;
  return end;
}

static const char *close_capture(guard_match *m, const char *s, const char *p) {
  int number = m->count - 1;
  while (number >= 0 && m->captures[number].length != CAPTURE_OPEN) number--;
  if (number < 0) luaL_error(m->L, "invalid pattern capture");
  m->captures[number].length = s - m->captures[number].start;
  const char *end = guard_match_at(m, s, p + 1);
  if (end == NULL) m->captures[number].length = CAPTURE_OPEN;
  return end;
}

/* As many as there are, then fewer. */
static const char *match_most(guard_match *m, const char *s, const char *item, const char *end) {
  const char *last = s;
  while (fits(m, last, item, end)) last++;
  for (; last >= s; last--) {
    const char *found = guard_match_at(m, last, end + 1);
    if (found != NULL) return found;
  }
  return NULL;
}

static const char *match_fewest(guard_match *m, const char *s, const char *item, const char *end) {
  for (;; s++) {
    const char *found = guard_match_at(m, s, end + 1);
    if (found != NULL) return found;
    if (!fits(m, s, item, end)) return NULL;
  }
}

/* A frontier, %f[set]: P is at '['. */
static bool is_frontier(guard_match *m, const char *s, const char *p, const char **after) {
  if (*p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
  *after = item_end(m, p);
  int before = s == m->text ? 0 : byte_at(s - 1);
  int here = s >= m->text_end ? 0 : byte_at(s);
  return !is_in_set(before, p, *after - 1) && is_in_set(here, p, *after - 1);
}

/* What stands at P and is no item with a repetition. *DONE says that the answer is final; otherwise
 * S and P moved on. */
typedef enum { IS_ITEM, MOVED_ON, DONE } progress;

static progress match_special(guard_match *m, const char **s, const char **p) {
  const char *after;
  switch (**p) {
    case '(': *s = open_capture(m, *s, *p); return DONE;
    case ')': *s = close_capture(m, *s, *p); return DONE;
    case '$':
      if (*p + 1 != m->pattern_end) return IS_ITEM;
      if (*s != m->text_end) *s = NULL;
      return DONE;
    case '%': break;
    default: return IS_ITEM;
  }
  int letter = *p + 1 == m->pattern_end ? 0 : byte_at(*p + 1);
  if (letter == 'b') {
    *s = match_balanced(m, *s, *p + 2);
    *p += 4;
  } else if (letter == 'f') {
    bool is = is_frontier(m, *s, *p + 2, &after);
    if (!is) *s = NULL;
    *p = after;
  } else if (isdigit(letter)) {
    *s = match_again(m, *s, letter);
    *p += 2;
  } else {
    return IS_ITEM;
  }
  return *s == NULL ? DONE : MOVED_ON;
}

const char *guard_match_at(guard_match *m, const char *s, const char *p) {
  if (m->depth >= DEEPEST) luaL_error(m->L, "pattern too complex");
  m->depth++;
  while (p != m->pattern_end) {
    guard_steps(m->state, m->L, 1);
    progress went = match_special(m, &s, &p);
    if (went == DONE) break;
    if (went == MOVED_ON) continue;
    const char *end = item_end(m, p);
    char repeated = *end; /* a zero behind the pattern */
    if (repeated == '*' || repeated == '-') {
      s = repeated == '*' ? match_most(m, s, p, end) : match_fewest(m, s, p, end);
      break;
    }
    bool fit = fits(m, s, p, end);
    if (repeated == '+') {
      s = fit ? match_most(m, s + 1, p, end) : NULL;
      break;
    }
    if (repeated == '?') {
      const char *found = fit ? guard_match_at(m, s + 1, end + 1) : NULL;
      if (found != NULL) {
        s = found;
        break;
      }
      p = end + 1;
      continue;
    }
    if (!fit) {
      s = NULL;
      break;
    }
    s++;
    p = end;
  }
  m->depth--;
  return s;
}

void guard_push_capture(guard_match *m, int number, const char *start, const char *end) {
  if (number >= m->count) {
    if (number != 0) luaL_error(m->L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  const guard_capture *capture = &m->captures[number];
  if (capture->length == CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
  if (capture->length == CAPTURE_PLACE) lua_pushinteger(m->L, capture->start - m->text + 1);
  else lua_pushlstring(m->L, capture->start, (size_t)capture->length);
}

int guard_push_captures(guard_match *m, const char *start, const char *end) {
  int count = m->count == 0 && start != NULL ? 1 : m->count;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) guard_push_capture(m, i, start, end);
  return count;
}
