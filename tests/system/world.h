// SPDX-License-Identifier: Apache-2.0
// The world of one seed: the objects that its steps use, and the model of each. In the mode "turns"
// one thread runs at a time; in the mode "free" a step locks the model of an object while it uses
// it. Locks: a pool, a group of virtual memory or the peer; then the objects; then a content.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include <tarn/channel.h>
#include <tarn/snapshot.h>
#include <tarn/tarn.h>

#include "system/draw.h"

enum {
    DEVICES = 2,
    THREADS = 4,
    STREAMS = 6,
    POOLS = 4,
    BLOCKS = 40,
    TAGS = 4,
    MEMORIES = 6,
    GROUPS = 2,
    SPACES = 3,
    UNITS = 12, // of a space
    PHYS = 6,
    PARCELS = 6,
    PEERS = 2,
    PAGE = 4096
};

#define UNIT      UINT64_C(65536)
#define MIB       (UINT64_C(1) << 20)
#define NO_STREAM (-1) // the host's order: no work of a stream is pending

// The bytes of a block, of physical memory or of plain memory, which several addresses may show.
// Word i of page p is `id`, and its first word is stamped with p.
struct content {
    pthread_mutex_t lock;
    unsigned refs;
    uint32_t id;      // 0: not known
    int writer;       // stream of the latest write, or NO_STREAM
    uint32_t readers; // streams that have read since, by bit
};

struct block {
    atomic_flag taken; // a step uses it
    tarn_addr addr;    // 0: none
    uint64_t bytes, user;
    uint32_t tag;
    int stream;    // its own, or NO_STREAM
    uint32_t used; // streams of tarn_pool_used_on(), by bit
    bool asleep;
    struct content *content;
};

struct pool {
    pthread_rwlock_t lock; // written by steps about the pool as a whole
    tarn_pool *pool;
    tarn_pool_desc desc;
    tarn_rule rule;
    tarn_addr range; // under a FIXED pool
    int device;
    bool learns;
    uint64_t pass; // number of the next pass
    bool naps[TAGS];
    struct block blocks[BLOCKS];
    _Atomic uint64_t allocs, frees;
};

struct memory {
    atomic_flag taken;
    tarn_addr addr; // 0: none
    uint64_t bytes;
    int device;
    enum { PLAIN, IMPORT, PINNED, REGISTERED } kind;
    struct content *content;
};

struct phys {
    tarn_phys id; // 0: none
    unsigned units, refs, maps;
    int device;
    uint32_t shareable;
    struct content *content;
};

struct unit {
    int phys; // -1: nothing is mapped
    unsigned start, count;
    tarn_access rights[DEVICES];
};

struct space {
    tarn_addr addr; // 0: none
    struct unit units[UNITS];
};

struct group {
    pthread_mutex_t lock;
    struct phys phys[PHYS];
    struct space spaces[SPACES];
};

struct parcel {
    void *start; // NULL: none
    uint64_t bytes;
    uint32_t id;
};

struct peer {
    pthread_mutex_t lock;
    tarn_arena *arena;
    tarn_channel *channel;
    int sockets[PEERS];
    pid_t pids[PEERS];
    int next; // peer that is connected next
    struct parcel parcels[PARCELS];
    unsigned lent; // parcels that the peer keeps
    bool dying;    // it dies after its latest answer
};

// A range of addresses that is live.
struct range {
    tarn_addr start, end;
};

struct world {
    uint64_t seed;
    bool turns, verbose;
    bool bytes;         // the device stores bytes
    uint32_t shareable; // ways in which physical memory can be exported
    bool faults;        // calls of the device may fail
    char uri[256];
    tarn_device *devices[DEVICES];
    tarn_stream streams[STREAMS];
    tarn_event events[STREAMS];
    pthread_mutex_t stream_lock; // of the ids below
    _Atomic uint32_t last_id;
    struct pool pools[POOLS];
    struct memory memories[MEMORIES];
    struct group groups[GROUPS];
    struct peer peer;
    struct range ranges[POOLS * BLOCKS + MEMORIES + GROUPS * SPACES];
    unsigned range_count;
    pthread_mutex_t range_lock;
    _Atomic uint64_t checks, excuses;
    _Atomic uint64_t blocks, block_bytes; // of all pools
};

// One step, as its thread runs it.
struct step {
    struct world *world;
    struct draw draw;
    unsigned number, thread;
    unsigned starve; // the call of libc that fails during the next call of Tarn; 0: none
    bool excused;    // the last call failed because a failure was injected
};

// ---- step.c: calls, and the end of a seed that fails

// Prints the step and the text, and ends the process.
void step_fail(const struct step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void step_log(const struct step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// TRY(): one call of Tarn. A call of libc may fail in it. Sets step->excused.
void step_enter(struct step *step);
tarn_status step_leave(struct step *step, tarn_status status, const char *call);
#define TRY(step, call) (step_enter(step), step_leave(step, (call), #call))
// A call that must return `want`, unless a failure was injected. Returns true if it did return it.
bool step_expect(const struct step *step, tarn_status got, tarn_status want, const char *call);
#define EXPECT(step, call, want) step_expect(step, TRY(step, call), want, #call)
// A call that the model needs: it is repeated while injected failures stop it.
#define INSIST(step, call)                                                                         \
    do {                                                                                           \
        step_enter(step);                                                                          \
    } while (!step_expect(step, step_leave(step, (call), #call), TARN_OK, #call))
#define CHECK(step, condition)                                                                     \
    ((condition) ? (void)0 : step_fail(step, "%s:%d: not true: %s", __FILE__, __LINE__, #condition))

// ---- content.c: bytes, and the order of streams

struct content *content_new(struct step *step, int writer);
struct content *content_share(struct content *content);
void content_drop(struct content *content);
int stream_draw(struct step *step);
int stream_device(int stream);
// Waits on the host for all streams of a set, or for what may still use a content.
void stream_wait_all(struct step *step, uint32_t streams);
uint32_t content_users(const struct content *content);
void content_settle(struct step *step, struct content *content);
// Makes the work that `stream` gets from now on run after the uses of the content so far; after
// the writes alone if it only reads. NO_STREAM waits on the host.
void content_order(struct step *step, struct content *content, int stream, bool reads);
// Fills `bytes` at `addr`, which show the content, in a stream. `device` executes it.
void content_write(struct step *step, struct content *content, tarn_addr addr, uint64_t bytes,
                   int stream, int device);
// Compares bytes with the content, at once or by a host function behind a copy in the stream.
void content_check(struct step *step, struct content *content, tarn_addr addr, uint64_t bytes,
                   int stream, int device);
// Copies a content to another one.
void content_copy(struct step *step, struct content *to, tarn_addr dst, struct content *from,
                  tarn_addr src, uint64_t bytes, int stream, int device);
uint32_t content_word(uint32_t id, uint64_t index);

// The ranges that are live. A range that overlaps a live one ends the seed.
void range_add(struct step *step, tarn_addr start, uint64_t bytes);
void range_remove(struct step *step, tarn_addr start);
void range_extend(struct step *step, tarn_addr start, uint64_t bytes);

// ---- kinds of steps

void pool_open(struct step *step, struct pool *pool);
void pool_close(struct step *step, struct pool *pool);
void pool_step(struct step *step);
void pool_compare(struct step *step, struct pool *pool);
void memory_step(struct step *step);
void memory_close(struct step *step, struct memory *memory);
void vmm_step(struct step *step);
void vmm_compare(struct step *step, struct group *group);
void vmm_close(struct step *step, struct group *group);
void stream_step(struct step *step);

void peer_start(struct world *world); // before the first thread
void peer_open(struct step *step);
void peer_step(struct step *step);
void peer_close(struct step *step);

// The work of a stream is over, and its blocks have no stream of their own any more.
void world_forget_stream(struct world *world, int stream);
void world_open(struct step *step);
void world_compare(struct step *step); // no other step runs
void world_close(struct step *step);
