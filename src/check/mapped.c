// SPDX-License-Identifier: Apache-2.0
// Reads /proc/self/maps, which is sorted by address.
#include "check/mapped.h"

#include <stdio.h>
#include <string.h>

bool tn_check_is_mapped(uint64_t lo, uint64_t hi) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return true;
    char line[512];
    unsigned long long from = 0;
    unsigned long long to = 0;
    while (lo < hi && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%llx-%llx", &from, &to) == 2 && from <= lo && lo < to) lo = to;
    (void)fclose(maps);
    return lo >= hi;
}

bool tn_check_is_usable(uint64_t address) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], rights[8] = "";
    unsigned long long from = 0;
    unsigned long long to = 0;
    bool usable = maps == NULL;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL && from <= address && !usable) {
        usable = sscanf(line, "%llx-%llx %7s", &from, &to, rights) == 3 && from <= address &&
                 address < to && strncmp(rights, "---", 3) != 0;
    }
    if (maps != NULL) (void)fclose(maps);
    return usable;
}
