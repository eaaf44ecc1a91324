// SPDX-License-Identifier: Apache-2.0
// Layouts and numbers, in C.
#include "support/layout.h"

int main(void) { return 0; }
