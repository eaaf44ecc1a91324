// SPDX-License-Identifier: Apache-2.0
// The log on standard error: failures with their reason, and warnings.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/bytes.h"

// Sends standard error to a file, runs `body`, and returns the text for free().
static char *log_of(void (*body)(void)) {
    char *text = calloc(1, 4096);
    int usual = dup(STDERR_FILENO);
    int file = memfd_create("log", 0);
    assert_non_null(text);
    assert_true(usual >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    body();
    assert_true(dup2(usual, STDERR_FILENO) >= 0);
    assert_true(pread(file, text, 4095, 0) >= 0);
    (void)close(file);
    (void)close(usual);
    return text;
}

static void free_nothing(void) {
    (void)aclrtFree((void *)(uintptr_t)64);
    (void)aclrtFree(NULL);
}

static void failing(void *wants_log) {
    char *text = log_of(free_nothing);
    if (wants_log == NULL) {
        assert_string_equal(text, "");
    } else {
        assert_non_null(strstr(text, "tarn: aclrtFree: 107000: "));
        assert_non_null(strstr(text, "0x40 is in no memory"));
        assert_non_null(strstr(text, "tarn: aclrtFree: 100000: "));
        assert_non_null(strstr(text, "the address to free is NULL\n"));
    }
    free(text);
}

static void a_failure_is_logged_on_request(void **state) {
    char yes = 1;
    (void)state;
    acl_in_child(failing, &yes, "TARN_ACL_LOG", "1", NULL);
    acl_in_child(failing, NULL, "TARN_ACL_LOG", "0", NULL);
}

static void copy_odd_bytes(void) {
    unsigned char *device = device_bytes(64, 1);
    unsigned char *pinned = pinned_bytes(64, 2);
    assert_acl_ok(aclrtMemcpyAsync(device + 1, 7, pinned + 3, 7, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device + 1, 7, 2);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
}

static void copying_odd_bytes(void *unused) {
    (void)unused;
    assert_acl_ok(aclrtSetDevice(0));
    char *text = log_of(copy_odd_bytes);
    assert_non_null(strstr(text, "tarn: aclrtMemcpyAsync: warning: "));
    assert_non_null(strstr(text, "is not a multiple of 64\n"));
    free(text);
    assert_acl_ok(aclrtResetDevice(0));
}

static void odd_addresses_are_a_warning(void **state) {
    (void)state;
    acl_in_child(copying_odd_bytes, NULL, "TARN_ACL_LOG", "1", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_logged_on_request),
        cmocka_unit_test(odd_addresses_are_a_warning),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
