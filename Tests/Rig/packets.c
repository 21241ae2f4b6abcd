// The packets of a recording, a line each: time, and bytes as libpcap has them. Reads pcap of this
// machine's byte order, and btsnoop of controllers (1002) and of the monitor (2001), whose flags
// become libpcap's head of a packet again.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t big(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void bytes_of(FILE *file, uint32_t count) {
  for (uint32_t place = 0; place < count; place++) printf("%02x", (unsigned)getc(file));
  putchar('\n');
}

static int btsnoop(FILE *file) {
  // Microseconds from the year 0 to 1970 (btsnoop).
  const uint64_t epoch = 0x00dcddb30f2f8000;
  unsigned char head[24];
  if (fread(head, 16, 1, file) != 1) return 1;
  // Of a controller's flags only the direction stands in libpcap's head.
  const uint32_t kept = big(head + 12) == 1002 ? 1 : 0xffffffff;
  while (fread(head, sizeof head, 1, file) == 1) {
    uint64_t time = ((uint64_t)big(head + 16) << 32 | big(head + 20)) - epoch;
    printf("%llu.%06llu %08x", (unsigned long long)(time / 1000000),
           (unsigned long long)(time % 1000000), big(head + 8) & kept);
    bytes_of(file, big(head + 4));
  }
  return 0;
}

int main(int count, char **names) {
  FILE *file = count == 2 ? fopen(names[1], "rb") : NULL;
  char magic[8] = "";
  if (file == NULL || fread(magic, sizeof magic, 1, file) != 1) return 1;
  rewind(file);
  if (memcmp(magic, "btsnoop", sizeof magic) == 0) return btsnoop(file);
  if (fseek(file, 24, SEEK_SET) != 0) return 1;
  uint32_t head[4];
  while (fread(head, sizeof head, 1, file) == 1) {
    printf("%u.%06u ", head[0], head[1]);
    bytes_of(file, head[2]);
  }
  return 0;
}
