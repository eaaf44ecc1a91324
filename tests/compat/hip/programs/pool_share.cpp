// SPDX-License-Identifier: Apache-2.0
// A pool that two processes share: its descriptor goes to the child over a socket, and each block by its
// export data. The child answers in the parent's blocks.
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>

#include "support/sample.h"

namespace {

constexpr int blocks = 3, numbers = 1 << 14;
constexpr size_t bytes = numbers * sizeof(int);

// A message of one byte that carries the descriptor.
struct parcel {
    char byte = 'd';
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};

    parcel() {
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
};

void send_descriptor(int socket, int fd) {
    parcel p;
    cmsghdr *head = CMSG_FIRSTHDR(&p.message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    expect(sendmsg(socket, &p.message, 0) == 1);
}

int receive_descriptor(int socket) {
    parcel p;
    int fd = -1;
    expect(recvmsg(socket, &p.message, 0) == 1);
    cmsghdr *head = CMSG_FIRSTHDR(&p.message);
    expect(head != nullptr && head->cmsg_type == SCM_RIGHTS);
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

void child_main(int parent) {
    static int values[numbers];
    hipMemPool_t pool = nullptr;
    int fd = receive_descriptor(parent);
    char done = 'd';
    must(hipMemPoolImportFromShareableHandle(&pool,
                                             reinterpret_cast<void *>(static_cast<intptr_t>(fd)),
                                             hipMemHandleTypePosixFileDescriptor, 0));
    close(fd);
    for (int b = 0; b < blocks; b++) {
        hipMemPoolPtrExportData data;
        void *block = nullptr;
        pipe_receive(parent, &data, sizeof data);
        must(hipMemPoolImportPointer(&block, pool, &data));
        must(hipMemcpy(values, block, bytes, hipMemcpyDeviceToHost));
        for (int i = 0; i < numbers; i++) {
            expect(values[i] == b + i);
            values[i] = -values[i];
        }
        must(hipMemcpy(block, values, bytes, hipMemcpyHostToDevice));
        must(hipFree(block));
    }
    must(hipMemPoolDestroy(pool));
    pipe_send(parent, &done, 1);
}

hipMemPool_t make_pool() {
    hipMemPoolProps properties = {};
    hipMemPool_t pool = nullptr;
    properties.allocType = hipMemAllocationTypePinned;
    properties.handleTypes = hipMemHandleTypePosixFileDescriptor;
    properties.location.type = hipMemLocationTypeDevice;
    properties.location.id = 0;
    must(hipMemPoolCreate(&pool, &properties));
    return pool;
}

void parent_main(int child) {
    static int values[numbers];
    hipMemPool_t pool = make_pool();
    hipStream_t stream;
    int fd = -1, *block[blocks] = {};
    char done = 0;
    must(hipStreamCreate(&stream));
    must(hipMemPoolExportToShareableHandle(&fd, pool, hipMemHandleTypePosixFileDescriptor, 0));
    send_descriptor(child, fd);
    close(fd);
    for (int b = 0; b < blocks; b++) {
        hipMemPoolPtrExportData data;
        for (int i = 0; i < numbers; i++) values[i] = b + i;
        must(hipMallocFromPoolAsync(reinterpret_cast<void **>(&block[b]), bytes, pool, stream));
        must(hipMemcpyAsync(block[b], values, bytes, hipMemcpyHostToDevice, stream));
        must(hipStreamSynchronize(stream));
        must(hipMemPoolExportPointer(&data, block[b]));
        pipe_send(child, &data, sizeof data);
    }
    pipe_receive(child, &done, 1);
    for (int b = 0; b < blocks; b++) {
        must(hipMemcpyAsync(values, block[b], bytes, hipMemcpyDeviceToHost, stream));
        must(hipStreamSynchronize(stream));
        expect(values[0] == -b && values[numbers - 1] == -(b + numbers - 1));
        must(hipFreeAsync(block[b], stream));
    }
    must(hipStreamSynchronize(stream));
    must(hipMemPoolDestroy(pool));
    must(hipStreamDestroy(stream));
    printf("%d blocks of a shared pool\n", blocks);
}

} // namespace

int main() {
    int ends[2], status = -1;
    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid_t child = fork(); // before the first call of HIP
    expect(child >= 0);
    if (child == 0) {
        close(ends[0]);
        child_main(ends[1]);
        return 0;
    }
    close(ends[1]);
    parent_main(ends[0]);
    expect(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
