// SPDX-License-Identifier: Apache-2.0
// Claims about cards that processes share: capacity is exact to the granule, what a killed process held is free
// at once, portions of idle members come back, children of a fork have an account of their own, and nothing is
// left when all have ended. All processes are real ones.
#include "setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <tarn/software.h>

#include "backend/host/machine.h"
#include "backend/host/sys.h"

enum { GRANULE = 4096, MOST = 8, DEVICE = 1 };

static char machine[TN_CARD_NAME];

// Each test has a machine of its own.
static int enter_machine(void **state) {
    static unsigned count;
    (void)state;
    (void)snprintf(machine, sizeof machine, "unit-%d-%u", (int)getpid(), ++count);
    return setenv("TARN_MACHINE", machine, 1);
}

static int leave_machine(void **state) {
    (void)state;
    return unsetenv("TARN_MACHINE");
}

static tarn_status try_create(void *p, uint64_t bytes, tarn_backend_phys *phys) {
    tarn_phys_desc desc = on_device(DEVICE);
    tarn_backend_phys_info info;
    return ops->phys_create(p, bytes, &desc, phys, &info);
}

// A process beside this one. It sends numbers to `from`, and goes on when it gets a byte.
struct beside {
    pid_t pid;
    int to, from;
};

static int ends[2]; // of the process itself: read, write

static void say(uint64_t number) {
    if (write(ends[1], &number, sizeof number) != (ssize_t)sizeof number) _exit(3);
}

static void wait_for_word(void) {
    char byte;
    if (read(ends[0], &byte, 1) != 1) _exit(0);
}

static struct beside start(void (*body)(uint64_t), uint64_t argument) {
    int to[2], from[2];
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)close(to[1]);
        (void)close(from[0]);
        ends[0] = to[0];
        ends[1] = from[1];
        body(argument);
        _exit(0);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    return (struct beside){pid, to[1], from[0]};
}

static uint64_t hear(const struct beside *other) {
    uint64_t number = UINT64_MAX;
    assert_int_equal(read(other->from, &number, sizeof number), sizeof number);
    return number;
}

static void tell(const struct beside *other) { assert_int_equal(write(other->to, "", 1), 1); }

static void end(const struct beside *other, int sign) {
    int status = 0;
    if (sign != 0) assert_int_equal(kill(other->pid, sign), 0);
    (void)close(other->to);
    assert_int_equal(waitpid(other->pid, &status, 0), other->pid);
    (void)close(other->from);
    assert_true(sign != 0 ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *open_member(const char *options) {
    void *p = NULL;
    if (ops->platform_open(options, &p) != TARN_OK) _exit(4);
    return p;
}

// ---- capacity

#define SMALL "memory=4M,workers=1"

static void take_all(uint64_t unused) {
    void *p = open_member(SMALL);
    tarn_backend_phys phys;
    uint64_t count = 0;
    (void)unused;
    say(0);
    wait_for_word();
    tarn_status status;
    while ((status = try_create(p, GRANULE, &phys)) == TARN_OK) count++;
    say(status == TARN_NO_DEVICE_MEMORY ? count : UINT64_MAX);
    wait_for_word();
    say(free_bytes(p, DEVICE));
    wait_for_word();
    ops->platform_close(p);
}

static void capacity_is_exact_for_processes(unsigned processes) {
    struct beside others[MOST];
    uint64_t sum = 0;
    for (unsigned i = 0; i < processes; i++) others[i] = start(take_all, 0);
    for (unsigned i = 0; i < processes; i++) assert_int_equal(hear(&others[i]), 0);
    for (unsigned i = 0; i < processes; i++) tell(&others[i]);
    for (unsigned i = 0; i < processes; i++) {
        uint64_t count = hear(&others[i]);
        assert_true(count <= 4 * MB / GRANULE);
        sum += count;
    }
    assert_int_equal(sum, 4 * MB / GRANULE);
    for (unsigned i = 0; i < processes; i++) tell(&others[i]);
    for (unsigned i = 0; i < processes; i++) assert_int_equal(hear(&others[i]), 0);
    for (unsigned i = 0; i < processes; i++) tell(&others[i]);
    for (unsigned i = 0; i < processes; i++) end(&others[i], 0);
}

static void capacity_is_exact_for_2_processes(void **state) {
    (void)state;
    capacity_is_exact_for_processes(2);
}

static void capacity_is_exact_for_8_processes(void **state) {
    (void)state;
    capacity_is_exact_for_processes(8);
}

static void hold(uint64_t bytes) {
    void *p = open_member("memory=1G,workers=1");
    tarn_backend_phys phys = 0;
    if (bytes != 0 && try_create(p, bytes, &phys) != TARN_OK) _exit(5);
    say(free_bytes(p, DEVICE));
    wait_for_word();
    ops->platform_close(p);
}

static void the_portion_of_an_idle_process_comes_back(void **state) {
    (void)state;
    struct beside other = start(hold, GRANULE);
    assert_int_equal(hear(&other), GB - GRANULE);
    void *p = open_host("memory=1G,workers=1");
    tarn_backend_phys phys, more = 77;
    assert_int_equal(free_bytes(p, DEVICE), GB - GRANULE);
    assert_int_equal(free_bytes(p, 0), GB); // the other device
    expect_status(try_create(p, GB, &more), TARN_NO_DEVICE_MEMORY);
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "other processes of machine"));
    assert_non_null(strstr(error.message, "hold 4096"));
    assert_int_equal(more, 77);
    expect_ok(try_create(p, GB - GRANULE, &phys));
    expect_status(try_create(p, GRANULE, &more), TARN_NO_DEVICE_MEMORY);
    end(&other, 0);
    assert_int_equal(free_bytes(p, DEVICE), GRANULE);
    expect_ok(try_create(p, GRANULE, &more));
    assert_int_equal(free_bytes(p, DEVICE), 0);
    ops->phys_destroy(p, more);
    ops->phys_destroy(p, phys);
    assert_int_equal(free_bytes(p, DEVICE), GB);
    close_host(p);
}

static void cards_of_other_capacity_or_machine_are_others(void **state) {
    (void)state;
    struct beside other = start(hold, 16 * MB);
    (void)hear(&other);
    void *same = open_host("memory=1G,workers=1"), *larger = open_host("memory=2G,workers=1");
    assert_int_equal(free_bytes(same, DEVICE), GB - 16 * MB);
    assert_int_equal(free_bytes(larger, DEVICE), 2 * GB);
    assert_int_equal(setenv("TARN_MACHINE", "unit-other", 1), 0);
    void *elsewhere = open_host("memory=1G,workers=1");
    assert_int_equal(free_bytes(elsewhere, DEVICE), GB);
    assert_int_equal(unsetenv("TARN_MACHINE"), 0);
    void *nowhere = open_host("memory=1G,workers=1");
    assert_int_equal(free_bytes(nowhere, DEVICE), GB);
    close_host(nowhere);
    close_host(elsewhere);
    close_host(larger);
    close_host(same);
    end(&other, 0);
}

// ---- ends

// Takes and frees without an end.
static void churn(uint64_t seed) {
    void *p = open_member("memory=64M,workers=1");
    tarn_backend_phys held[16] = {0};
    uint64_t random = seed * 2654435761u + 1;
    for (unsigned i = 0;; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        tarn_backend_phys *one = &held[random >> 60];
        if (*one != 0) ops->phys_destroy(p, *one);
        if (try_create(p, GRANULE * (1 + (random >> 32) % 1024), one) != TARN_OK) *one = 0;
        if (i == 32) say(0);
    }
}

static void a_killed_process_returns_everything_at_once(void **state) {
    const char *sweep = getenv("TARN_TEST_SWEEP");
    const unsigned rounds = sweep != NULL && strcmp(sweep, "all") == 0 ? 150 : 10;
    (void)state;
    void *p = open_host("memory=64M,workers=1");
    tarn_backend_phys phys;
    expect_ok(try_create(p, 4 * MB, &phys));
    for (unsigned round = 0; round < rounds; round++) {
        struct beside others[4];
        for (unsigned i = 0; i < 4; i++) others[i] = start(churn, 4 * round + i);
        for (unsigned i = 0; i < 4; i++) (void)hear(&others[i]);
        for (unsigned i = 0; i < 4; i++) end(&others[i], SIGKILL);
        assert_int_equal(free_bytes(p, DEVICE), 60 * MB);
        tarn_backend_phys rest;
        expect_ok(try_create(p, 60 * MB, &rest));
        ops->phys_destroy(p, rest);
    }
    ops->phys_destroy(p, phys);
    close_host(p);
}

static unsigned shared_files(void) {
    unsigned count = 0;
    DIR *folder = opendir("/dev/shm");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += strstr(entry->d_name, machine) != NULL;
    if (folder != NULL) (void)closedir(folder);
    return count;
}

static void nothing_is_left_when_all_were_killed(void **state) {
    struct beside others[MOST];
    struct tn_host_card_file *file = NULL;
    int fd = -1;
    (void)state;
    for (unsigned i = 0; i < MOST; i++) others[i] = start(hold, 16 * MB);
    for (unsigned i = 0; i < MOST; i++) (void)hear(&others[i]);
    expect_ok(tn_host_machine_enter(machine, false, &fd, &file));
    (void)munmap(file, sizeof *file);
    (void)close(fd);
    for (unsigned i = 0; i < MOST; i++) end(&others[i], SIGKILL);
    expect_status(tn_host_machine_enter(machine, false, &fd, &file), TARN_BAD_DEVICE);
    assert_int_equal(shared_files(), 0);
    void *p = open_host("memory=1G,workers=1");
    assert_int_equal(free_bytes(p, DEVICE), GB);
    close_host(p);
}

// ---- forks

static void *inherited;
static tarn_backend_phys inherited_phys;

static void use_inherited(uint64_t unused) {
    tarn_backend_phys own = 0;
    (void)unused;
    say(free_bytes(inherited, DEVICE));
    if (try_create(inherited, 8 * MB, &own) != TARN_OK) _exit(5);
    say(free_bytes(inherited, DEVICE));
    wait_for_word();
    ops->phys_destroy(inherited, inherited_phys); // counts for the parent
    say(free_bytes(inherited, DEVICE));
    wait_for_word();
    ops->phys_destroy(inherited, own);
    say(free_bytes(inherited, DEVICE));
    wait_for_word();
}

static void a_forked_child_has_its_own_account(void **state) {
    (void)state;
    void *p = open_host("memory=64M,workers=1");
    expect_ok(try_create(p, 16 * MB, &inherited_phys));
    inherited = p;
    ops->fork_prepare(p);
    struct beside child;
    int to[2], from[2];
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    child.pid = fork();
    if (child.pid == 0) {
        ops->fork_child(p);
        (void)close(to[1]);
        ends[0] = to[0];
        ends[1] = from[1];
        use_inherited(0);
        _exit(0);
    }
    ops->fork_parent(p);
    (void)close(to[0]);
    (void)close(from[1]);
    child.to = to[1];
    child.from = from[0];
    assert_int_equal(hear(&child), 48 * MB);
    assert_int_equal(hear(&child), 40 * MB);
    assert_int_equal(free_bytes(p, DEVICE), 40 * MB);
    tell(&child);
    assert_int_equal(hear(&child), 40 * MB);
    tell(&child);
    assert_int_equal(hear(&child), 48 * MB);
    assert_int_equal(free_bytes(p, DEVICE), 48 * MB);
    end(&child, SIGKILL);
    ops->phys_destroy(p, inherited_phys);
    assert_int_equal(free_bytes(p, DEVICE), 64 * MB);
    close_host(p);
}

// ---- who holds what

static void a_query_lists_what_each_process_holds(void **state) {
    tarn_machine_use uses[4];
    size_t count = 4;
    (void)state;
    expect_status(tarn_machine_query(machine, uses, &count), TARN_BAD_DEVICE);
    expect_status(tarn_machine_query("a/b", uses, &count), TARN_BAD_CONFIG);
    expect_status(tarn_machine_query(machine, NULL, &count), TARN_BAD_ARGUMENT);
    expect_status(tarn_machine_query(machine, uses, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(count, 4);
    struct beside one = start(hold, 16 * MB), two = start(hold, 0);
    (void)hear(&one);
    (void)hear(&two);
    expect_ok(tarn_machine_query(NULL, uses, &count));
    assert_int_equal(count, 4); // two devices each
    for (size_t i = 0; i < count; i++) {
        assert_true(uses[i].pid == one.pid || uses[i].pid == two.pid);
        assert_int_equal(uses[i].capacity, GB);
        assert_int_equal(uses[i].bytes,
                         uses[i].pid == one.pid && uses[i].device == DEVICE ? 16 * MB : 0);
        assert_true(uses[i].program[0] != '\0');
    }
    count = 0;
    expect_ok(tarn_machine_query(machine, NULL, &count));
    assert_int_equal(count, 4);
    end(&one, SIGKILL);
    count = 4;
    expect_ok(tarn_machine_query(machine, uses, &count));
    assert_int_equal(count, 2);
    end(&two, 0);
    assert_int_equal(unsetenv("TARN_MACHINE"), 0);
    expect_status(tarn_machine_query(NULL, uses, &count), TARN_BAD_CONFIG);
}

// ---- failures

static void a_bad_machine_is_refused_by_name(void **state) {
    static const char *const wrong[] = {
        "a/b", ".a", "-a", "a b", "a\n", "0123456789012345678901234567890123456789012345678"};
    void *p = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(setenv("TARN_MACHINE", wrong[i], 1), 0);
        expect_status(ops->platform_open("workers=1", &p), TARN_BAD_CONFIG);
    }
    assert_int_equal(setenv("TARN_MACHINE", machine, 1), 0);
    expect_status(ops->platform_open("memory=9T,workers=1", &p), TARN_BAD_CONFIG);
    assert_null(p);
}

static unsigned open_files(void) {
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL) count++;
    (void)closedir(folder);
    return count;
}

static void a_join_that_fails_leaves_nothing(void **state) {
    void *first = open_host("memory=1G,workers=1");
    tarn_backend_phys phys;
    (void)state;
    expect_ok(try_create(first, 4 * MB, &phys));
    const unsigned files = open_files();
    for (uint64_t nth = 1;; nth++) {
        void *p = NULL;
        tn_host_sys_fail(TN_HOST_SYS_ALL, nth, EMFILE);
        tarn_status status = ops->platform_open("memory=1G,workers=1", &p);
        bool failed = tn_host_sys_failed();
        tn_host_sys_fail(0, 0, 0);
        if (status == TARN_OK) {
            assert_int_equal(free_bytes(p, DEVICE), GB - 4 * MB); // the same machine
            close_host(p);
        }
        assert_int_equal(open_files(), files);
        assert_int_equal(free_bytes(first, DEVICE), GB - 4 * MB);
        if (!failed) break;
    }
    ops->phys_destroy(first, phys);
    close_host(first);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, enter_machine, leave_machine)
    const struct CMUnitTest tests[] = {
        CLAIM(capacity_is_exact_for_2_processes),
        CLAIM(capacity_is_exact_for_8_processes),
        CLAIM(the_portion_of_an_idle_process_comes_back),
        CLAIM(cards_of_other_capacity_or_machine_are_others),
        CLAIM(a_killed_process_returns_everything_at_once),
        CLAIM(nothing_is_left_when_all_were_killed),
        CLAIM(a_forked_child_has_its_own_account),
        CLAIM(a_query_lists_what_each_process_holds),
        CLAIM(a_bad_machine_is_refused_by_name),
        CLAIM(a_join_that_fails_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
