// SPDX-License-Identifier: Apache-2.0
// Claims about the descriptors of channels in a child of fork().
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel/channel.h"

#include "support/channel.h"

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0 || errno != EBADF; }

// Moves a descriptor to the number 0, which a process has free if its standard input is closed.
static void move_to_0(int *fd) {
    assert_int_equal(dup2(*fd, 0), 0);
    assert_int_equal(close(*fd), 0);
    *fd = 0;
}

static void a_child_has_no_descriptor_of_a_peer_not_even_0(void **state) {
    tarn_channel *end = ((struct pair *)*state)->end[0];
    int status = 1;
    if (end->pidfd < 0) skip();
    int input = fcntl(0, F_DUPFD_CLOEXEC, 3); // -1 if it is closed already
    move_to_0(&end->pidfd);
    pid_t child = fork();
    if (child == 0) _exit(is_open(0) || is_open(end->socket) ? 1 : 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(is_open(0));
    end->pidfd = fcntl(0, F_DUPFD_CLOEXEC, 3);
    assert_true(end->pidfd >= 0);
    if (input >= 0) {
        assert_int_equal(dup2(input, 0), 0);
        assert_int_equal(close(input), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_child_has_no_descriptor_of_a_peer_not_even_0,
                                        channel_setup, channel_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
