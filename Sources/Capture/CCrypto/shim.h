// The plain functions of SHA-256 are meant here; they are marked as old for interfaces from 3.0 on.
#define OPENSSL_API_COMPAT 10101
#include <openssl/evp.h>
#include <openssl/sha.h>
