// SPDX-License-Identifier: Apache-2.0
// The life of AscendCL in a process: how often it was started, with which configuration. Nothing
// depends on it: the real memory functions do not ask whether aclInit() was called either. Also who
// answers: versions and the name of the chip.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <acl/detail/init.h>

#include "compat/acl/face.h"
#include "compat/acl/fork.h"
#include "compat/acl/json.h"

#define CONFIG_BYTES (1 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static uint64_t count;
static bool was_started;
static char *config; // of the first start; NULL: the defaults

// ---- configuration

static aclError check_json(const char *path, char *text, size_t size) {
    size_t bad = 0;
    if (size > CONFIG_BYTES) {
        return tn_acl_fail(ACL_ERROR_INVALID_FILE, "%s is longer than %d bytes", path,
                           CONFIG_BYTES);
    }
    return tn_acl_json_object(text, size, &bad)
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_PARSE_FILE, "%s is no JSON object, see byte %zu", path, bad);
}

static aclError read_open(FILE *file, const char *path, char **text) {
    char *bytes = (char *)malloc(CONFIG_BYTES + 2);
    if (bytes == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory to read %s", path);
    }
    size_t size = fread(bytes, 1, CONFIG_BYTES + 1, file);
    aclError error = ferror(file) ? tn_acl_fail(ACL_ERROR_INVALID_FILE, "%s cannot be read", path)
                                  : check_json(path, bytes, size);
    if (error == ACL_SUCCESS && strcmp(bytes, "{}") != 0) {
        *text = strdup(bytes);
        error = *text != NULL ? ACL_SUCCESS
                              : tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory to keep %s", path);
    }
    free(bytes);
    return error;
}

// What a file says, without insignificant space; NULL for what equals the defaults.
static aclError read_config(const char *path, char **text) {
    *text = NULL;
    if (path == NULL) {
        return ACL_SUCCESS;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_FILE, "%s cannot be opened: error %d", path, errno);
    }
    aclError error = read_open(file, path, text);
    (void)fclose(file);
    return error;
}

static bool is_same(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

// ---- starting and ending

static aclError start(const char *path) {
    char *text = NULL;
    aclError error = read_config(path, &text);
    if (error == ACL_SUCCESS && was_started && !is_same(text, config)) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                            "%s says something else than at the first aclInit()",
                            path != NULL ? path : "no configuration");
    }
    if (error == ACL_SUCCESS && !was_started) {
        config = text;
        text = NULL;
    }
    if (error == ACL_SUCCESS) {
        was_started = true;
        count = 1;
    }
    free(text);
    return error;
}

static aclError start_again(void) {
    if (count > 0) {
        count++;
    }
    return tn_acl_fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit() again, which is harmless");
}

aclError aclInit(const char *configPath) {
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS) {
        (void)pthread_mutex_lock(&lock);
        bool again = count > 0 || (was_started && tn_acl_face.generation == 1);
        error = again ? start_again() : start(configPath);
        (void)pthread_mutex_unlock(&lock);
    }
    return tn_acl_leave(error, __func__);
}

// Under the lock.
static aclError check_started(void) {
    if (count > 0) {
        return ACL_SUCCESS;
    }
    return was_started ? tn_acl_fail(ACL_ERROR_REPEAT_FINALIZE, "finalized before")
                       : tn_acl_fail(ACL_ERROR_UNINITIALIZE, "there was no aclInit()");
}

aclError aclFinalize(void) {
    (void)pthread_mutex_lock(&lock);
    aclError error = check_started();
    count = 0;
    (void)pthread_mutex_unlock(&lock);
    return tn_acl_leave(error, __func__);
}

aclError aclFinalizeReference(uint64_t *refCount) {
    (void)pthread_mutex_lock(&lock);
    aclError error = check_started();
    if (error == ACL_SUCCESS) {
        count--;
        if (refCount != NULL) {
            *refCount = count;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return tn_acl_leave(error, __func__);
}

// A child of fork() begins anew, with what it inherited of the configuration forgotten.
void tn_acl_init_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        free(config);
        config = NULL;
        count = 0;
        was_started = false;
    }
    (void)pthread_mutex_unlock(&lock);
}

// ---- who answers

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion) {
    aclError error = majorVersion == NULL || minorVersion == NULL || patchVersion == NULL
                         ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                                       majorVersion == NULL   ? "majorVersion"
                                       : minorVersion == NULL ? "minorVersion"
                                                              : "patchVersion")
                         : tn_acl_open();
    if (error == ACL_SUCCESS) {
        *majorVersion = 1;
        *minorVersion = tn_acl_face.generation == 1 ? 13 : 17;
        *patchVersion = 0;
    }
    return tn_acl_leave(error, __func__);
}

// Chips whose memory behaves as configured: the padding tells Ascend 950, the mode a board that
// runs programs itself.
const char *aclrtGetSocName(void) {
    if (tn_acl_open() != ACL_SUCCESS) {
        return NULL;
    }
    if (tn_acl_face.padding == 0) {
        return "Ascend950";
    }
    return tn_acl_face.rc ? "Ascend310B1" : "Ascend910B1";
}

// ---- the last error

static aclError last_error(aclrtLastErrLevel level, bool forget) {
    if (level != ACL_RT_THREAD_LEVEL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "flag %d, only 0 is known", (int)level);
    }
    return tn_acl_last_error(forget);
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel flag) {
    return last_error(flag, false);
}

aclError aclrtGetLastError(aclrtLastErrLevel flag) {
    return last_error(flag, true);
}
