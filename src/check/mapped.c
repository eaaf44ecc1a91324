// SPDX-License-Identifier: Apache-2.0
// Reads /proc/self/maps, which is sorted by address.
#include "check/mapped.h"

#include <stdio.h>
#include <string.h>

// Returns true if mappings cover all of [lo, hi): any, or only those with some access.
static bool is_covered(uint64_t lo, uint64_t hi, bool with_access) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return true;
    char line[512], rights[8];
    unsigned long long from = 0;
    unsigned long long to = 0;
    while (lo < hi && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%llx-%llx %7s", &from, &to, rights) == 3 && from <= lo && lo < to &&
            (!with_access || strncmp(rights, "---", 3) != 0))
            lo = to;
    (void)fclose(maps);
    return lo >= hi;
}

bool tn_check_is_mapped(uint64_t lo, uint64_t hi) { return is_covered(lo, hi, false); }

bool tn_check_is_usable(uint64_t address) { return is_covered(address, address + 1, true); }
