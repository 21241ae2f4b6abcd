// Linux's HCI sockets: the numbers and structures of its <net/bluetooth/hci_sock.h>, which no C
// library of Debian's base ships, and the calls that need C's types of addresses and requests.
// What the kernel answers is handed over as bytes; a call that fails gives the negative errno.
#ifndef CHCI_H
#define CHCI_H

#include <stdint.h>

// The address of a socket: a controller, and which of its channels.
struct hci_socket_address {
  uint16_t family;
  uint16_t controller;
  uint16_t channel;
};

enum {
  HCI_NO_CONTROLLER = 0xffff,
  HCI_CONTROLLER_INFO_SIZE = 92,
  HCI_MOST_CONTROLLERS = 16,
};

enum hci_channel {
  HCI_CHANNEL_RAW = 0,
  HCI_CHANNEL_MONITOR = 2,
  HCI_CHANNEL_CONTROL = 3,
};

// A socket on a channel, bound to a controller; HCI_NO_CONTROLLER for all of them or none.
int hci_open(uint16_t controller, uint16_t channel);
// A raw socket that is not bound: enough to ask what there is.
int hci_open_unbound(void);
// Lets a raw socket receive Command Complete and Command Status, nothing else.
int hci_receive_answers_only(int descriptor);

// The numbers of the controllers that there are; gives how many.
int hci_list_controllers(int descriptor, uint16_t *numbers, int capacity);
// A controller's `struct hci_dev_info`, of HCI_CONTROLLER_INFO_SIZE bytes.
int hci_controller_info(int descriptor, uint16_t controller, uint8_t *bytes);
int hci_bring_up(int descriptor, uint16_t controller);

int hci_send(int descriptor, const uint8_t *bytes, int count);
// One message, or -EAGAIN where none came in time (0: does not wait).
int hci_receive(int descriptor, int milliseconds, uint8_t *bytes, int capacity);
// Of a clock that runs evenly.
int64_t hci_milliseconds(void);

// The file capabilities of a program (`security.capability`); gives how many bytes.
int hci_program_capabilities(const char *path, uint8_t *bytes, int capacity);

#endif
