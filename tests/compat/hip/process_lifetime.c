// SPDX-License-Identifier: Apache-2.0
// How long memory lives that processes share: as long as anybody anywhere has a reference, a
// mapping or a descriptor of it, whatever becomes of the one that created it. Each part is a
// process of its own; the exporter is the child, because it is the one that is killed.
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "support/census.h"
#include "support/partner.h"
#include "support/vmm.h"

#define SIZE (4 * G)
#define TEXT "what the exporter wrote"

struct shared {
    handle_t handle;
    char *at;
};

static struct shared make_shared(void) {
    struct shared mine = {create_shared(SIZE), reserve(SIZE)};
    assert_hip_ok(hipMemMap(mine.at, SIZE, 0, mine.handle, 0));
    grant(mine.at, SIZE, 0, READ_WRITE);
    strcpy(mine.at + SIZE - G, TEXT);
    return mine;
}

static void look(handle_t handle) {
    char *at = reserve(SIZE);
    assert_hip_ok(hipMemMap(at, SIZE, 0, handle, 0));
    grant(at, SIZE, 0, READ_WRITE);
    assert_string_equal(at + SIZE - G, TEXT);
    memset(at, 1, SIZE - G); // all of it is there, no page is gone
    unmap_and_free(at, SIZE);
}

static void import_and_look(int fd) {
    handle_t handle = import_fd(fd);
    assert_int_equal(close(fd), 0);
    look(handle);
    assert_hip_ok(hipMemRelease(handle));
}

// ---- an exporter that is killed

static void export_and_wait_for_the_end(struct partner *importer) {
    struct shared mine = make_shared();
    send_fd(importer, export_fd(mine.handle));
    (void)pause();
}

static void kill_when_the_descriptor_has_come(struct partner *exporter) {
    int fd = receive_fd(exporter);
    partner_kill(exporter);
    import_and_look(fd);
}

static void kill_while_the_descriptor_is_under_way(struct partner *exporter) {
    struct pollfd line = {exporter->line, POLLIN, 0};
    assert_int_equal(poll(&line, 1, -1), 1);
    partner_kill(exporter);
    import_and_look(receive_fd(exporter));
}

static void kill_while_it_is_mapped(struct partner *exporter) {
    int fd = receive_fd(exporter);
    char *at = reserve(SIZE);
    handle_t handle = import_fd(fd);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemMap(at, SIZE, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, SIZE, 0, READ_WRITE);
    partner_kill(exporter);
    assert_string_equal(at + SIZE - G, TEXT);
    memset(at, 2, SIZE);
    unmap_and_free(at, SIZE);
}

static void memory_outlives_an_exporter_that_is_killed(void **state) {
    (void)state;
    play(kill_when_the_descriptor_has_come, export_and_wait_for_the_end);
    play(kill_while_the_descriptor_is_under_way, export_and_wait_for_the_end);
    play(kill_while_it_is_mapped, export_and_wait_for_the_end);
}

// ---- an importer that is killed

static void import_and_wait_for_the_end(struct partner *exporter) {
    int fd = receive_fd(exporter);
    char *at = reserve(SIZE);
    handle_t handle = import_fd(fd);
    assert_hip_ok(hipMemMap(at, SIZE, 0, handle, 0));
    grant(at, SIZE, 0, READ_WRITE);
    strcpy(at, "what the importer wrote");
    say(exporter, 'w');
    (void)pause();
}

static void kill_the_importer(struct partner *importer) {
    struct shared mine = make_shared();
    int fd = export_fd(mine.handle);
    send_fd(importer, fd);
    hear(importer, 'w');
    partner_kill(importer);
    assert_string_equal(mine.at, "what the importer wrote");
    assert_string_equal(mine.at + SIZE - G, TEXT);
    import_and_look(fd);
    assert_hip_ok(hipMemRelease(mine.handle));
    unmap_and_free(mine.at, SIZE);
    assert_free_bytes(0, CAPACITY);
}

static void an_importer_that_is_killed_leaves_the_memory(void **state) {
    (void)state;
    play(kill_the_importer, import_and_wait_for_the_end);
}

// ---- an exporter that lets go first, in every order

enum { RELEASE, UNMAP, CLOSE, ACTS };
static const int orders[][ACTS] = {
    {RELEASE, UNMAP, CLOSE}, {RELEASE, CLOSE, UNMAP}, {UNMAP, RELEASE, CLOSE},
    {UNMAP, CLOSE, RELEASE}, {CLOSE, RELEASE, UNMAP}, {CLOSE, UNMAP, RELEASE},
};
enum { ORDERS = sizeof orders / sizeof orders[0] };

static void let_go(const struct shared *mine, int fd, int act) {
    switch (act) {
    case RELEASE: assert_hip_ok(hipMemRelease(mine->handle)); break;
    case UNMAP: unmap_and_free(mine->at, SIZE); break;
    default: assert_int_equal(close(fd), 0);
    }
}

static void export_and_let_go(struct partner *importer) {
    for (int i = 0; i < ORDERS; i++) {
        struct shared mine = make_shared();
        int fd = export_fd(mine.handle);
        send_fd(importer, fd);
        for (int act = 0; act < ACTS; act++) {
            hear(importer, 'g');
            let_go(&mine, fd, orders[i][act]);
            say(importer, 'd');
        }
        assert_free_bytes(0, CAPACITY); // whoever else has it, here it is gone
    }
}

// The exporter has lost `after` of its three holds when the importer comes.
static void import_after(struct partner *exporter, int after) {
    int fd = receive_fd(exporter);
    handle_t handle = NULL;
    for (int act = 0; act <= ACTS; act++) {
        if (act == after) {
            handle = import_fd(fd);
            assert_int_equal(close(fd), 0);
        }
        if (act < ACTS) {
            say(exporter, 'g');
            hear(exporter, 'd');
        }
    }
    look(handle);
    assert_hip_ok(hipMemRelease(handle));
}

static void import_what_is_let_go(struct partner *exporter) {
    for (int i = 0; i < ORDERS; i++) import_after(exporter, i % 2 == 0 ? ACTS : i / 2);
}

static void memory_outlives_what_its_exporter_had_of_it(void **state) {
    (void)state;
    play(import_what_is_let_go, export_and_let_go);
}

static void export_and_end(struct partner *importer) {
    send_fd(importer, export_fd(make_shared().handle));
}

static void import_from_the_dead(struct partner *exporter) {
    int fd = receive_fd(exporter);
    partner_end(exporter);
    import_and_look(fd);
}

static void memory_outlives_an_exporter_that_just_ends(void **state) {
    (void)state;
    play(import_from_the_dead, export_and_end);
}

// ---- other ways for a descriptor

// As {process, number}: the importer takes it out of the exporter.
static void tell_the_number(struct partner *importer) {
    struct shared mine = make_shared();
    int fd = export_fd(mine.handle);
    let_take();
    say(importer, (char)fd);
    hear(importer, 't');
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(mine.handle));
    unmap_and_free(mine.at, SIZE);
    say(importer, 'g');
}

static void take_it_out(struct partner *exporter) {
    char number = 0;
    assert_int_equal(read(exporter->line, &number, 1), 1);
    int fd = take_fd(exporter, number);
    if (fd < 0)
        print_message("no descriptor can be taken out of a process here: %s\n", strerror(errno));
    say(exporter, 't');
    hear(exporter, 'g');
    if (fd >= 0) import_and_look(fd);
}

static void a_descriptor_is_taken_out_of_the_exporter(void **state) {
    (void)state;
    play(take_it_out, tell_the_number);
}

// The process in between opens no device: its child has the descriptor from it by fork() alone.
static void look_at_the_inherited(void *arg) { import_and_look(*(const int *)arg); }

static void bear_an_importer(struct partner *exporter) {
    int fd = receive_fd(exporter);
    partner_kill(exporter);
    hip_in_child(look_at_the_inherited, &fd, NULL);
    hip_in_child(look_at_the_inherited, &fd, NULL);
    import_and_look(fd);
}

static void a_descriptor_is_inherited_by_children(void **state) {
    (void)state;
    play(bear_an_importer, export_and_wait_for_the_end);
}

// A child whose parent has used HIP before has memory of its own to give.
static void use_hip_then_import_from_a_child(void *arg) {
    struct shared mine = make_shared();
    struct partner child = partner_begin(export_and_wait_for_the_end);
    (void)arg;
    kill_while_it_is_mapped(&child);
    partner_end(&child);
    look(mine.handle);
    assert_string_equal(mine.at + SIZE - G, TEXT);
    assert_hip_ok(hipMemRelease(mine.handle));
    unmap_and_free(mine.at, SIZE);
    assert_free_bytes(0, CAPACITY);
}

static void a_child_of_a_user_of_hip_is_one_too(void **state) {
    (void)state;
    hip_in_child(use_hip_then_import_from_a_child, NULL, NULL);
}

// ---- a thousand times

static void export_once(struct partner *importer) {
    struct shared mine = make_shared();
    int fd = export_fd(mine.handle);
    send_fd(importer, fd);
    hear(importer, 'd');
    struct census before = census_take();
    for (int i = 0; i < 1000; i++) assert_int_equal(close(export_fd(mine.handle)), 0);
    census_no_growth(&before, 16, (size_t)4 << 20);
    assert_string_equal(mine.at + SIZE - G, TEXT);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(mine.handle));
    unmap_and_free(mine.at, SIZE);
}

static void import_a_thousand_times(struct partner *exporter) {
    int fd = receive_fd(exporter);
    handle_t handle = import_fd(fd);
    look(handle);
    struct census before = census_take();
    for (int i = 0; i < 1000; i++) {
        handle_t again = import_fd(fd);
        if (i % 10 == 0) look(again);
        assert_hip_ok(hipMemRelease(again));
    }
    census_no_growth(&before, 16, (size_t)4 << 20);
    look(handle);
    assert_hip_ok(hipMemRelease(handle));
    say(exporter, 'd');
}

static void a_thousand_exports_and_imports_leave_nothing_behind(void **state) {
    (void)state;
    play(import_a_thousand_times, export_once);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_outlives_an_exporter_that_is_killed),
        cmocka_unit_test(an_importer_that_is_killed_leaves_the_memory),
        cmocka_unit_test(memory_outlives_what_its_exporter_had_of_it),
        cmocka_unit_test(memory_outlives_an_exporter_that_just_ends),
        cmocka_unit_test(a_descriptor_is_taken_out_of_the_exporter),
        cmocka_unit_test(a_descriptor_is_inherited_by_children),
        cmocka_unit_test(a_child_of_a_user_of_hip_is_one_too),
        cmocka_unit_test(a_thousand_exports_and_imports_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
