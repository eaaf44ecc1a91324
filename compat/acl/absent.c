// SPDX-License-Identifier: Apache-2.0
// Functions of AscendCL that programs link and that Tarn does not implement. A program that links
// them but never calls them runs. A call does nothing but fail with 207000 and a text that names
// the function. These functions do not read their arguments, so that they are defined without.
#include "compat/acl/absent_list.h"
#include "compat/acl/face.h"

static aclError refuse_absent(const char *function) {
    return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s() is not in this library", function);
}

#define ABSENT(name)                                                                               \
    ACL_FUNC_VISIBILITY aclError name(void);                                                       \
    aclError name(void) { return TN_ACL_CALL(refuse_absent(#name)); }

// A function that returns an object or a size. It returns NULL or 0, and aclrtGetLastError() has
// the code.
#define ABSENT_OBJECT(name)                                                                        \
    ACL_FUNC_VISIBILITY void *name(void);                                                          \
    void *name(void) { return (void)TN_ACL_CALL(refuse_absent(#name)), NULL; }

TN_ACL_ABSENT_LIST(ABSENT, ABSENT_OBJECT)
