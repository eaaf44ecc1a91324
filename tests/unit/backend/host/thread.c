// SPDX-License-Identifier: Apache-2.0
// Threads and forks: reservations change concurrently, an unmap takes effect while other threads
// read, and the child of a fork finds its locks free and its memory mapped.
#include "setup.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "backend/host/phys.h"
#include "base/atomic.h"

#define UNIT (64 * KB)

enum { THREADS = 4 };

// ---- side by side

struct worker {
    void *p;
    int number;
    int rounds;
};

static bool same(const unsigned char *bytes, int byte, uint64_t size) {
    for (uint64_t at = 0; at < size; at += 256)
        if (bytes[at] != byte) return false;
    return true;
}

// Creates, uses and releases a reservation with memory. Returns false if any result is wrong.
static bool live_once(void *p, int number) {
    tarn_addr addr = 0;
    tarn_phys_desc desc = on_device(number % 2);
    tarn_backend_map_item items[4];
    tarn_backend_phys_info info;
    const tarn_grant grant_all = {{TARN_LOCATION_DEVICE, number % 2}, TARN_ACCESS_READ_WRITE};
    bool good = ops->reserve(p, 8 * UNIT, 0, 0, &addr) == TARN_OK;
    for (int i = 0; i < 4; i++) {
        items[i].size = UNIT;
        good &= ops->phys_create(p, UNIT, &desc, &items[i].phys, &info) == TARN_OK;
    }
    good = good && ops->map(p, addr + UNIT, items, 4) == TARN_OK &&
           ops->set_access(p, addr + UNIT, 4 * UNIT, &grant_all, 1) == TARN_OK &&
           same(cpu(addr + UNIT), 0, 4 * UNIT);
    if (!good) return false;
    memset(cpu(addr + UNIT), number + 1, 4 * UNIT);
    good = same(cpu(addr + UNIT), number + 1, 4 * UNIT) &&
           ops->unmap(p, addr + UNIT, 4 * UNIT) == TARN_OK;
    for (int i = 0; i < 4; i++) ops->phys_destroy(p, items[i].phys);
    ops->release(p, addr, 8 * UNIT);
    tarn_addr memory = 0;
    good = good && ops->memory_alloc(p, number % 2, 3 * UNIT, &memory) == TARN_OK;
    memset(cpu(memory), number + 1, 3 * UNIT);
    good = good && same(cpu(memory), number + 1, 3 * UNIT);
    ops->memory_free(p, number % 2, memory);
    return good;
}

static void *live(void *arg) {
    const struct worker *worker = (const struct worker *)arg;
    for (int i = 0; i < worker->rounds; i++)
        if (!live_once(worker->p, worker->number)) return arg;
    return NULL;
}

static void threads_on_reservations_of_their_own_do_not_disturb_each_other(void **state) {
    static const char *const options[] = {"", "high_water=0"};
    (void)state;
    for (int o = 0; o < 2; o++) {
        void *p = open_host(options[o]);
        pthread_t thread[THREADS];
        struct worker worker[THREADS];
        for (int i = 0; i < THREADS; i++) {
            worker[i] = (struct worker){p, i, 60};
            assert_int_equal(pthread_create(&thread[i], NULL, live, &worker[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            void *failed = NULL;
            assert_int_equal(pthread_join(thread[i], &failed), 0);
            assert_null(failed);
        }
        assert_int_equal(free_bytes(p, 0), 16 * GB);
        close_host(p);
    }
}

// ---- against readers

struct reader {
    void *p;
    tarn_addr addr;
    _Atomic bool stop;
    _Atomic uint64_t reads;
    _Atomic bool wrong;
};

// Reads a unit repeatedly, as a copy would. Each read succeeds completely or is a fault.
static void *keep_reading(void *arg) {
    struct reader *reader = (struct reader *)arg;
    char *bytes = (char *)malloc(UNIT);
    while (!tn_load_relaxed(&reader->stop)) {
        tarn_status status = engine_read(reader->p, 0, reader->addr, bytes, UNIT);
        if (status == TARN_OK)
            (void)tn_add_relaxed(&reader->reads, 1);
        else if (status != TARN_NOT_MAPPED && status != TARN_NO_ACCESS)
            tn_store_relaxed(&reader->wrong, true);
    }
    free(bytes);
    return NULL;
}

static void readers_that_never_stop_neither_crash_nor_hold_up_an_unmap(void **state) {
    static const char *const options[] = {"", "access=strict"};
    (void)state;
    for (int o = 0; o < 2; o++) {
        struct reader reader = {.p = open_host(options[o])};
        void *p = reader.p;
        pthread_t thread[3];
        reader.addr = reserve(p, UNIT);
        tarn_backend_phys phys = create(p, 0, UNIT);
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, keep_reading, &reader), 0);
        for (int i = 0; i < 120; i++) {
            expect_ok(try_map(p, reader.addr, UNIT, phys));
            expect_ok(grant(p, reader.addr, UNIT, 0, TARN_ACCESS_READ));
            expect_ok(grant(p, reader.addr, UNIT, 0, TARN_ACCESS_NONE));
            expect_ok(grant(p, reader.addr, UNIT, 0, TARN_ACCESS_READ));
            uint64_t seen = tn_load_relaxed(&reader.reads);
            while (i % 30 == 0 && tn_load_relaxed(&reader.reads) == seen) (void)usleep(10);
            expect_ok(ops->unmap(p, reader.addr, UNIT));
        }
        tn_store_relaxed(&reader.stop, true);
        for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_false(tn_load_relaxed(&reader.wrong));
        assert_true(tn_load_relaxed(&reader.reads) > 0);
        ops->phys_destroy(p, phys);
        ops->release(p, reader.addr, UNIT);
        close_host(p);
    }
}

// ---- fork

static _Atomic bool stop_living;

static void *live_on(void *arg) {
    struct worker *worker = (struct worker *)arg;
    while (!tn_load_relaxed(&stop_living))
        if (!live_once(worker->p, worker->number)) return arg;
    return NULL;
}

// A child may read inherited memory and use a platform of its own.
static int in_child(void *p, tarn_addr addr, tarn_backend_phys phys) {
    char bytes[16];
    void *own = NULL;
    (void)alarm(900);
    ops->fork_child(p);
    if (engine_read(p, 0, addr, bytes, sizeof bytes) != TARN_OK || bytes[0] != 42) return 1;
    if (ops->check(p) != TARN_OK || free_bytes(p, 0) == 0 || mappings_of(p) == 0) return 2;
    (void)phys;
    if (ops->platform_open("", &own) != TARN_OK || !live_once(own, 0) || ops->check(own) != TARN_OK)
        return 3;
    ops->platform_close(own);
    return cpu(addr)[0] == 42 ? 0 : 4;
}

static void a_child_of_a_busy_parent_reads_what_it_inherited_and_opens_its_own(void **state) {
    void *p = open_host("");
    tarn_addr addr = reserve(p, UNIT);
    tarn_backend_phys phys = create(p, 0, UNIT);
    pthread_t thread;
    struct worker worker = {p, 1, 0};
    (void)state;
    expect_ok(try_map(p, addr, UNIT, phys));
    expect_ok(grant(p, addr, UNIT, 0, TARN_ACCESS_READ_WRITE));
    cpu(addr)[0] = 42;
    tn_store_relaxed(&stop_living, false);
    assert_int_equal(pthread_create(&thread, NULL, live_on, &worker), 0);
    for (int i = 0; i < 10; i++) {
        int status = -1;
        (void)usleep(500);
        ops->fork_prepare(p);
        pid_t child = fork();
        if (child == 0) _exit(in_child(p, addr, phys));
        ops->fork_parent(p);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    tn_store_relaxed(&stop_living, true);
    void *failed = NULL;
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    expect_ok(ops->unmap(p, addr, UNIT));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, UNIT);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_on_reservations_of_their_own_do_not_disturb_each_other),
        cmocka_unit_test(readers_that_never_stop_neither_crash_nor_hold_up_an_unmap),
        cmocka_unit_test(a_child_of_a_busy_parent_reads_what_it_inherited_and_opens_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
