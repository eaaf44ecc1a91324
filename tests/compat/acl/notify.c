// SPDX-License-Identifier: Apache-2.0
// Notifies within a process and between processes.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/work.h"

static aclrtStream recorder;
static aclrtStream waiter;
static aclrtNotify notify;

static int with_notify(void **state) {
    (void)state;
    return aclrtSetDevice(0) != 0 || aclrtCreateStream(&recorder) != 0 ||
           aclrtCreateStream(&waiter) != 0 || aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT) != 0;
}

static int without_notify(void **state) {
    (void)state;
    return aclrtDestroyNotify(notify) != 0 || aclrtDestroyStream(recorder) != 0 ||
           aclrtDestroyStream(waiter) != 0 || aclrtResetDevice(0) != 0;
}

static bool is_blocked(void) {
    return aclrtSynchronizeStreamWithTimeout(waiter, 20) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

static void record(void) {
    assert_acl_ok(aclrtRecordNotify(notify, recorder));
    assert_acl_ok(aclrtSynchronizeStream(recorder));
}

// ---- one process

static void one_record_lets_one_wait_pass(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0));
    assert_acl_ok(aclrtLaunchHostFunc(recorder, pass_gate, &gate));
    assert_acl_ok(aclrtRecordNotify(notify, recorder));
    assert_true(is_blocked());
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0));
    assert_true(is_blocked());
    record();
    assert_acl_ok(aclrtSynchronizeStream(waiter));
}

static void one_record_lets_one_of_several_waits_pass(void **state) {
    enum { WAITS = 8 };
    aclrtStream streams[WAITS];
    (void)state;
    for (int i = 0; i < WAITS; i++) {
        assert_acl_ok(aclrtCreateStream(&streams[i]));
        assert_acl_ok(aclrtWaitAndResetNotify(notify, streams[i], 0));
    }
    for (int records = 1; records <= WAITS; records++) {
        int passed = 0;
        record();
        while (passed < records) {
            passed = 0;
            for (int i = 0; i < WAITS; i++) {
                aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
                assert_acl_ok(aclrtStreamQuery(streams[i], &status));
                passed += status == ACL_STREAM_STATUS_COMPLETE;
            }
        }
        assert_int_equal(passed, records);
    }
    for (int i = 0; i < WAITS; i++) assert_acl_ok(aclrtDestroyStream(streams[i]));
}

static void two_records_are_one_and_a_wait_expires(void **state) {
    aclrtStream stream = NULL;
    (void)state;
    record();
    record();
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 1));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 1));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Returns how long a wait of one second takes that begins just after the clock showed a whole second.
static int64_t expiry_of_a_second(void) {
    aclrtStream stream = NULL;
    assert_acl_ok(aclrtCreateStream(&stream));
    (void)usleep((useconds_t)((1000000000 - now_ns() % 1000000000) / 1000 + 1000));
    const int64_t before = now_ns();
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 1));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
    const int64_t after = now_ns();
    assert_acl_ok(aclrtDestroyStream(stream));
    return after - before;
}

// A busy machine may add to the time, but not at every try.
static void wait_of_a_second_does_not_take_two(void **state) {
    int64_t shortest = INT64_MAX;
    (void)state;
    for (int i = 0; i < 20 && shortest > 1500000000; i++) {
        const int64_t spent = expiry_of_a_second();
        shortest = spent < shortest ? spent : shortest;
    }
    assert_in_range(shortest, 1000000000, 1500000000);
}

static void a_batch_is_reset(void **state) {
    aclrtNotify batch[2] = {notify, NULL};
    (void)state;
    record();
    assert_acl(aclrtNotifyBatchReset(batch, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyBatchReset(batch, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0)); // the refusals have reset nothing
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_acl_ok(aclrtCreateNotify(&batch[1], ACL_NOTIFY_DEVICE_USE_ONLY));
    record();
    assert_acl_ok(aclrtNotifyBatchReset(batch, 2));
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0));
    assert_true(is_blocked());
    record();
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_acl_ok(aclrtDestroyNotify(batch[1]));
    assert_acl(aclrtNotifyBatchReset(batch, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyBatchReset(NULL, 2), ACL_ERROR_INVALID_PARAM);
}

static void notifies_have_different_numbers(void **state) {
    aclrtNotify other = NULL;
    uint32_t ids[2] = {0, 0};
    (void)state;
    assert_acl_ok(aclrtCreateNotify(&other, 0));
    assert_acl_ok(aclrtGetNotifyId(notify, &ids[0]));
    assert_acl_ok(aclrtGetNotifyId(other, &ids[1]));
    assert_int_not_equal(ids[0], ids[1]);
    assert_acl(aclrtGetNotifyId(notify, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyNotify(other));
    assert_acl(aclrtDestroyNotify(other), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtGetNotifyId(other, &ids[1]), ACL_ERROR_RT_PARAM_INVALID);
}

static void a_device_has_8192_notifies(void **state) {
    enum { ALL = 8192 };
    aclrtNotify *all = calloc(ALL, sizeof *all);
    int made = 0;
    (void)state;
    assert_non_null(all);
    aclError error = 0;
    while (made < ALL && (error = aclrtCreateNotify(&all[made], 0)) == 0) made++;
    assert_int_equal(made, ALL - 1); // and that of the test
    assert_int_equal(error, ACL_ERROR_RT_NO_NOTIFY_RESOURCE);
    while (made > 0) assert_acl_ok(aclrtDestroyNotify(all[--made]));
    free(all);
}

static void bad_arguments_are_refused(void **state) {
    aclrtNotify other = NULL;
    (void)state;
    assert_acl(aclrtCreateNotify(NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateNotify(&other, 0x100), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtRecordNotify(NULL, recorder), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtWaitAndResetNotify(NULL, waiter, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtRecordNotify(notify, &other), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtDestroyNotify(NULL), ACL_ERROR_INVALID_PARAM);
    assert_null(other);
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtRecordNotify(notify, NULL)); // any device may
    assert_acl(aclrtWaitAndResetNotify(notify, NULL, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtResetDevice(0));
}

// ---- keys

static void keys_and_their_flags_are_checked(void **state) {
    aclrtNotify other = NULL;
    char key[65] = "";
    char again[80] = "";
    int32_t pids[2] = {1, 0};
    (void)state;
    assert_acl(aclrtNotifySetImportPid(notify, pids, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyGetExportKey(notify, key, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyGetExportKey(notify, key, 65, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyGetExportKey(notify, NULL, 65, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtNotifyGetExportKey(NULL, key, 65, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtNotifyGetExportKey(notify, key, sizeof key, 0));
    assert_acl_ok(aclrtNotifyGetExportKey(notify, again, sizeof again, 2));
    assert_string_equal(key, again);
    assert_acl_ok(aclrtNotifySetImportPid(notify, pids, 1));
    assert_acl(aclrtNotifySetImportPid(notify, pids, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifySetImportPid(notify, pids, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifySetImportPid(notify, NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtNotifyImportByKey(&other, key, 4), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyImportByKey(NULL, key, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtNotifyImportByKey(&other, NULL, 0), ACL_ERROR_INVALID_PARAM);
    key[strlen(key) - 1] ^= 1;
    assert_acl(aclrtNotifyImportByKey(&other, key, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyImportByKey(&other, "", 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtNotifyImportByKey(&other, "notify-1-1-0000000000000000", 0),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_null(other);
}

static void an_own_key_makes_a_second_notify_for_the_bit(void **state) {
    aclrtNotify second = NULL;
    char key[65];
    (void)state;
    record(); // stays set when the bit moves to where others can reach it
    assert_acl_ok(aclrtNotifyGetExportKey(notify, key, sizeof key, 0));
    assert_acl_ok(aclrtNotifyImportByKey(&second, key, 0));
    assert_acl_ok(aclrtWaitAndResetNotify(second, waiter, 0));
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_acl_ok(aclrtWaitAndResetNotify(second, waiter, 0));
    assert_true(is_blocked());
    record();
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_acl_ok(aclrtDestroyNotify(second));
}

// ---- two processes

struct request {
    char key[65];
    int32_t device;
    uint64_t flags;
    bool wait; // else record
};

// Answers a request in a process of its own.
static aclError answer(const struct request *request) {
    aclrtNotify imported = NULL;
    char key[65];
    aclError error = aclrtSetDevice(request->device);
    if (error == 0) error = aclrtNotifyImportByKey(&imported, request->key, request->flags);
    if (error == 0 && aclrtNotifyGetExportKey(imported, key, sizeof key, 2) == 0)
        error = -1; // only the process that made a notify exports it
    if (error == 0) {
        error = request->wait ? aclrtWaitAndResetNotify(imported, NULL, 0)
                              : aclrtRecordNotify(imported, NULL);
    }
    if (error == 0) error = aclrtSynchronizeStream(NULL);
    if (imported != NULL && aclrtDestroyNotify(imported) != 0) error = -1;
    return error;
}

static int to_partner[2];
static int from_partner[2];
static pid_t partner;

static int hire_partner(void **state) {
    if (work_group_setup(state) != 0 || pipe(to_partner) != 0 || pipe(from_partner) != 0) return -1;
    partner = fork();
    if (partner == 0) {
        struct request request;
        (void)close(to_partner[1]);
        while (read(to_partner[0], &request, sizeof request) == (ssize_t)sizeof request) {
            aclError error = answer(&request);
            if (write(from_partner[1], &error, sizeof error) != (ssize_t)sizeof error) _exit(1);
        }
        _exit(0);
    }
    return partner > 0 ? 0 : -1;
}

static int dismiss_partner(void **state) {
    int status = 0;
    (void)state;
    (void)close(to_partner[1]);
    return waitpid(partner, &status, 0) == partner && status == 0 ? 0 : -1;
}

static void ask(const struct request *request) {
    assert_int_equal(write(to_partner[1], request, sizeof *request), sizeof *request);
}

static aclError hear(void) {
    aclError error = -1;
    assert_int_equal(read(from_partner[0], &error, sizeof error), sizeof error);
    return error;
}

static void a_record_of_another_process_lets_a_wait_pass(void **state) {
    struct request request = {.flags = ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS, .device = 1};
    (void)state;
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0));
    assert_true(is_blocked());
    assert_acl_ok(aclrtNotifyGetExportKey(notify, request.key, sizeof request.key,
                                          ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    ask(&request);
    assert_int_equal(hear(), 0);
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    request.device = 0;
    request.wait = true;
    ask(&request);
    record();
    assert_int_equal(hear(), 0);
}

static void another_process_waits_on_the_device_of_the_notify(void **state) {
    struct request request = {.device = 1, .wait = true};
    (void)state;
    assert_acl_ok(aclrtNotifyGetExportKey(notify, request.key, sizeof request.key, 2));
    ask(&request);
    assert_int_equal(hear(), ACL_ERROR_RT_PARAM_INVALID);
}

static void only_listed_processes_import(void **state) {
    struct request request = {.device = 0};
    int32_t pids[2] = {getpid(), partner};
    (void)state;
    assert_acl_ok(aclrtNotifyGetExportKey(notify, request.key, sizeof request.key, 0));
    ask(&request);
    assert_int_equal(hear(), ACL_ERROR_RT_NO_PERMISSION);
    assert_acl_ok(aclrtNotifySetImportPid(notify, &pids[0], 1));
    ask(&request);
    assert_int_equal(hear(), ACL_ERROR_RT_NO_PERMISSION);
    assert_acl_ok(aclrtNotifySetImportPid(notify, &pids[1], 1)); // beside the first
    ask(&request);
    assert_int_equal(hear(), 0);
    assert_acl_ok(aclrtWaitAndResetNotify(notify, waiter, 0));
    assert_acl_ok(aclrtSynchronizeStream(waiter));
}

static void a_key_ends_with_its_notify(void **state) {
    struct request request = {.device = 0};
    aclrtNotify other = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateNotify(&other, 0));
    assert_acl_ok(aclrtNotifyGetExportKey(other, request.key, sizeof request.key, 2));
    request.key[strlen(request.key) - 1] ^= 1; // a key of another notify, at the same descriptor
    ask(&request);
    assert_int_equal(hear(), ACL_ERROR_RT_PARAM_INVALID);
    request.key[strlen(request.key) - 1] ^= 1;
    assert_acl_ok(aclrtDestroyNotify(other));
    ask(&request);
    assert_int_equal(hear(), ACL_ERROR_RT_PARAM_INVALID);
}

int main(void) {
#define WITH_NOTIFY(test) cmocka_unit_test_setup_teardown(test, with_notify, without_notify)
    const struct CMUnitTest tests[] = {
        WITH_NOTIFY(one_record_lets_one_wait_pass),
        WITH_NOTIFY(one_record_lets_one_of_several_waits_pass),
        WITH_NOTIFY(two_records_are_one_and_a_wait_expires),
        WITH_NOTIFY(wait_of_a_second_does_not_take_two),
        WITH_NOTIFY(a_batch_is_reset),
        WITH_NOTIFY(notifies_have_different_numbers),
        WITH_NOTIFY(a_device_has_8192_notifies),
        WITH_NOTIFY(bad_arguments_are_refused),
        WITH_NOTIFY(keys_and_their_flags_are_checked),
        WITH_NOTIFY(an_own_key_makes_a_second_notify_for_the_bit),
        WITH_NOTIFY(a_record_of_another_process_lets_a_wait_pass),
        WITH_NOTIFY(another_process_waits_on_the_device_of_the_notify),
        WITH_NOTIFY(only_listed_processes_import),
        WITH_NOTIFY(a_key_ends_with_its_notify),
    };
    return cmocka_run_group_tests(tests, hire_partner, dismiss_partner);
}
