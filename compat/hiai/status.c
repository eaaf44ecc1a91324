// SPDX-License-Identifier: Apache-2.0
// The names of statuses: constants.
#include <hiaiengine/hiaix.h>

const char *HIAIX_StatusStr(HIAI_StatusT status) {
    switch (status) {
#define NAME_OF(name)                                                                              \
    case name:                                                                                     \
        return #name;
        HIAIX_STATUS_LIST(NAME_OF)
#undef NAME_OF
    default:
        return "unknown status";
    }
}
