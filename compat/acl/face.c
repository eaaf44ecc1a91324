// SPDX-License-Identifier: Apache-2.0
// See face.h. A mutex serialises the first call. Each thread has its own texts and its own last
// error.
#include "compat/acl/face.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <acl/detail/device.h>
#include <tarn/fault.h>

#include "compat/acl/fork.h"
#include "compat/face/fidelity.h"
#include "compat/face/log.h"
#include "compat/face/scope.h"
#include "compat/face/text.h"
#include "compat/face/variable.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/memory/policy.h"

TN_FACE_LOG("TARN_ACL_LOG");

struct tn_acl_face tn_acl_face;

// A call that fails to open the devices leaves them closed, so that the next call tries again.
static _Atomic(bool) is_open;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

// The texts of a thread: that of its latest failure, and the last result of aclGetRecentErrMsg().
struct texts {
    char text[TN_RT_TEXT]; // first, where tn_rt_fail() writes it
    aclError error;        // of the text; 0: aclGetRecentErrMsg() has returned it
    char returned[TN_RT_TEXT + 64];
};
_Static_assert(sizeof(struct texts) <= TN_FACE_TEXT, "both texts have room");

static _Thread_local aclError last; // 0: none since aclrtGetLastError()

// ---- configuration

static aclError code_of(tarn_status status, aclError rejected) {
    switch (status) {
    case TARN_OK: return ACL_SUCCESS;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE: return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS: return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
    case TARN_BAD_DEVICE: return ACL_ERROR_RT_INVALID_DEVICEID;
    case TARN_UNSUPPORTED: return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case TARN_DEVICE_FAILED:
    case TARN_SYSTEM:
    case TARN_NATIVE:
    case TARN_CORRUPT: return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    default: return rejected;
    }
}

static tn_rt_error error_of(tarn_status status) {
    return (tn_rt_error)code_of(status, ACL_ERROR_RT_PARAM_INVALID);
}

// Reads it once in a process, because later calls read the values without the lock.
static void read_environment(void) {
    int pid = (int)getpid();
    if (tn_acl_face.pid == pid) return;
    TN_FACE_DIFFERS(fork, tn_acl_face.pid != 0);
    tn_acl_face.pid = pid;
    tn_acl_face.generation = (int)tn_variable_value("TARN_ACL_GENERATION", 1) + 1;
    tn_acl_face.rc = tn_variable_value("TARN_ACL_MODE", 0) != 0;
    tn_acl_face.padding = tn_variable_value("TARN_ACL_PADDING", 1) != 0 ? 32 : 0;
    tn_acl_face.strict = tn_variable_value("TARN_ACL_STRICT", 0) != 0;
    tn_acl_face.poison = tn_variable_value("TARN_ACL_POISON", 0) != 0;
    tn_rt_base_policy.error_of = error_of;
    tn_rt_memory_policy.pool_rule = (tarn_rule){512, 32, tn_acl_face.padding};
    tn_rt_memory_policy.pool_counts_padding = true;
    tn_rt_memory_policy.pool_closes_empty = true;
}

// ---- devices

// On a board that runs the program itself, the CPU reaches device memory. On a host it does not.
static aclError open_devices(void) {
    static const char visible[] = "ASCEND_RT_VISIBLE_DEVICES";
    const char *otherwise = tn_acl_face.rc ? "host:0,devices=1,memory=4G,access=on-grant"
                                           : "host:0,devices=1,memory=4G,access=strict";
    const char *name =
        tn_face_variable("TARN_ACL_DEVICE", tn_face_variable("TARN_DEVICE", otherwise));
    tarn_status status =
        tn_face_devices_open(&tn_acl_face.devices, TN_ACL_DEVICES, name,
                             tn_face_variable(visible, NULL) != NULL ? visible : NULL);
    aclError error = tn_acl_from(status, ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (error == ACL_SUCCESS) return ACL_SUCCESS;
    char reason[TN_RT_TEXT];
    tn_face_devices_refuse("TARN_ACL_DEVICE", status, reason, sizeof reason);
    tn_face_devices_close(&tn_acl_face.devices);
    if (error != ACL_ERROR_RT_MEMORY_ALLOCATION && error != ACL_ERROR_RT_RESOURCE_ALLOC_FAIL)
        error = ACL_ERROR_RT_DEV_SETUP_ERROR;
    return tn_acl_fail(error, "%s", reason);
}

// ---- reports of stray accesses

// Returns true if the CPU may not touch device memory.
static bool is_strict(tarn_device *device) {
    tarn_setting setting;
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++)
        if (strcmp(setting.key, "access") == 0) return strcmp(setting.value, "strict") == 0;
    return false;
}

static bool is_handled(int signal_number) {
    struct sigaction now;
    return sigaction(signal_number, NULL, &now) != 0 || now.sa_handler != SIG_DFL;
}

// A program that already handles these signals keeps its handlers.
static void install_fault_report(void) {
    if (tn_variable_value("TARN_ACL_FAULT_REPORT", 1) != 0 && tn_acl_face.devices.count > 0 &&
        is_strict(tn_acl_face.devices.of[0].tarn) && !is_handled(SIGSEGV) && !is_handled(SIGBUS))
        (void)tarn_fault_install(NULL, NULL);
}

static aclError open_once(void) {
    TN_FACE_LOCKED(&opening);
    if (atomic_load_explicit(&is_open, memory_order_relaxed)) return ACL_SUCCESS;
    char wrong[256];
    read_environment();
    if (!tn_face_variables_check(TN_FACE_NAME, wrong, sizeof wrong)) {
        tn_log_refusal(wrong);
        return tn_acl_fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "%s", wrong);
    }
    TN_ACL_TRY(open_devices());
    install_fault_report();
    tn_face_fork_install();
    atomic_store_explicit(&is_open, true, memory_order_release);
    return ACL_SUCCESS;
}

aclError tn_acl_open(void) {
    return __builtin_expect(atomic_load_explicit(&is_open, memory_order_acquire), 1) ? ACL_SUCCESS
                                                                                     : open_once();
}

aclError tn_acl_enter(int generation) {
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_UNSUPPORTED(tn_acl_face.generation < generation, "not supported in generation %d",
                       tn_acl_face.generation);
    return ACL_SUCCESS;
}

struct tn_face_device *tn_acl_device_of(int number) {
    return tn_face_device_of(&tn_acl_face.devices, number);
}

int tn_acl_ordinal_of(int number) {
    const struct tn_face_device *device = tn_acl_device_of(number);
    return device != NULL ? device->ordinal : -1;
}

aclError tn_acl_find_device(int64_t ordinal, struct tn_face_device **device) {
    struct tn_face_device *found = tn_face_device(&tn_acl_face.devices, ordinal);
    TN_ACL_REFUSE(found == NULL, ACL_ERROR_RT_INVALID_DEVICEID,
                  "device %lld does not exist, the number of devices is %d", (long long)ordinal,
                  tn_acl_face.devices.count);
    if (device != NULL) *device = found;
    return ACL_SUCCESS;
}

aclError tn_acl_open_device(int64_t ordinal, struct tn_face_device **device) {
    TN_ACL_TRY(tn_acl_open());
    return tn_acl_find_device(ordinal, device);
}

static void forget_devices(void) {
    tn_acl_face.devices.count = 0;
    atomic_store_explicit(&is_open, false, memory_order_relaxed);
}
TN_FACE_ON_FORK(TN_ACL_LOCK_FACE, &opening, forget_devices);

// ---- errors

// Returns NULL if no host memory is left.
static struct texts *thread_texts(void) { return (struct texts *)(void *)tn_face_text_room(); }

static const struct tn_face_code codes[] = {
#define CODE(name, value, text) {"ACL_ERROR_" #name, value, text},
    ACL_ERROR_LIST(CODE)
#undef CODE
};
#define CODES (sizeof codes / sizeof codes[0])

static const char *text_of(aclError error) {
    const struct tn_face_code *code = tn_rt_find_code(codes, CODES, error);
    return code != NULL ? code->text : "unknown error";
}

aclError tn_acl_set_error(aclError error) {
    struct texts *texts = thread_texts();
    if (texts != NULL) texts->error = error;
    return error;
}

aclError tn_acl_rt(tn_rt_error error) {
    switch (error) {
    case TN_RT_OK: return ACL_SUCCESS;
    case TN_RT_INVALID_VALUE: return tn_acl_set_error(ACL_ERROR_RT_PARAM_INVALID);
    case TN_RT_OUT_OF_MEMORY: return tn_acl_set_error(ACL_ERROR_BAD_ALLOC);
    case TN_RT_NOT_SUPPORTED: return tn_acl_set_error(ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    default: return tn_acl_set_error((aclError)error);
    }
}

aclError tn_acl_check_pointer(const void *pointer, const char *name) {
    return pointer != NULL ? ACL_SUCCESS : tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", name);
}

aclError tn_acl_last_error(bool forget) {
    aclError error = last;
    if (forget) last = ACL_SUCCESS;
    return error;
}

static void log_failure(aclError error, const char *function) {
    const struct texts *texts = thread_texts();
    bool has_text = texts != NULL && texts->error != 0;
    if (has_text) error = texts->error;
    char number[16], reason[TN_RT_TEXT + 64];
    (void)snprintf(number, sizeof number, "%d", error);
    (void)snprintf(reason, sizeof reason, "%s%s%s", text_of(error), has_text ? ": " : "",
                   has_text ? texts->text : "");
    tn_log_failure(function, number, reason);
}

aclError tn_acl_leave(aclError error, const char *function) {
    if (tn_face_counts())
        tn_face_fidelity_call(function, error, error != ACL_SUCCESS ? tn_rt_text() : "");
    if (error != ACL_SUCCESS && error != ACL_ERROR_REPEAT_INITIALIZE) last = error;
    if (__builtin_expect(error != ACL_SUCCESS, 0)) {
        tarn_annotate_caller(NULL);
        log_failure(error, function);
    }
    return error;
}

// Keeps Tarn's text for a code.
static aclError fail_as(aclError code) {
    tarn_error error;
    (void)tarn_last_error(&error);
    return tn_acl_fail(code, "%s", error.message);
}

aclError tn_acl_from(tarn_status status, aclError rejected) {
    aclError code = code_of(status, rejected);
    return code != ACL_SUCCESS ? fail_as(code) : ACL_SUCCESS;
}

aclError tn_acl_from_new(tarn_status status, aclError exhausted) {
    return status == TARN_NO_HANDLES ? fail_as(exhausted) : tn_acl_from(status, exhausted);
}

aclError tn_acl_inject(const char *function) {
    int code = 0;
    aclError error = tn_acl_driver(tn_face_inject(function, codes, CODES, &code));
    return code != 0 ? code : error;
}

const char *aclGetRecentErrMsg(void) {
    struct texts *texts = thread_texts();
    if (texts == NULL || texts->error == 0) return NULL;
    (void)snprintf(texts->returned, sizeof texts->returned, "%d: %s: %s", texts->error,
                   text_of(texts->error), texts->text);
    texts->error = 0;
    return texts->returned;
}
