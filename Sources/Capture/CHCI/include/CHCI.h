// Linux's raw HCI sockets: the structures and numbers of its <net/bluetooth/hci_sock.h>, which no C
// library of Debian's base ships.
#ifndef CHCI_H
#define CHCI_H

#include <stdint.h>

// The address of a socket: a controller, and which of its channels.
struct hci_socket_address {
  uint16_t family;
  uint16_t controller;
  uint16_t channel;
};

#endif
