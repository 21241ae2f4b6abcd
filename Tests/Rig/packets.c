// The packets of a pcap file of this machine's byte order, a line each: time and bytes.
#include <stdint.h>
#include <stdio.h>

int main(int count, char **names) {
  FILE *file = count == 2 ? fopen(names[1], "rb") : NULL;
  if (file == NULL || fseek(file, 24, SEEK_SET) != 0) return 1;
  uint32_t head[4];
  while (fread(head, sizeof head, 1, file) == 1) {
    printf("%u.%06u ", head[0], head[1]);
    for (uint32_t place = 0; place < head[2]; place++) printf("%02x", (unsigned)getc(file));
    putchar('\n');
  }
  return 0;
}
