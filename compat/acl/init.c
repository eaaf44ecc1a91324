// SPDX-License-Identifier: Apache-2.0
// The start and end of AscendCL in a process, its configuration, its versions and the name of the
// chip. No other function depends on the start, as in the real library. The lock guards the state
// of the file.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/init.h>

#include "compat/acl/face.h"
#include "compat/acl/fork.h"
#include "compat/acl/json.h"
#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"

#define CONFIG_BYTES (1 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t count; // starts without an end
static bool was_started;
static char *config; // of the first start; NULL means the defaults

// A child of fork() begins without starts and without a configuration.
static void forget_start(void) {
    free(config);
    config = NULL;
    count = 0;
    was_started = false;
}
TN_FACE_ON_FORK(TN_ACL_LOCK_INIT, &lock, forget_start);

// ---- configuration

// Reads the configuration without its insignificant white space. *text becomes NULL if it equals
// the defaults.
static aclError read_config(const char *path, char **text) {
    aclError error = ACL_SUCCESS;
    size_t bad = 0;
    *text = NULL;
    if (path == NULL) return ACL_SUCCESS;
    FILE *file = fopen(path, "re");
    TN_ACL_REFUSE(file == NULL, ACL_ERROR_INVALID_FILE, "%s cannot be opened: error %d", path,
                  errno);
    char *bytes = (char *)malloc(CONFIG_BYTES + 2);
    size_t size = bytes != NULL ? fread(bytes, 1, CONFIG_BYTES + 1, file) : 0;
    if (bytes == NULL)
        error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory to read %s", path);
    else if (ferror(file))
        error = tn_acl_fail(ACL_ERROR_INVALID_FILE, "%s cannot be read", path);
    else if (size > CONFIG_BYTES)
        error =
            tn_acl_fail(ACL_ERROR_INVALID_FILE, "%s is longer than %d bytes", path, CONFIG_BYTES);
    else if (!tn_acl_json_object(bytes, size, &bad))
        error =
            tn_acl_fail(ACL_ERROR_PARSE_FILE, "%s is not a JSON object, see byte %zu", path, bad);
    else if (strcmp(bytes, "{}") != 0 && (*text = strdup(bytes)) == NULL)
        error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory to keep %s", path);
    free(bytes);
    (void)fclose(file);
    return error;
}

// ---- starting and ending

TN_ACL_FUNCTION(aclInit, const char *, configPath) {
    TN_FACE_UNCANCELLED;
    char *text = NULL;
    TN_ACL_TRY(tn_acl_open());
    TN_FACE_LOCKED(&lock);
    if (count > 0 || (was_started && tn_acl_face.generation == 1)) {
        count += count > 0 ? 1 : 0;
        return tn_acl_fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit() again, which is harmless");
    }
    TN_ACL_TRY(read_config(configPath, &text));
    if (!was_started) {
        config = text;
    } else {
        bool same = text == NULL || config == NULL ? text == config : strcmp(text, config) == 0;
        free(text);
        TN_ACL_ARGUMENT(!same, "%s differs from that of the first aclInit()",
                        configPath != NULL ? configPath : "the default configuration");
    }
    was_started = true;
    count = 1;
    return ACL_SUCCESS;
}

// Ends one start, or all of them.
static aclError end_starts(bool all, uint64_t *left) {
    TN_FACE_LOCKED(&lock);
    if (count == 0 && left != NULL) *left = 0;
    if (count == 0 && all && !was_started) return ACL_SUCCESS;
    TN_ACL_REFUSE(count == 0, ACL_ERROR_REPEAT_FINALIZE,
                  was_started ? "AscendCL was finalized before" : "aclInit() was not called");
    TN_FACE_DIFFERS(finalize_counts, all && count > 1);
    count = all ? 0 : count - 1;
    if (left != NULL) *left = count;
    return ACL_SUCCESS;
}

aclError aclFinalize(void) { return TN_ACL_CALL(end_starts(true, NULL)); }

TN_ACL_ROW(aclFinalizeReference, TN_FACE_EXPRESSION(end_starts(false, refCount)), uint64_t *,
           refCount)

// ---- versions and the chip

TN_ACL_FUNCTION(aclrtGetVersion, int32_t *, majorVersion, int32_t *, minorVersion, int32_t *,
                patchVersion) {
    TN_ACL_POINTERS(majorVersion, minorVersion);
    TN_ACL_POINTER(patchVersion);
    TN_ACL_TRY(tn_acl_open());
    *majorVersion = 1;
    *minorVersion = tn_acl_face.generation == 1 ? 13 : 17;
    *patchVersion = 0;
    return ACL_SUCCESS;
}

// Returns a chip whose memory behaves as configured: Ascend 950 does not pad, and Ascend 310B runs
// programs itself.
const char *aclrtGetSocName(void) {
    if (tn_acl_open() != ACL_SUCCESS) return NULL;
    TN_FACE_DIFFERS(chip_name, true);
    if (tn_acl_face.padding == 0) return "Ascend950";
    return tn_acl_face.rc ? "Ascend310B1" : "Ascend910B1";
}

// ---- the last error

static aclError last_error(aclrtLastErrLevel level, bool forget) {
    return level == ACL_RT_THREAD_LEVEL
               ? tn_acl_last_error(forget)
               : tn_acl_fail(ACL_ERROR_INVALID_PARAM, "flag %d is not 0", (int)level);
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel flag) { return last_error(flag, false); }

aclError aclrtGetLastError(aclrtLastErrLevel flag) { return last_error(flag, true); }
