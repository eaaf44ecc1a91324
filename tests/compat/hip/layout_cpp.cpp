// SPDX-License-Identifier: Apache-2.0
// The same layouts and numbers in C++.
#include "support/layout.h"

int main() { return 0; }
