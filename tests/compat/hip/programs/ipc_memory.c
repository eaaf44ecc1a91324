// SPDX-License-Identifier: Apache-2.0
// Two processes work in one allocation: the parent fills it, the child opens it by its handle, checks it
// and answers in place.
#include <string.h>
#include <sys/wait.h>

#include "support/sample.h"

#define NUMBERS (1 << 16)
#define BYTES   (NUMBERS * sizeof(int))

static void child_main(int from_parent, int to_parent) {
    static int numbers[NUMBERS];
    hipIpcMemHandle_t handle;
    void *memory = NULL;
    char done = 'd';
    pipe_receive(from_parent, &handle, sizeof handle);
    must(hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess));
    must(hipMemcpy(numbers, memory, BYTES, hipMemcpyDeviceToHost));
    for (int i = 0; i < NUMBERS; i++) {
        expect(numbers[i] == i);
        numbers[i] = -i;
    }
    must(hipMemcpy(memory, numbers, BYTES, hipMemcpyHostToDevice));
    must(hipIpcCloseMemHandle(memory));
    pipe_send(to_parent, &done, 1);
}

static void parent_main(int from_child, int to_child) {
    static int numbers[NUMBERS];
    hipIpcMemHandle_t handle;
    void *memory = NULL;
    char done = 0;
    for (int i = 0; i < NUMBERS; i++) numbers[i] = i;
    must(hipMalloc(&memory, BYTES));
    must(hipMemcpy(memory, numbers, BYTES, hipMemcpyHostToDevice));
    must(hipIpcGetMemHandle(&handle, memory));
    pipe_send(to_child, &handle, sizeof handle);
    pipe_receive(from_child, &done, 1);
    must(hipMemcpy(numbers, memory, BYTES, hipMemcpyDeviceToHost));
    for (int i = 0; i < NUMBERS; i++) expect(numbers[i] == -i);
    must(hipFree(memory));
    printf("the child has answered in the parent's %zu bytes\n", BYTES);
}

int main(void) {
    int down[2], up[2], status = -1;
    expect(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork(); // before the first call of HIP
    expect(child >= 0);
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        child_main(down[0], up[1]);
        return 0;
    }
    close(down[0]);
    close(up[1]);
    parent_main(up[0], down[1]);
    expect(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
