// SPDX-License-Identifier: Apache-2.0
// A user object is released once more than it was retained, and retained after its end.
// EXPECT: ERROR bad-handle: cudaUserObjectRelease with 0x..., which was destroyed
// EXPECT:     ... main .../cuda_user_object_twice.c:
// EXPECT:   allocated by thread
// EXPECT:   freed by thread
// EXPECT: ERROR bad-handle: cudaUserObjectRetain with 0x..., which was destroyed
#include "check/support/cuda.h"

static void end_data(void *data) { free(data); }

int main(void) {
    cudaUserObject_t object = NULL;
    must(cudaUserObjectCreate(&object, malloc(64), end_data, 1, cudaUserObjectNoDestructorSync));
    must(cudaUserObjectRelease(object, 1));
    (void)cudaUserObjectRelease(object, 1);
    (void)cudaUserObjectRetain(object, 1);
    (void)cudaDeviceReset();
    return 0;
}
