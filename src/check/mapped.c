// SPDX-License-Identifier: Apache-2.0
// Reads /proc/self/maps, which is sorted by address.
#include "check/mapped.h"

#include <stdio.h>

bool tn_check_is_mapped(uint64_t lo, uint64_t hi) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return true;
    }
    char line[512];
    unsigned long long from = 0;
    unsigned long long to = 0;
    while (lo < hi && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%llx-%llx", &from, &to) == 2 && from <= lo && lo < to) {
            lo = to;
        }
    }
    (void)fclose(maps);
    return lo >= hi;
}
