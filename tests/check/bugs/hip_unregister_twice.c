// SPDX-License-Identifier: Apache-2.0
// Memory of the program is registered once and unregistered twice. Then memory is unregistered that
// was never registered.
// EXPECT: ERROR double-free: hipHostUnregister of 0x... again, a registration of host memory of 8192 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_unregister_twice.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_unregister_twice.c:20
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hip_unregister_twice.c:21
// EXPECT: ERROR invalid-free: hipHostUnregister of 0x..., which is no registration of host memory
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_unregister_twice.c:23

#include "check/support/hip.h"

int main(void) {
    static _Alignas(4096) char buffer[8192];
    static _Alignas(4096) char other[4096];
    must(hipHostRegister(buffer, sizeof buffer, 0));
    must(hipHostUnregister(buffer));
    (void)hipHostUnregister(buffer);
    (void)hipHostUnregister(other);
    return 0;
}
