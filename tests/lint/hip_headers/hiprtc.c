// SPDX-License-Identifier: Apache-2.0
#include <hip/hiprtc.h>

int main(void) {
    hiprtcProgram program = NULL;
    size_t size = 0;
    return hiprtcCreateProgram(&program, "", "a.hip", 0, NULL, NULL) == HIPRTC_SUCCESS &&
           hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS;
}
