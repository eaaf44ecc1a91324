// SPDX-License-Identifier: Apache-2.0
// Options of the software device: their sources, refused values, and the settings of the platform.
#include "setup.h"

#include <sys/resource.h>
#include <sys/wait.h>

static const char *setting_of(void *p, const char *key, const char **source) {
    tarn_setting setting;
    for (unsigned i = 0; ops->setting(p, i, &setting) == TARN_OK; i++) {
        assert_true(setting.help[0] != '\0');
        if (strcmp(setting.key, key) == 0) {
            *source = setting.source;
            return setting.value;
        }
    }
    fail_msg("there is no setting %s", key);
    return NULL;
}

static void expect_setting(void *p, const char *key, const char *value, const char *source) {
    const char *from = NULL;
    assert_string_equal(setting_of(p, key, &from), value);
    assert_string_equal(from, source);
}

static void defaults_are_as_documented(void **state) {
    void *p = open_host("");
    tarn_backend_caps caps = {.struct_size = sizeof caps};
    (void)state;
    assert_int_equal(ops->device_count(p), 2);
    expect_ok(ops->caps(p, 1, &caps));
    assert_int_equal(caps.memory_bytes, 16 * GB);
    assert_int_equal(caps.granularity_minimum, 4 * KB);
    assert_int_equal(caps.granularity_recommended, 2 * MB);
    assert_int_equal(caps.shareable, TARN_SHAREABLE_FD | TARN_SHAREABLE_TOKEN);
    assert_int_equal(caps.caps, TARN_CAP_SPANS);
    assert_true((caps.features & TARN_FEATURE_VMM) != 0);
    assert_true((caps.features & TARN_FEATURE_PEER) != 0);
    assert_true((caps.features & TARN_FEATURE_VIRTUAL_TIME) == 0);
    expect_setting(p, "access", "on-grant", "default");
    expect_setting(p, "memory", "16G", "default");
    close_host(p);
}

static void the_name_wins_over_the_environment(void **state) {
    (void)state;
    assert_int_equal(setenv("TARN_HOST", "memory=1G,devices=5", 1), 0);
    void *p = open_host("memory=2G,access=strict");
    assert_int_equal(ops->device_count(p), 5);
    expect_setting(p, "memory", "2G", "uri");
    expect_setting(p, "access", "strict", "uri");
    expect_setting(p, "devices", "5", "environment");
    expect_setting(p, "pages", "default", "default");
    assert_int_equal(free_bytes(p, 4), 2 * GB);
    close_host(p);
    assert_int_equal(setenv("TARN_HOST", "memory=nonsense", 1), 0);
    void *none = NULL;
    expect_status(ops->platform_open("", &none), TARN_BAD_CONFIG);
    assert_null(none);
    assert_int_equal(unsetenv("TARN_HOST"), 0);
}

static void bad_options_are_refused_and_named(void **state) {
    static const char *const bad[] = {
        "devices=0",
        "devices=16",
        "memory=1",
        "memory=1Q",
        "granularity=3K",
        "granularity=1",
        "recommended=5M",
        "access=sometimes",
        "pages=small",
        "poison=256",
        "poison=-1",
        "workers=x",
        "colour=red",
        "memory",
        "memory=1G,memory=2G",
        ",",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        void *p = NULL;
        tarn_error error;
        tarn_status status = ops->platform_open(bad[i], &p);
        if (status != TARN_BAD_CONFIG)
            fail_msg("\"%s\" gives %s", bad[i], tarn_status_name(status));
        assert_null(p);
        (void)tarn_last_error(&error);
        assert_true(strlen(error.message) > 10);
    }
}

static void a_coarse_platform_is_coarse(void **state) {
    void *p = open_host("granularity=2M,recommended=2M,devices=1");
    tarn_backend_caps caps = {.struct_size = sizeof caps};
    tarn_addr addr = 0;
    tarn_addr memory = 0;
    (void)state;
    expect_ok(ops->caps(p, 0, &caps));
    assert_int_equal(caps.granularity_minimum, 2 * MB);
    assert_int_equal(caps.features & TARN_FEATURE_PEER, 0);
    expect_ok(ops->reserve(p, 6 * MB, 0, 0, &addr));
    assert_int_equal(addr % (2 * MB), 0);
    expect_ok(ops->memory_alloc(p, 0, 1, &memory));
    assert_int_equal(memory % (2 * MB), 0);
    assert_int_equal(free_bytes(p, 0), 16 * GB - 2 * MB);
    ops->memory_free(p, 0, memory);
    ops->release(p, addr, 6 * MB);
    close_host(p);
    p = open_host("granularity=4M"); // the recommended unit follows
    expect_ok(ops->caps(p, 0, &caps));
    assert_int_equal(caps.granularity_recommended, 4 * MB);
    expect_setting(p, "recommended", "4194304", "default"); // and says so
    close_host(p);
}

// Writing beyond this limit would raise a signal; it must be an error.
static void a_limit_of_file_sizes_is_an_error_and_not_a_signal(void **state) {
    int status = -1;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {1 << 20, 1 << 20};
        void *p = NULL;
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        _exit(ops->platform_open("", &p) == TARN_SYSTEM ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void fifteen_devices_have_rights_of_their_own(void **state) {
    void *p = open_host("devices=15");
    tarn_addr addr = reserve(p, MB);
    tarn_backend_phys phys = create(p, 7, MB);
    char bytes[4];
    (void)state;
    expect_ok(try_map(p, addr, MB, phys));
    expect_ok(grant(p, addr, MB, 14, TARN_ACCESS_READ));
    expect_ok(engine_read(p, 14, addr, bytes, 4));
    expect_status(engine_read(p, 13, addr, bytes, 4), TARN_NO_ACCESS);
    expect_status(engine_write(p, 14, addr, bytes, 4), TARN_NO_ACCESS);
    assert_string_equal(kernel_rights(addr), "r--");
    expect_ok(ops->unmap(p, addr, MB));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, MB);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(the_name_wins_over_the_environment),
        cmocka_unit_test(bad_options_are_refused_and_named),
        cmocka_unit_test(a_coarse_platform_is_coarse),
        cmocka_unit_test(a_limit_of_file_sizes_is_an_error_and_not_a_signal),
        cmocka_unit_test(fifteen_devices_have_rights_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
