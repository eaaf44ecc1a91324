// SPDX-License-Identifier: Apache-2.0
// The plug-in for PyTorch, opened by its path. A block that cannot be allocated is NULL, with a line
// on standard error; whatever fails, the next round succeeds.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "starve/support/round.h"

static void *(*allocate)(ssize_t size, int device, void *stream);
static void (*release)(void *ptr, ssize_t size, int device, void *stream);
static void (*reset)(void);

__attribute__((constructor)) static void open_plugin(void) {
    void *library = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)fprintf(stderr, "PLUGIN: %s\n", dlerror());
        exit(2);
    }
    *(void **)&allocate = dlsym(library, "tarn_torch_malloc");
    *(void **)&release = dlsym(library, "tarn_torch_free");
    *(void **)&reset = dlsym(library, "tarn_torch_reset");
    (void)setenv("TARN_TORCH_DEVICE", "host:0,memory=64M,workers=1", 1);
}

void starve_provoke(void) { (void)allocate((ssize_t)1 << 40, 0, NULL); }

enum starve_kind starve_round(void) {
    static const ssize_t sizes[] = {1000, 3000000, 512, 20000000, 70000, 1000};
    enum { BLOCKS = sizeof sizes / sizeof sizes[0] };
    void *blocks[BLOCKS];
    enum starve_kind kind = STARVE_DONE;
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = allocate(sizes[i], 0, i % 2 == 0 ? NULL : (void *)0x1230);
        if (blocks[i] == NULL)
            kind = STARVE_SHORT;
        else
            memset(blocks[i], i, 512);
    }
    for (int i = 0; i < BLOCKS; i++) release(blocks[i], sizes[i], 0, NULL);
    reset();
    return kind;
}
