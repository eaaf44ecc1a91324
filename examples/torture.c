// SPDX-License-Identifier: Apache-2.0
// Three mistakes on error paths, which no ordinary run shows: `tarn torture -- example_torture bad`
// finds all of them. Without the argument the same work is done properly.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tarn/tarn.h>

enum { MIB = 1 << 20 };

static tarn_device *device;

static bool complain(const char *what) {
    tarn_error error;
    (void)tarn_last_error(&error);
    fprintf(stderr, "%s: %s\n", what, error.message);
    return false;
}

// Mistake 1: if the second allocation fails, nobody frees the first one.
static bool two_blocks(bool bad) {
    tarn_addr first = 0, second = 0;
    bool good = tarn_memory_alloc(device, MIB, &first) == TARN_OK &&
                tarn_memory_alloc(device, 2 * MIB, &second) == TARN_OK;
    if (!good && bad) return complain("two blocks");
    (void)tarn_memory_free(second, 0);
    (void)tarn_memory_free(first, 0);
    return good || complain("two blocks");
}

// Mistake 2: the program uses the address although nothing was mapped there.
static bool write_mapping(bool bad) {
    const tarn_grant host = {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    bool mapped = false;
    bool good = tarn_space_reserve(device, 2 * MIB, 0, 0, &addr) == TARN_OK &&
                tarn_phys_create(device, 2 * MIB, NULL, &phys) == TARN_OK;
    if (good) {
        mapped = tarn_map(addr, 2 * MIB, phys) == TARN_OK;
        good = mapped && tarn_map_set_access(addr, 2 * MIB, &host, 1) == TARN_OK;
        if (good || bad) memset((void *)(uintptr_t)addr, 1, 64);
    }
    if (mapped) (void)tarn_unmap(addr, 2 * MIB, 0);
    (void)tarn_phys_release(phys);
    if (addr != 0) (void)tarn_space_release(addr);
    return good || complain("mapping");
}

// Mistake 3: nobody looks whether the copy was made, and the loop waits for its result for ever.
static bool wait_for_copy(bool bad) {
    tarn_addr addr = 0;
    volatile char result[64] = {0};
    bool good = tarn_memory_alloc(device, MIB, &addr) == TARN_OK &&
                tarn_fill(device, addr, 7, 1, MIB, 0) == TARN_OK;
    if (good) {
        good = tarn_copy(device, TARN_ADDR(result), addr, sizeof result, 0) == TARN_OK;
        while (bad && result[0] != 7)
            ;
    }
    (void)tarn_memory_free(addr, 0);
    return good || complain("copy");
}

int main(int argc, char **argv) {
    bool bad = argc > 1 && strcmp(argv[1], "bad") == 0;
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK)
        return complain("open"), 1;
    bool good = two_blocks(bad) && write_mapping(bad) && wait_for_copy(bad);
    return tarn_device_close(device) == TARN_OK && good ? 0 : 1;
}
