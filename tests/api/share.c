// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes, and fork().
#include "support/api.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- descriptors over a socket

union control {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

static void send_fd(int socket, int fd) {
    char byte = 'f';
    struct iovec vector = {&byte, 1};
    union control control = {0};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    assert_int_equal(sendmsg(socket, &message, 0), 1);
}

static int receive_fd(int socket) {
    char byte = 0;
    struct iovec vector = {&byte, 1};
    union control control = {0};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.space};
    assert_int_equal(recvmsg(socket, &message, 0), 1);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    assert_non_null(header);
    int fd = -1;
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

// ---- both sides

static tarn_phys create_shared(tarn_device *device, uint64_t bytes) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.shareable = TARN_SHAREABLE_FD;
    assert_ok(tarn_phys_create(device, bytes, &desc, &phys));
    return phys;
}

static tarn_addr map_handle(tarn_device *device, tarn_phys phys, uint64_t bytes) {
    tarn_addr addr = 0;
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_space_reserve(device, bytes, 0, 0, &addr));
    assert_ok(tarn_map(addr, bytes, phys));
    assert_ok(tarn_map_set_access(addr, bytes, &grant, 1));
    return addr;
}

static bool shares_fds(const struct api *api) {
    return api->bytes && (api->info.shareable & TARN_SHAREABLE_FD) != 0;
}

static void an_import_shows_the_exporters_bytes(void **state) {
    struct api *api = *state;
    if (!shares_fds(api)) skip();
    uint64_t size = 4 * api->g;
    tarn_phys phys = create_shared(api->device, size);
    tarn_shareable out = {0};
    assert_ok(tarn_phys_export(phys, TARN_SHAREABLE_FD, &out));
    assert_true(out.fd > 2);
    assert_int_equal(fcntl(out.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    tarn_phys twin = 0;
    assert_ok(tarn_phys_import(api->device, &out, &twin));
    assert_int_equal(close(out.fd), 0);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(twin, &info));
    assert_true(info.imported);
    assert_int_equal(info.bytes, size);
    tarn_addr a = map_handle(api->device, phys, size);
    tarn_addr b = map_handle(api->device, twin, size);
    char text[16] = "both ways";
    api_write(api->device, a, text, sizeof text);
    memset(text, 0, sizeof text);
    api_read(api->device, b, text, sizeof text);
    assert_string_equal(text, "both ways");
    tarn_shareable again = {0};
    if (info.shareable != 0) { // imported memory may go on
        assert_ok(tarn_phys_export(twin, TARN_SHAREABLE_FD, &again));
        assert_int_equal(close(again.fd), 0);
    } else {
        assert_status(tarn_phys_export(twin, TARN_SHAREABLE_FD, &again), TARN_BAD_ARGUMENT);
    }
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_phys_release(twin));
    api_unmap_all(a, size);
    api_unmap_all(b, size);
}

static void wrong_exports_and_imports_are_refused(void **state) {
    struct api *api = *state;
    if (!shares_fds(api)) skip();
    tarn_shareable out = {0};
    tarn_phys private_phys = 0;
    tarn_phys phys = create_shared(api->device, api->g);
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &private_phys));
    assert_status(tarn_phys_export(private_phys, TARN_SHAREABLE_FD, &out), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_export(phys, 0, &out), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_export(phys, 3, &out), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_export(phys, TARN_SHAREABLE_FD, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_export(1, TARN_SHAREABLE_FD, &out), TARN_BAD_HANDLE);
    tarn_phys twin = 7;
    int foreign = memfd_create("foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(foreign >= 0);
    assert_int_equal(ftruncate(foreign, 1 << 20), 0);
    tarn_shareable in = {TARN_SHAREABLE_FD, foreign, 0};
    assert_status(tarn_phys_import(api->device, &in, &twin), TARN_BAD_HANDLE);
    in.fd = -1;
    assert_status(tarn_phys_import(api->device, &in, &twin), TARN_BAD_HANDLE);
    in.fd = 19999;
    assert_status(tarn_phys_import(api->device, &in, &twin), TARN_BAD_HANDLE);
    in.type = 0;
    assert_status(tarn_phys_import(api->device, &in, &twin), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_import(api->device, NULL, &twin), TARN_BAD_ARGUMENT);
    assert_int_equal(twin, 7);
    assert_int_equal(close(foreign), 0);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_phys_release(private_phys));
}

// ---- a process of its own

// The same program anew, since some vendors' libraries do not survive fork(): exports, writes, and
// waits to be killed.
#define EXPORTER_SOCKET "TARN_TEST_EXPORTER_SOCKET"

static void export_and_wait(void **state) {
    struct api *api = *state;
    tarn_phys phys = create_shared(api->device, api->g);
    tarn_addr addr = map_handle(api->device, phys, api->g);
    tarn_shareable out = {0};
    api_write(api->device, addr, "last words", sizeof "last words");
    assert_ok(tarn_phys_export(phys, TARN_SHAREABLE_FD, &out));
    send_fd(atoi(getenv(EXPORTER_SOCKET)), out.fd);
    for (;;) (void)pause();
}

static int run_exporter(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(export_and_wait, api_setup)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static pid_t start_exporter(int socket) {
    char number[16];
    char *const arguments[] = {"exporter", NULL};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)snprintf(number, sizeof number, "%d", socket);
        (void)setenv(EXPORTER_SOCKET, number, 1);
        (void)execv("/proc/self/exe", arguments);
        _exit(1);
    }
    return child;
}

// Its memory must live on here.
static void memory_survives_its_exporter_being_killed(void **state) {
    struct api *api = *state;
    if (!shares_fds(api)) skip();
    int sockets[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    pid_t child = start_exporter(sockets[1]);
    assert_int_equal(close(sockets[1]), 0); // if it fails, nothing comes
    tarn_shareable in = {TARN_SHAREABLE_FD, receive_fd(sockets[0]), 0};
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    tarn_phys phys = 0;
    assert_ok(tarn_phys_import(api->device, &in, &phys));
    assert_int_equal(close(in.fd), 0);
    tarn_addr addr = map_handle(api->device, phys, api->g);
    char text[16] = "";
    api_read(api->device, addr, text, sizeof "last words");
    assert_string_equal(text, "last words");
    assert_ok(tarn_phys_release(phys));
    api_unmap_all(addr, api->g);
    assert_int_equal(close(sockets[0]), 0);
}

// Opens a device of the child's own. Some vendors' libraries cannot do that, and must say so.
static bool open_own(const struct api *api, tarn_device **own) {
    char uri[32];
    tarn_error error;
    (void)snprintf(uri, sizeof uri, "%s:0", api_backend());
    tarn_status status = tarn_device_open(uri, own);
    bool checked = (api->info.features & TARN_FEATURE_CHECKED) != 0;
    if (status == TARN_UNSUPPORTED && !checked && tarn_last_error(&error) == status &&
        strstr(error.message, "fork") != NULL) {
        *own = NULL;
        return true;
    }
    return status == TARN_OK && *own != api->device;
}

static int in_child(struct api *api, tarn_addr addr, tarn_phys phys) {
    tarn_phys fresh = 0;
    tarn_access access = TARN_ACCESS_NONE;
    tarn_location device = {TARN_LOCATION_DEVICE, 0};
    tarn_device *own = NULL;
    bool forked = tarn_phys_create(api->device, api->g, NULL, &fresh) == TARN_FORKED &&
                  tarn_phys_release(phys) == TARN_FORKED &&
                  tarn_map_get_access(addr, device, &access) == TARN_FORKED &&
                  tarn_unmap(addr, api->g, 0) == TARN_FORKED;
    if (!forked || !open_own(api, &own)) return 1;
    if (own == NULL) return tarn_device_close(api->device) == TARN_OK ? 0 : 2;
    bool works = tarn_phys_create(own, api->g, NULL, &fresh) == TARN_OK &&
                 tarn_phys_release(fresh) == TARN_OK && tarn_platform_verify(own) == TARN_OK &&
                 tarn_device_close(own) == TARN_OK && tarn_device_close(api->device) == TARN_OK;
    return works ? 0 : 2;
}

static void a_child_is_told_what_is_its_parents_and_can_open_its_own(void **state) {
    struct api *api = *state;
    tarn_addr addr = api_map_new(api, api->g);
    tarn_phys phys = api_look(addr).phys;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(in_child(api, addr, phys));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    api_unmap_all(addr, api->g);
}

int main(void) {
    if (getenv(EXPORTER_SOCKET) != NULL) return run_exporter();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_import_shows_the_exporters_bytes, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(wrong_exports_and_imports_are_refused, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(memory_survives_its_exporter_being_killed, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_child_is_told_what_is_its_parents_and_can_open_its_own,
                                        api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
