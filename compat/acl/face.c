// SPDX-License-Identifier: Apache-2.0
// See face.h.
#include "compat/acl/face.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/device.h>

#include "compat/acl/fork.h"
#include "compat/face/text.h"

#define TEXT 384

struct tn_acl_face tn_acl_face;

// UNOPENED until the first call; then what every later one is told.
enum { UNOPENED, READY, BROKEN };
static _Atomic(int) state;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static char broken_why[TEXT];

// The latest failure of a thread, and what aclGetRecentErrMsg() handed out of it.
struct texts {
    bool fresh;
    char text[TEXT];
    char told[TEXT];
};
_Static_assert(sizeof(struct texts) <= TN_FACE_TEXT, "both texts have room");

// NULL: no host memory.
static struct texts *self(void) {
    return (struct texts *)(void *)tn_face_text_room();
}

static _Thread_local aclError last; // code of a failure that aclrtGetLastError() has not told

// ---- configuration

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

static bool is_set(const char *name) {
    return strcmp(variable(name, "0"), "0") != 0;
}

static void configure(void) {
    tn_acl_face.generation = strcmp(variable("TARN_ACL_GENERATION", "2"), "1") == 0 ? 1 : 2;
    tn_acl_face.rc = strcmp(variable("TARN_ACL_MODE", "EP"), "RC") == 0;
    tn_acl_face.padding = strcmp(variable("TARN_ACL_PADDING", "32"), "0") == 0 ? 0 : 32;
    tn_acl_face.strict = is_set("TARN_ACL_STRICT");
    tn_acl_face.poison = is_set("TARN_ACL_POISON");
    tn_acl_face.log = is_set("TARN_ACL_LOG");
}

// On the device's own CPU its memory is in reach; on a host it is not.
static const char *device_name(void) {
    const char *otherwise = tn_acl_face.rc ? "host:0,devices=1,memory=4G,access=on-grant"
                                           : "host:0,devices=1,memory=4G,access=strict";
    return variable("TARN_ACL_DEVICE", variable("TARN_DEVICE", otherwise));
}

// ---- devices

static tarn_status add_device(tarn_device *any, int ordinal) {
    struct tn_acl_device *device = &tn_acl_face.devices[ordinal];
    *device = (struct tn_acl_device){.ordinal = ordinal};
    device->info.struct_size = sizeof device->info;
    tarn_status status = tarn_device_sibling(any, ordinal, &device->tarn);
    if (status == TARN_OK) {
        tn_acl_face.count++;
        status = tarn_device_query(device->tarn, &device->info);
    }
    return status;
}

static void close_devices(void) {
    while (tn_acl_face.count > 0) {
        (void)tarn_device_close(tn_acl_face.devices[--tn_acl_face.count].tarn);
    }
}

static int open_devices(void) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_device *any = NULL;
    tarn_status status = tarn_device_open(device_name(), &any);
    if (status == TARN_OK) {
        status = tarn_device_query(any, &info);
        for (int i = 0; i < info.device_count && i < TN_ACL_DEVICES && status == TARN_OK; i++) {
            status = add_device(any, i);
        }
        (void)tarn_device_close(any);
    }
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)snprintf(broken_why, sizeof broken_why, "%s", error.message);
        close_devices();
        return BROKEN;
    }
    return READY;
}

// ---- reports of stray accesses

// Whether the CPU may not touch device memory.
static bool is_strict(tarn_device *device) {
    tarn_setting setting;
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++) {
        if (strcmp(setting.key, "access") == 0) {
            return strcmp(setting.value, "strict") == 0;
        }
    }
    return false;
}

static bool is_handled(int signal_number) {
    struct sigaction now;
    return sigaction(signal_number, NULL, &now) != 0 || now.sa_handler != SIG_DFL;
}

// A program that handles such signals itself goes on to do so.
static void report_faults(void) {
    bool wanted = strcmp(variable("TARN_ACL_FAULT_REPORT", "1"), "0") != 0;
    if (wanted && tn_acl_face.count > 0 && is_strict(tn_acl_face.devices[0].tarn) &&
        !is_handled(SIGSEGV) && !is_handled(SIGBUS)) {
        (void)tarn_fault_install(NULL, NULL);
    }
}

static int open_once(void) {
    (void)pthread_mutex_lock(&opening);
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    if (now == UNOPENED) {
        configure();
        now = open_devices();
        report_faults();
        tn_acl_fork_watch();
        atomic_store_explicit(&state, now, memory_order_release);
    }
    (void)pthread_mutex_unlock(&opening);
    return now;
}

aclError tn_acl_open(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (__builtin_expect(now == UNOPENED, 0)) {
        now = open_once();
    }
    return now == READY ? ACL_SUCCESS : tn_acl_fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "%s", broken_why);
}

struct tn_acl_device *tn_acl_device(int32_t ordinal) {
    return ordinal >= 0 && ordinal < tn_acl_face.count ? &tn_acl_face.devices[ordinal] : NULL;
}

void tn_acl_face_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&opening);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        tn_acl_face.count = 0;
        atomic_store_explicit(&state, UNOPENED, memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&opening);
}

// ---- errors

static const char *text_of(aclError error) {
    switch (error) {
#define TEXT_OF(name, value, text)                                                                 \
    case value:                                                                                    \
        return text;
        ACL_ERROR_LIST(TEXT_OF)
#undef TEXT_OF
    default:
        return "unknown error";
    }
}

aclError tn_acl_fail(aclError error, const char *format, ...) {
    struct texts *texts = self();
    if (texts != NULL) {
        va_list arguments;
        int used = snprintf(texts->text, sizeof texts->text, "%d: %s: ", error, text_of(error));
        va_start(arguments, format);
        (void)vsnprintf(texts->text + used, sizeof texts->text - (size_t)used, format, arguments);
        va_end(arguments);
        texts->fresh = true;
    }
    return error;
}

aclError tn_acl_last_error(bool forget) {
    aclError error = last;
    if (forget) {
        last = ACL_SUCCESS;
    }
    return error;
}

aclError tn_acl_leave(aclError error, const char *function) {
    if (error != ACL_SUCCESS && error != ACL_ERROR_REPEAT_INITIALIZE) {
        last = error;
    }
    if (__builtin_expect(error != ACL_SUCCESS && tn_acl_face.log, 0)) {
        const struct texts *texts = self();
        bool told = texts != NULL && texts->fresh;
        fprintf(stderr, "tarn: %s: %s\n", function, told ? texts->text : text_of(error));
    }
    return error;
}

void tn_acl_warn(const char *function, const char *format, ...) {
    va_list arguments;
    char text[TEXT];
    if (!tn_acl_face.log) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "tarn: %s: warning: %s\n", function, text);
}

static aclError code_of(tarn_status status, aclError rejected) {
    switch (status) {
    case TARN_OK:
        return ACL_SUCCESS;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS:
        return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
    case TARN_BAD_DEVICE:
        return ACL_ERROR_RT_INVALID_DEVICEID;
    case TARN_UNSUPPORTED:
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case TARN_DEVICE_FAULT:
    case TARN_SYSTEM:
    case TARN_NATIVE:
    case TARN_CORRUPT:
        return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    default:
        return rejected;
    }
}

aclError tn_acl_from(tarn_status status, aclError rejected) {
    tarn_error error;
    aclError code = code_of(status, rejected);
    if (code != ACL_SUCCESS) {
        (void)tarn_last_error(&error);
        (void)tn_acl_fail(code, "%s", error.message);
    }
    return code;
}

const char *aclGetRecentErrMsg(void) {
    struct texts *texts = self();
    if (texts == NULL || !texts->fresh) {
        return NULL;
    }
    texts->fresh = false;
    memcpy(texts->told, texts->text, sizeof texts->told);
    return texts->told;
}
