#define _GNU_SOURCE
#include "CHCI.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef AF_BLUETOOTH
#define AF_BLUETOOTH 31
#endif

enum { PROTOCOL_HCI = 1, LEVEL_HCI = 0, OPTION_FILTER = 2 };
enum { EVENT_PACKET = 4, COMMAND_COMPLETE = 0x0e, COMMAND_STATUS = 0x0f };

#define REQUEST_UP _IOW('H', 201, int)
#define REQUEST_LIST _IOR('H', 210, int)
#define REQUEST_INFO _IOR('H', 211, int)

// `struct hci_dev_list_req` with room for all.
struct controller_list {
  uint16_t count;
  struct {
    uint16_t number;
    uint32_t flags;
  } controllers[HCI_MOST_CONTROLLERS];
};

// `struct hci_ufilter`
struct filter {
  uint32_t packets;
  uint32_t events[2];
  uint16_t opcode;
};

// `struct hci_dev_info`, whose bytes are handed over; the kernel answers by its number.
struct controller_info {
  uint16_t number;
  char name[8];
  uint8_t address[6];
  uint32_t flags;
  uint8_t type;
  uint8_t features[8];
  uint32_t packet_types, link_policy, link_mode;
  uint16_t acl_size, acl_count, sco_size, sco_count;
  uint32_t statistics[10];
};
_Static_assert(sizeof(struct controller_info) == HCI_CONTROLLER_INFO_SIZE, "as the kernel has it");

static int result(int value) { return value < 0 ? -errno : value; }

int hci_open_unbound(void) {
  return result(socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, PROTOCOL_HCI));
}

int hci_open(uint16_t controller, uint16_t channel) {
  int descriptor = hci_open_unbound();
  if (descriptor < 0) return descriptor;
  struct hci_socket_address address = {AF_BLUETOOTH, controller, channel};
  if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int problem = errno;
  close(descriptor);
  return -problem;
}

int hci_receive_answers_only(int descriptor) {
  struct filter filter = {1u << EVENT_PACKET, {1u << COMMAND_COMPLETE | 1u << COMMAND_STATUS, 0}, 0};
  return result(setsockopt(descriptor, LEVEL_HCI, OPTION_FILTER, &filter, sizeof filter));
}

int hci_list_controllers(int descriptor, uint16_t *numbers, int capacity) {
  struct controller_list list = {.count = HCI_MOST_CONTROLLERS};
  if (ioctl(descriptor, REQUEST_LIST, &list) < 0) return -errno;
  int count = list.count < capacity ? list.count : capacity;
  for (int i = 0; i < count; i++) numbers[i] = list.controllers[i].number;
  return count;
}

int hci_controller_info(int descriptor, uint16_t controller, uint8_t *bytes) {
  struct controller_info info = {.number = controller};
  if (ioctl(descriptor, REQUEST_INFO, &info) < 0) return -errno;
  memcpy(bytes, &info, sizeof info);
  return 0;
}

int hci_bring_up(int descriptor, uint16_t controller) {
  return result(ioctl(descriptor, REQUEST_UP, (int)controller));
}

int hci_send(int descriptor, const uint8_t *bytes, int count) {
  return result((int)send(descriptor, bytes, (size_t)count, MSG_NOSIGNAL));
}

int hci_receive(int descriptor, int milliseconds, uint8_t *bytes, int capacity) {
  struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
  int ready = poll(&waiting, 1, milliseconds);
  if (ready < 0) return errno == EINTR ? -EAGAIN : -errno;
  if (ready == 0) return -EAGAIN;
  int count = result((int)recv(descriptor, bytes, (size_t)capacity, 0));
  // Closed by the kernel; there are no empty messages.
  return count == 0 ? -ENODEV : count;
}

int64_t hci_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int hci_program_capabilities(const char *path, uint8_t *bytes, int capacity) {
  return result((int)getxattr(path, "security.capability", bytes, (size_t)capacity));
}
