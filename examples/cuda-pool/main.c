// SPDX-License-Identifier: Apache-2.0
// Scratch memory for batches of work, from a stream-ordered pool. The pool keeps up to 32 MiB while the
// stream is idle, so that small batches need no new memory. A batch that does not fit into memory is
// halved. The program uses CUDA's runtime only, so it also runs on NVIDIA's.
// Tarn runs it without a GPU: tarn run --as cuda -- cuda_pool
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>

#define MIB       ((size_t)1 << 20)
#define CHECK(it) check((it), #it)

static void check(cudaError_t error, const char *call) {
    if (error == cudaSuccess) return;
    (void)fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}

static cudaMemPool_t pool;
static cudaStream_t stream;
static char *memory;        // of the current piece
static unsigned char *last; // its last byte, on the host

// At every end of the program, also after a failure.
static void close_all(void) {
    (void)cudaDeviceReset(); // ends the stream and the memory of the host; works after any failure
    (void)cudaFree(memory);  // of the pool, which a reset leaves alone
    if (pool != NULL) (void)cudaMemPoolDestroy(pool);
}

// A pool of device 0 that holds at most `most` bytes, and keeps `kept` of them.
static void open_pool(size_t most, uint64_t kept) {
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0},
                                     .maxSize = most};
    CHECK(cudaMemPoolCreate(&pool, &props));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

static size_t in_pool(enum cudaMemPoolAttr attribute) {
    uint64_t bytes = 0;
    CHECK(cudaMemPoolGetAttribute(pool, attribute, &bytes));
    return (size_t)bytes / MIB;
}

// Allocates in the order of the stream. Returns false if the pool has no memory left.
static bool try_alloc(size_t bytes) {
    cudaError_t error = cudaMallocFromPoolAsync((void **)&memory, bytes, pool, stream);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError(); // else a later call finds the error that is handled here
        return false;
    }
    check(error, "cudaMallocFromPoolAsync");
    return true;
}

// Works on `bytes` bytes in pieces as large as the memory allows. Returns the number of pieces.
static int run_batch(size_t bytes) {
    int pieces = 0;
    for (size_t done = 0, piece = bytes; done < bytes;) {
        if (piece > bytes - done) piece = bytes - done;
        if (!try_alloc(piece)) {
            if (piece < MIB) check(cudaErrorMemoryAllocation, "run_batch");
            piece /= 2;
            continue;
        }
        CHECK(cudaMemsetAsync(memory, ++pieces, piece, stream)); // the work
        CHECK(cudaMemcpyAsync(last, memory + piece - 1, 1, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(memory, stream)); // behind the work: nothing waits
        memory = NULL;
        done += piece;
    }
    return pieces;
}

int main(void) {
    static const size_t batches[] = {16 * MIB, 24 * MIB, 300 * MIB, 16 * MIB};
    bool good = true;
    (void)atexit(close_all);
    CHECK(cudaMallocHost((void **)&last, 1));
    open_pool(128 * MIB, 32 * MIB);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        int pieces = run_batch(batches[i]);
        CHECK(cudaStreamSynchronize(stream)); // the pool releases what is above its threshold
        printf("%3zu MiB in %d piece(s); the pool keeps %zu MiB\n", batches[i] / MIB, pieces,
               in_pool(cudaMemPoolAttrReservedMemCurrent));
        good = good && *last == pieces && in_pool(cudaMemPoolAttrUsedMemCurrent) == 0;
    }
    CHECK(cudaGetLastError()); // no error is left
    printf("at most %zu MiB were used\n", in_pool(cudaMemPoolAttrUsedMemHigh));
    return good ? 0 : 1;
}
