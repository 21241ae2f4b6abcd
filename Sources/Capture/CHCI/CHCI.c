#include "CHCI.h"
