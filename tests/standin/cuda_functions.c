// SPDX-License-Identifier: Apache-2.0
// Gives the functions of this copy of the face to the library in front of it, by a function that no
// recorder knows and replaces.
#include <string.h>

#include "standin/cuda/exports.h"

typedef void (*function)(void);

__attribute__((visibility("default"))) function cuStandinFunction(const char *symbol);

function cuStandinFunction(const char *symbol) {
    static const struct {
        const char *symbol;
        function function;
    } rows[] = {
#define ROW(name, symbol, version) {#symbol, (function)symbol},
        TN_CU_BASE_LIST(ROW) TN_CU_VMM_LIST(ROW) TN_CU_POOL_LIST(ROW) TN_CU_MORE_LIST(ROW)
            TN_CU_LOADER_LIST(ROW){"cuDevicePrimaryCtxRelease",
                                   (function)cuDevicePrimaryCtxRelease},
        {"cuMemAlloc", (function)cuMemAlloc}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].symbol, symbol) == 0) return rows[i].function;
    return NULL;
}
