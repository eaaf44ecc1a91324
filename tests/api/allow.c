// SPDX-License-Identifier: Apache-2.0
// Tokens and keys with lists of the processes that may import them. A partner process imports what
// it is sent and says how that went.
#include "support/api.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// What may be imported: a token, or a key when `is_key`.
struct ware {
    bool is_key;
    tarn_shareable exported;
    tarn_key key;
};

struct partner {
    pid_t pid;
    int to[2];
    int from[2];
};

// ---- the partner

// The bytes are read to see that they are the right ones.
static tarn_status import_token(tarn_device *device, const tarn_shareable *in) {
    tarn_phys phys = 0;
    tarn_status status = tarn_phys_import(device, in, &phys);
    if (status != TARN_OK) return status;
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_addr addr = 0;
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    if (tarn_phys_query(phys, &info) != TARN_OK || !info.imported ||
        tarn_space_reserve(device, info.bytes, 0, 0, &addr) != TARN_OK ||
        tarn_map(addr, info.bytes, phys) != TARN_OK || tarn_phys_release(phys) != TARN_OK ||
        tarn_map_set_access(addr, info.bytes, &grant, 1) != TARN_OK ||
        strcmp((char *)(uintptr_t)addr, "shared") != 0 ||
        tarn_unmap(addr, info.bytes, 0) != TARN_OK || tarn_space_release(addr) != TARN_OK)
        return TARN_CORRUPT;
    return TARN_OK;
}

static tarn_status import_key(tarn_device *device, const tarn_key *key) {
    tarn_addr addr = 0;
    tarn_status status = tarn_memory_import(device, key, &addr);
    if (status == TARN_OK && strcmp((char *)(uintptr_t)addr, "shared") != 0) return TARN_CORRUPT;
    return status == TARN_OK ? tarn_memory_free(addr, 0) : status;
}

static int partner_main(const struct partner *p) {
    tarn_device *device = api_open(0, "memory=64M"); // the inherited platform is the parent's
    struct ware ware;
    while (read(p->to[0], &ware, sizeof ware) == sizeof ware) {
        tarn_status status =
            ware.is_key ? import_key(device, &ware.key) : import_token(device, &ware.exported);
        if (write(p->from[1], &status, sizeof status) != sizeof status) return 1;
    }
    return tarn_platform_verify(device) == TARN_OK && tarn_device_close(device) == TARN_OK ? 0 : 2;
}

static struct partner hire(void) {
    struct partner p;
    assert_int_equal(pipe(p.to), 0);
    assert_int_equal(pipe(p.from), 0);
    p.pid = fork(); // before anything is allocated
    assert_true(p.pid >= 0);
    if (p.pid == 0) {
        (void)close(p.to[1]);
        _exit(partner_main(&p));
    }
    assert_int_equal(close(p.to[0]), 0);
    assert_int_equal(close(p.from[1]), 0);
    return p;
}

static tarn_status ask(const struct partner *p, const struct ware *ware) {
    tarn_status status = TARN_CORRUPT;
    assert_int_equal(write(p->to[1], ware, sizeof *ware), sizeof *ware);
    assert_int_equal(read(p->from[0], &status, sizeof status), sizeof status);
    return status;
}

static void dismiss(const struct partner *p) {
    int status = 0;
    assert_int_equal(close(p->to[1]), 0);
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    assert_int_equal(close(p->from[0]), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define assert_import(partner, ware, want)                                                         \
    api_assert_status(ask(partner, ware), want, "import by the partner", __FILE__, __LINE__)

// ---- what is exported

static tarn_phys create(struct api *api) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.shareable = TARN_SHAREABLE_TOKEN;
    assert_ok(tarn_phys_create(api->device, api->g, &desc, &phys));
    return phys;
}

static struct ware token_of(tarn_phys phys) {
    struct ware ware = {.is_key = false};
    assert_ok(tarn_phys_export(phys, TARN_SHAREABLE_TOKEN, &ware.exported));
    assert_int_equal(ware.exported.type, TARN_SHAREABLE_TOKEN);
    assert_true(ware.exported.token != 0);
    return ware;
}

static void write_text(struct api *api, tarn_phys phys) {
    tarn_addr addr = 0;
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &addr));
    assert_ok(tarn_map(addr, api->g, phys));
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    strcpy((char *)(uintptr_t)addr, "shared");
    api_unmap_all(addr, api->g);
}

static struct ware key_of(tarn_addr addr) {
    struct ware ware = {.is_key = true};
    assert_ok(tarn_memory_export(addr, &ware.key));
    return ware;
}

static tarn_status allow(struct api *api, const struct ware *ware, int pid) {
    return ware->is_key ? tarn_memory_allow(api->device, &ware->key, &pid, 1)
                        : tarn_phys_allow(api->device, &ware->exported, &pid, 1);
}

// ---- claims

static void a_token_is_good_for_those_it_was_allowed_to(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip(); // tokens of sim leave no process
    struct partner one = hire();
    struct partner two = hire();
    tarn_phys phys = create(api);
    write_text(api, phys);
    const struct ware ware = token_of(phys);
    assert_import(&one, &ware, TARN_NO_ACCESS);
    assert_ok(tarn_phys_allow(api->device, &ware.exported, NULL, 0));
    assert_ok(allow(api, &ware, 1));
    assert_import(&one, &ware, TARN_NO_ACCESS);
    assert_ok(allow(api, &ware, one.pid));
    assert_import(&one, &ware, TARN_OK);
    assert_import(&two, &ware, TARN_NO_ACCESS);
    assert_ok(allow(api, &ware, two.pid));
    assert_import(&two, &ware, TARN_OK);
    assert_import(&one, &ware, TARN_OK); // lists grow
    assert_ok(tarn_phys_release(phys));
    assert_import(&one, &ware, TARN_BAD_HANDLE); // it is gone
    assert_status(allow(api, &ware, one.pid), TARN_BAD_HANDLE);
    dismiss(&two); // it has an end of the other's pipe
    dismiss(&one);
}

static void everybody_is_a_process_too(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    struct partner partner = hire();
    tarn_phys phys = create(api);
    write_text(api, phys);
    const struct ware ware = token_of(phys);
    assert_ok(allow(api, &ware, TARN_PROCESS_ANY));
    assert_import(&partner, &ware, TARN_OK);
    assert_ok(allow(api, &ware, 1));
    assert_import(&partner, &ware, TARN_OK); // for good
    assert_ok(tarn_phys_release(phys));
    dismiss(&partner);
}

static void a_key_is_open_until_somebody_is_named(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    struct partner partner = hire();
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    strcpy((char *)(uintptr_t)addr, "shared");
    const struct ware ware = key_of(addr);
    assert_import(&partner, &ware, TARN_OK);
    assert_ok(tarn_memory_allow(api->device, &ware.key, NULL, 0)); // nobody
    assert_import(&partner, &ware, TARN_NO_ACCESS);
    assert_ok(allow(api, &ware, partner.pid));
    assert_import(&partner, &ware, TARN_OK);
    struct ware again = key_of(addr);
    assert_memory_equal(&again.key, &ware.key, sizeof again.key);
    assert_ok(allow(api, &ware, TARN_PROCESS_ANY));
    assert_import(&partner, &again, TARN_OK);
    assert_ok(tarn_memory_free(addr, 0));
    assert_import(&partner, &ware, TARN_BAD_HANDLE);
    dismiss(&partner);
}

static void the_exporter_needs_no_leave(void **state) {
    struct api *api = *state;
    tarn_phys phys = create(api);
    tarn_phys twin = 0;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    const struct ware token = token_of(phys);
    struct ware again = token_of(phys);
    assert_int_equal(again.exported.token, token.exported.token); // each time the same
    assert_ok(tarn_phys_import(api->device, &token.exported, &twin));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_phys_release(twin));
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    const struct ware key = key_of(addr);
    assert_ok(tarn_memory_allow(api->device, &key.key, NULL, 0));
    assert_ok(tarn_memory_import(api->device, &key.key, &other));
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

// A token of other memory would pass for this one once in millions of times.
static void forged_and_stale_tokens_are_refused(void **state) {
    struct api *api = *state;
    tarn_phys phys = create(api);
    tarn_phys twin = 7;
    struct ware ware = token_of(phys);
    const uint64_t good = ware.exported.token;
    for (int bit = 0; bit < 64; bit++) {
        ware.exported.token = good ^ (uint64_t)1 << bit;
        assert_status(tarn_phys_import(api->device, &ware.exported, &twin), TARN_BAD_HANDLE);
        tarn_status status = allow(api, &ware, 1);
        assert_true(status == TARN_BAD_HANDLE || status == TARN_NO_ACCESS);
    }
    ware.exported.token = 0;
    assert_status(tarn_phys_import(api->device, &ware.exported, &twin), TARN_BAD_HANDLE);
    ware.exported.token = UINT64_MAX;
    assert_status(tarn_phys_import(api->device, &ware.exported, &twin), TARN_BAD_HANDLE);
    ware.exported.token = good;
    assert_ok(tarn_phys_release(phys));
    assert_status(tarn_phys_import(api->device, &ware.exported, &twin), TARN_BAD_HANDLE);
    assert_int_equal(twin, 7);
    tarn_phys other = create(api); // in its place
    (void)token_of(other);
    assert_status(tarn_phys_import(api->device, &ware.exported, &twin), TARN_BAD_HANDLE);
    assert_ok(tarn_phys_release(other));
}

static void only_the_exporter_makes_lists(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    tarn_phys phys = create(api);
    const struct ware ware = token_of(phys);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tarn_device *device = api_open(0, "memory=64M");
        int self = getpid();
        bool refused = tarn_phys_allow(device, &ware.exported, &self, 1) == TARN_NO_ACCESS &&
                       tarn_phys_allow(api->device, &ware.exported, &self, 1) == TARN_FORKED;
        _exit(refused && tarn_device_close(device) == TARN_OK ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_ok(tarn_phys_release(phys));
}

static void a_list_is_full_at_512(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    int pids[513];
    tarn_phys phys = create(api);
    const struct ware ware = token_of(phys);
    for (int i = 0; i < 513; i++) pids[i] = i + 1;
    assert_status(tarn_phys_allow(api->device, &ware.exported, pids, 513), TARN_NO_HANDLES);
    assert_ok(tarn_phys_allow(api->device, &ware.exported, pids, 512)); // nothing was added before
    assert_ok(tarn_phys_allow(api->device, &ware.exported, pids, 512)); // nor twice
    assert_status(allow(api, &ware, 600), TARN_NO_HANDLES);
    assert_ok(allow(api, &ware, TARN_PROCESS_ANY));
    assert_ok(tarn_phys_release(phys));
}

static void bad_lists_are_refused(void **state) {
    struct api *api = *state;
    const int pids[] = {5, -1};
    tarn_key key = {{0}};
    tarn_addr addr = 0;
    tarn_phys phys = create(api);
    struct ware ware = token_of(phys);
    assert_status(tarn_phys_allow(NULL, &ware.exported, pids, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_allow(api->device, NULL, pids, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_allow(api->device, &ware.exported, NULL, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_allow(api->device, &ware.exported, pids, 2), TARN_BAD_ARGUMENT);
    ware.exported.type = TARN_SHAREABLE_FD;
    assert_status(tarn_phys_allow(api->device, &ware.exported, pids, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_allow(api->device, NULL, pids, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_allow(api->device, &key, NULL, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_allow(api->device, &key, pids, 1), TARN_BAD_HANDLE);
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_memory_export(addr, &key));
    assert_status(tarn_memory_allow(NULL, &key, pids, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_allow(api->device, &key, pids, 2), TARN_BAD_ARGUMENT);
    assert_ok(tarn_memory_allow(api->device, &key, pids, 1));
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_memory_allow(api->device, &key, pids, 1), TARN_BAD_HANDLE);
    assert_ok(tarn_phys_release(phys));
}

static void a_token_dies_with_its_process(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    int pipes[2];
    struct ware ware;
    tarn_phys phys = 0;
    tarn_phys late = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct api own = {.device = api_open(0, "memory=64M"), .g = api->g, .bytes = true};
        ware = token_of(create(&own));
        bool sent = allow(&own, &ware, TARN_PROCESS_ANY) == TARN_OK &&
                    write(pipes[1], &ware, sizeof ware) == sizeof ware;
        while (sent) (void)pause();
        _exit(1);
    }
    assert_int_equal(read(pipes[0], &ware, sizeof ware), sizeof ware);
    assert_ok(tarn_phys_import(api->device, &ware.exported, &phys));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_status(tarn_phys_import(api->device, &ware.exported, &late), TARN_BAD_HANDLE);
    const struct ware mine = token_of(phys); // but the memory lives on, and may go on
    assert_ok(tarn_phys_import(api->device, &mine.exported, &late));
    assert_ok(tarn_phys_release(late));
    assert_ok(tarn_phys_release(phys));
    assert_int_equal(close(pipes[0]) | close(pipes[1]), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_token_is_good_for_those_it_was_allowed_to),
        TEST(everybody_is_a_process_too),
        TEST(a_key_is_open_until_somebody_is_named),
        TEST(the_exporter_needs_no_leave),
        TEST(forged_and_stale_tokens_are_refused),
        TEST(only_the_exporter_makes_lists),
        TEST(a_list_is_full_at_512),
        TEST(bad_lists_are_refused),
        TEST(a_token_dies_with_its_process),
    };
#undef TEST
    if (!api_device_has_keys()) return api_cannot("keys");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
