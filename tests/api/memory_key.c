// SPDX-License-Identifier: Apache-2.0
// Keys: plain device memory seen from several processes, or twice in one.
#include "support/api.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *bytes_at(tarn_addr addr) { return (char *)(uintptr_t)addr; }

static tarn_address_info look(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_ok(tarn_address_query(addr, &info));
    return info;
}

static tarn_key export_key(tarn_addr addr) {
    tarn_key key;
    assert_ok(tarn_memory_export(addr, &key));
    return key;
}

// ---- in one process

static void an_import_is_the_same_bytes_at_another_address(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    char text[16] = "before";
    assert_ok(tarn_memory_alloc(api->device, 100000, &addr));
    assert_ok(tarn_copy(api->device, addr + 99000, TARN_ADDR(text), sizeof text, 0));
    tarn_key key = export_key(addr);
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_int_not_equal(other, addr);
    assert_int_equal(other % 256, 0);
    tarn_address_info info = look(other + 99999);
    assert_int_equal(info.kind, TARN_ADDRESS_IMPORTED);
    assert_int_equal(info.base, other);
    assert_int_equal(info.bytes, 100000);
    assert_int_equal(info.location.id, 0);
    assert_int_equal(look(addr).kind, TARN_ADDRESS_MEMORY);
    if (api->bytes) {
        assert_string_equal(bytes_at(other + 99000), "before");
        strcpy(bytes_at(other), "there");
        assert_string_equal(bytes_at(addr), "there");
        strcpy(bytes_at(addr), "and back");
        assert_string_equal(bytes_at(other), "and back");
    }
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

static void copies_reach_an_import_and_stay_inside_it(void **state) {
    struct api *api = *state;
    api_need_peer(api);
    tarn_addr addr = 0;
    tarn_addr other = 0;
    char bytes[1001] = {0};
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    tarn_key key = export_key(addr);
    assert_ok(tarn_memory_import(api->peer, &key, &other));
    assert_int_equal(look(other).location.id, 1);
    assert_ok(tarn_fill(api->peer, other, 7, 1, 1000, 0));
    assert_ok(tarn_copy(api->device, TARN_ADDR(bytes), addr, 1000, 0));
    assert_int_equal(bytes[999], api->bytes ? 7 : 0);
    assert_status(tarn_fill(api->peer, other, 7, 1, 1001, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(other, 0));
    assert_status(tarn_fill(api->peer, other, 7, 1, 1, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
}

static void exports_repeat_and_imports_count_alone(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr twin[2] = {0, 0};
    assert_ok(tarn_memory_alloc(api->device, 5000, &addr));
    tarn_key key = export_key(addr);
    tarn_key again = export_key(addr);
    assert_memory_equal(&key, &again, sizeof key);
    uint64_t left = 0;
    uint64_t now = 0;
    assert_ok(tarn_device_query_memory(api->device, &left, NULL));
    assert_ok(tarn_memory_import(api->device, &key, &twin[0]));
    assert_ok(tarn_memory_import(api->device, &key, &twin[1]));
    assert_int_not_equal(twin[0], twin[1]);
    assert_ok(tarn_device_query_memory(api->device, &now, NULL));
    assert_int_equal(now, left); // the exporter pays
    assert_int_equal(api_stats(api->device).imported_blocks, 2);
    assert_int_equal(api_stats(api->device).imported_bytes, 10000);
    assert_ok(tarn_memory_free(twin[0], 0));
    assert_status(tarn_memory_free(twin[0], 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
    assert_int_equal(look(twin[1]).kind, TARN_ADDRESS_IMPORTED); // outlives what it came from
    assert_ok(tarn_fill(api->device, twin[1], 1, 1, 5000, 0));
    assert_ok(tarn_memory_free(twin[1], 0));
}

static void only_starts_of_own_memory_are_exported(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    void *host = NULL;
    tarn_key key = {{1, 2, 3}};
    const tarn_key same = key;
    tarn_addr mapped = api_map_new(api, api->g);
    assert_ok(tarn_host_alloc(api->device, 100, 0, &host));
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_status(tarn_memory_export(addr, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_export(addr + 1, &key), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export(0, &key), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export(mapped, &key), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export(TARN_ADDR(host), &key), TARN_BAD_ADDRESS);
    assert_memory_equal(&key, &same, sizeof key);
    key = export_key(addr);
    assert_status(tarn_memory_import(NULL, &key, &other), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_import(api->device, NULL, &other), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_import(api->device, &key, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_status(tarn_memory_export(other, &key), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_free(other + 1, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(0, 0));
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_host_free(host));
    api_unmap_all(mapped, api->g);
}

static void expect_message_with_key(const tarn_key *key) {
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_BAD_HANDLE);
    assert_non_null(strstr(error.message, (const char *)key->bytes));
}

static void a_refused_key_is_in_the_message(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    const tarn_key made_up = {"this-is-not-a-key"};
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    const tarn_key key = export_key(addr);
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_memory_import(api->device, &key, &other), TARN_BAD_HANDLE);
    expect_message_with_key(&key);
    assert_status(tarn_memory_import(api->device, &made_up, &other), TARN_BAD_HANDLE);
    expect_message_with_key(&made_up);
}

static void a_forged_or_stale_key_is_refused(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 7;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    const tarn_key key = export_key(addr);
    for (size_t i = 0; i < sizeof key.bytes; i++) {
        for (int bit = 0; bit < 8; bit++) {
            tarn_key forged = key;
            forged.bytes[i] = (unsigned char)(key.bytes[i] ^ 1u << bit);
            assert_status(tarn_memory_import(api->device, &forged, &other), TARN_BAD_HANDLE);
        }
        tarn_key cut = {{0}};
        memcpy(cut.bytes, key.bytes, i);
        if (memcmp(&cut, &key, sizeof cut) != 0)
            assert_status(tarn_memory_import(api->device, &cut, &other), TARN_BAD_HANDLE);
    }
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_memory_import(api->device, &key, &other), TARN_BAD_HANDLE);
    // The place that the key names is taken again, by other memory.
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    (void)export_key(addr);
    assert_status(tarn_memory_import(api->device, &key, &other), TARN_BAD_HANDLE);
    assert_int_equal(other, 7);
    assert_ok(tarn_memory_free(addr, 0));
}

static bool is_plain(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
}

static void a_key_is_text_that_ends_within_it(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    const tarn_key key = export_key(addr);
    const char *text = (const char *)key.bytes;
    size_t length = strnlen(text, sizeof key.bytes);
    assert_in_range(length, 16, sizeof key.bytes - 1);
    for (size_t i = 0; i < sizeof key.bytes; i++)
        assert_true(i < length ? is_plain(key.bytes[i]) : key.bytes[i] == 0);
    tarn_key copy = {{0}}; // as by a program that knows it as a string
    (void)snprintf((char *)copy.bytes, sizeof copy.bytes, "%s", text);
    assert_ok(tarn_memory_import(api->device, &copy, &other));
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

static void other_text_is_no_key(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    const tarn_key key = export_key(addr);
    static const unsigned char odd[] = {' ', '-', 'g', 'F', '/', ':', '@', '`', 0x7f, 0x80, 0xff};
    for (size_t i = 0; i < sizeof key.bytes; i++) {
        for (size_t k = 0; k < sizeof odd; k++) {
            tarn_key bad = key;
            bad.bytes[i] = odd[k];
            if (memcmp(&bad, &key, sizeof bad) != 0)
                assert_status(tarn_memory_import(api->device, &bad, &other), TARN_BAD_HANDLE);
        }
    }
    tarn_key none = {{0}};
    assert_status(tarn_memory_import(api->device, &none, &other), TARN_BAD_HANDLE);
    memset(&none, '0', sizeof none);
    assert_status(tarn_memory_import(api->device, &none, &other), TARN_BAD_HANDLE);
    memset(&none, 0xff, sizeof none);
    assert_status(tarn_memory_import(api->device, &none, &other), TARN_BAD_HANDLE);
    assert_ok(tarn_memory_free(addr, 0));
}

static void a_device_with_imports_stays_open(void **state) {
    struct api *api = *state;
    tarn_device *device = api_open(0, "memory=32M");
    tarn_addr addr = 0;
    tarn_addr other = 0;
    assert_ok(tarn_memory_alloc(device, 1 << 20, &addr));
    tarn_key key = export_key(addr);
    assert_ok(tarn_memory_import(device, &key, &other));
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_device_close(device), TARN_BUSY);
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_platform_verify(device));
    assert_ok(tarn_device_close(device));
    (void)api;
}

// Work given before the export is not lost, nor is work given after it.
static void streams_go_on_over_an_export(void **state) {
    struct api *api = *state;
    uint64_t size = 8 << 20;
    tarn_stream stream = 0;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    unsigned char last = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, size, &addr));
    assert_ok(tarn_fill(NULL, addr, 3, 1, size, stream));
    tarn_key key = export_key(addr);
    assert_ok(tarn_fill(NULL, addr, 4, 1, 1, stream));
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_copy(api->device, TARN_ADDR(&last), other + size - 1, 1, 0));
    assert_int_equal(last, api->bytes ? 3 : 0);
    assert_ok(tarn_copy(api->device, TARN_ADDR(&last), other, 1, 0));
    assert_int_equal(last, api->bytes ? 4 : 0);
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
}

// ---- between two

// Ends of two pipes: keys go one way, words the other.
struct pipes {
    int keys[2];
    int words[2];
};

static struct pipes open_pipes(void) {
    struct pipes pipes;
    assert_int_equal(pipe(pipes.keys), 0);
    assert_int_equal(pipe(pipes.words), 0);
    return pipes;
}

static void close_pipes(const struct pipes *pipes) {
    for (int i = 0; i < 2; i++) {
        assert_int_equal(close(pipes->keys[i]), 0);
        assert_int_equal(close(pipes->words[i]), 0);
    }
}

static void assert_child_ends_well(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int child_imports(const struct pipes *pipes) {
    tarn_device *device = api_open(0, "memory=64M"); // the inherited platform is the parent's
    tarn_key key;
    tarn_addr addr = 0;
    char word = 'k';
    if (read(pipes->keys[0], &key, sizeof key) != sizeof key ||
        tarn_memory_import(device, &key, &addr) != TARN_OK ||
        strcmp(bytes_at(addr), "from the parent") != 0)
        return 1;
    strcpy(bytes_at(addr + 4096), "from the child");
    if (write(pipes->words[1], &word, 1) != 1 || read(pipes->keys[0], &word, 1) != 1) return 2;
    bool kept = strcmp(bytes_at(addr), "from the parent") == 0; // though it is freed there
    return kept && tarn_memory_free(addr, 0) == TARN_OK &&
                   tarn_platform_verify(device) == TARN_OK && tarn_device_close(device) == TARN_OK
               ? 0
               : 3;
}

static void a_child_imports_from_its_parent(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip(); // sim knows keys of its own process
    struct pipes pipes = open_pipes();
    pid_t child = fork(); // before anything is allocated
    assert_true(child >= 0);
    if (child == 0) _exit(child_imports(&pipes));
    tarn_addr addr = 0;
    char word = 0;
    assert_ok(tarn_memory_alloc(api->device, 10000, &addr));
    strcpy(bytes_at(addr), "from the parent");
    tarn_key key = export_key(addr);
    assert_int_equal(write(pipes.keys[1], &key, sizeof key), sizeof key);
    assert_int_equal(read(pipes.words[0], &word, 1), 1);
    assert_string_equal(bytes_at(addr + 4096), "from the child");
    assert_ok(tarn_memory_free(addr, 0));
    assert_int_equal(write(pipes.keys[1], &word, 1), 1);
    assert_child_ends_well(child);
    close_pipes(&pipes);
}

static void child_exports(const struct pipes *pipes) {
    tarn_device *device = api_open(0, "memory=64M");
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(device, 10000, &addr));
    strcpy(bytes_at(addr), "last words");
    tarn_key key = export_key(addr);
    assert_int_equal(write(pipes->keys[1], &key, sizeof key), sizeof key);
    for (;;) (void)pause();
}

static void an_import_survives_its_exporter_being_killed(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    struct pipes pipes = open_pipes();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) child_exports(&pipes);
    tarn_key key;
    tarn_addr addr = 0;
    tarn_addr late = 0;
    assert_int_equal(read(pipes.keys[0], &key, sizeof key), sizeof key);
    assert_ok(tarn_memory_import(api->device, &key, &addr));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_string_equal(bytes_at(addr), "last words");
    assert_status(tarn_memory_import(api->device, &key, &late), TARN_BAD_HANDLE);
    assert_ok(tarn_memory_free(addr, 0));
    close_pipes(&pipes);
}

static void a_child_is_refused_its_parents_blocks(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    tarn_key key = export_key(addr);
    assert_ok(tarn_memory_import(api->device, &key, &other));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tarn_addr none = 0;
        bool refused = tarn_memory_export(addr, &key) == TARN_FORKED &&
                       tarn_memory_free(other, 0) == TARN_FORKED &&
                       tarn_memory_import(api->device, &key, &none) == TARN_FORKED;
        _exit(refused ? 0 : 1);
    }
    assert_child_ends_well(child);
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

// ---- descriptors

static bool has_descriptors(tarn_addr addr) {
    int fd = -1;
    tarn_status status = tarn_memory_export_fd(addr, &fd);
    assert_int_equal(status, strcmp(api_backend(), "host") == 0 ? TARN_OK : TARN_UNSUPPORTED);
    assert_int_equal(fd >= 0, status == TARN_OK);
    if (fd >= 0) assert_int_equal(close(fd), 0);
    return status == TARN_OK;
}

static void expect_descriptor(struct api *api, tarn_addr addr, uint64_t bytes) {
    char text[8] = "";
    int fd = -1;
    api_write(api->device, addr + bytes - 8, "before", 7);
    assert_ok(tarn_memory_export_fd(addr, &fd));
    assert_int_equal(pread(fd, text, 7, (off_t)bytes - 8), 7);
    assert_string_equal(text, "before");
    api_write(api->device, addr + bytes - 8, "behind", 7);
    assert_int_equal(pread(fd, text, 7, (off_t)bytes - 8), 7);
    assert_string_equal(text, "behind");
    assert_int_equal(pwrite(fd, "theirs", 7, 0), 7);
    api_read(api->device, addr, text, 7);
    assert_string_equal(text, "theirs");
    assert_int_equal(close(fd), 0);
}

static void blocks_and_mappings_have_descriptors(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    if (has_descriptors(addr)) {
        tarn_addr mapped = api_map_new(api, api->g);
        expect_descriptor(api, addr, 1000);
        expect_descriptor(api, mapped, api->g);
        api_unmap_all(mapped, api->g);
    }
    assert_ok(tarn_memory_free(addr, 0));
}

static void only_starts_have_descriptors(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    tarn_addr reserved = 0;
    void *host = NULL;
    int fd = -7;
    tarn_addr mapped = api_map_new(api, api->g);
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &reserved));
    assert_ok(tarn_host_alloc(api->device, 100, 0, &host));
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    tarn_key key = export_key(addr);
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_status(tarn_memory_export_fd(addr, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_export_fd(addr + 1, &fd), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export_fd(mapped + 1, &fd), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export_fd(reserved, &fd), TARN_NOT_MAPPED);
    assert_status(tarn_memory_export_fd(other, &fd), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export_fd(TARN_ADDR(host), &fd), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_export_fd(0, &fd), TARN_BAD_ADDRESS);
    assert_int_equal(fd, -7);
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_host_free(host));
    assert_ok(tarn_space_release(reserved));
    api_unmap_all(mapped, api->g);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(an_import_is_the_same_bytes_at_another_address),
        TEST(copies_reach_an_import_and_stay_inside_it),
        TEST(exports_repeat_and_imports_count_alone),
        TEST(only_starts_of_own_memory_are_exported),
        TEST(a_refused_key_is_in_the_message),
        TEST(a_forged_or_stale_key_is_refused),
        TEST(a_key_is_text_that_ends_within_it),
        TEST(other_text_is_no_key),
        TEST(a_device_with_imports_stays_open),
        TEST(streams_go_on_over_an_export),
        TEST(a_child_imports_from_its_parent),
        TEST(an_import_survives_its_exporter_being_killed),
        TEST(a_child_is_refused_its_parents_blocks),
        TEST(blocks_and_mappings_have_descriptors),
        TEST(only_starts_have_descriptors),
    };
#undef TEST
    if (!api_device_has_keys()) return api_cannot("keys");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
