// SPDX-License-Identifier: Apache-2.0
#include <hip/math_functions.h>

int main() { return static_cast<int>(erfinvf(0) + __saturatef(2)); }
