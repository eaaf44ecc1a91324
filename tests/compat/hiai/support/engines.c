// SPDX-License-Identifier: Apache-2.0
// See engines.h and hiai.h.
#include "support/engines.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// ---- boxes: what came, in order, for whoever waits

#define BOX 512

struct box {
    union {
        struct frame frame;
        struct reply reply;
        void *pointer;
    } at[BOX];
    unsigned first, count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct box frames, replies, pointers, relayed; // guard: lock
static bool gate_open, gate_here_closed;              // guard: lock
static atomic_int objects, serialized;

static void put(struct box *box, const void *what, size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    if (box->count < BOX) memcpy(&box->at[(box->first + box->count++) % BOX], what, bytes);
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
}

// False: nothing came.
static bool take(struct box *box, void *what, size_t bytes, uint32_t ms) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(ms / 1000);
    (void)pthread_mutex_lock(&lock);
    int code = 0;
    while (box->count == 0 && code == 0 && ms != 0)
        code = pthread_cond_timedwait(&changed, &lock, &until);
    bool there = box->count != 0;
    if (there) {
        memcpy(what, &box->at[box->first++ % BOX], bytes);
        box->count--;
    }
    (void)pthread_mutex_unlock(&lock);
    return there;
}

struct reply hiai_next_reply(void) {
    struct reply reply = {0, 0};
    assert_true(take(&replies, &reply, sizeof reply, LONG_ENOUGH));
    return reply;
}

struct frame hiai_next_frame(void) {
    struct frame frame = {0};
    assert_true(take(&frames, &frame, sizeof frame, LONG_ENOUGH));
    return frame;
}

uint32_t hiai_frames_waiting(void) {
    (void)pthread_mutex_lock(&lock);
    uint32_t count = frames.count;
    (void)pthread_mutex_unlock(&lock);
    return count;
}

void *hiai_next_here(void) {
    void *pointer = NULL;
    assert_true(take(&pointers, &pointer, sizeof pointer, LONG_ENOUGH));
    return pointer;
}

void engines_forget(void) {
    (void)pthread_mutex_lock(&lock);
    frames.count = replies.count = pointers.count = 0;
    gate_here_closed = false;
    (void)pthread_mutex_unlock(&lock);
}

static void set(bool *gate, bool value) {
    (void)pthread_mutex_lock(&lock);
    *gate = value;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
}

static void wait_while(const bool *gate, bool value) {
    (void)pthread_mutex_lock(&lock);
    while (*gate == value) (void)pthread_cond_wait(&changed, &lock);
    (void)pthread_mutex_unlock(&lock);
}

void hiai_close_gate_here(void) { set(&gate_here_closed, true); }

void hiai_open_gate_here(void) { set(&gate_here_closed, false); }

int hiai_objects(void) { return atomic_load(&objects); }

int hiai_serialized(void) { return atomic_load(&serialized); }

// ---- the kind of message "frame"; what arrives is of another type than what was sent

struct arrived {
    struct frame frame;
    uint64_t magic;
};
#define MAGIC UINT64_C(0x6672616d65)

static HIAI_StatusT serialize(const void *msg, void *ctrl, uint32_t *ctrl_len, uint8_t **data,
                              uint32_t *data_len, void *arg) {
    const struct frame *frame = (const struct frame *)msg;
    uint32_t needed = (uint32_t)sizeof *frame + frame->large;
    uint32_t room = *ctrl_len;
    (void)arg;
    atomic_fetch_add(&serialized, 1);
    if (frame->wrong != 0) return frame->wrong;
    *ctrl_len = needed;
    if (room < needed) return HIAI_GRAPH_TARGET_SIZE_ENOUGH;
    memcpy(ctrl, frame, sizeof *frame);
    memset((char *)ctrl + sizeof *frame, 'x', frame->large);
    *data = frame->data;
    *data_len = frame->bytes;
    return HIAI_OK;
}

static void destroy(void *msg, void *arg) {
    struct arrived *arrived = (struct arrived *)msg;
    (void)arg;
    if (arrived->frame.data != NULL) (void)HIAI_DFree(arrived->frame.data);
    free(arrived);
    atomic_fetch_sub(&objects, 1);
}

static bool all_are(const char *at, char byte, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (at[i] != byte) return false;
    return true;
}

static void *deserialize(const void *ctrl, uint32_t ctrl_len, uint8_t *data, uint32_t data_len,
                         void *arg) {
    struct arrived *arrived = (struct arrived *)calloc(1, sizeof *arrived);
    (void)arg;
    if (arrived == NULL || ctrl_len < sizeof arrived->frame) abort();
    memcpy(&arrived->frame, ctrl, sizeof arrived->frame);
    arrived->frame.data = data;
    arrived->frame.bytes = data_len;
    if (arrived->frame.number == REJECT ||
        ctrl_len != sizeof arrived->frame + arrived->frame.large ||
        !all_are((const char *)ctrl + sizeof arrived->frame, 'x', arrived->frame.large)) {
        free(arrived);
        return NULL;
    }
    arrived->magic = MAGIC;
    atomic_fetch_add(&objects, 1);
    if (arrived->frame.number == ADOPTED) (void)HIAIX_Adopt(arrived, destroy, NULL);
    return arrived;
}

// ---- Answers

static HIAI_StatusT answers(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)arg;
    if (port == 0) {
        const HIAIX_RawMessage *raw = (const HIAIX_RawMessage *)msg;
        put(&replies, raw->ctrl, sizeof(struct reply));
        return HIAI_OK;
    }
    struct arrived *arrived = (struct arrived *)msg;
    put(&frames, &arrived->frame, sizeof arrived->frame);
    arrived->frame.data = NULL; // whoever waits for it has it
    return HIAI_OK;
}

// ---- Worker

static struct frame kept[64];
static unsigned kept_first, kept_count; // of the Worker's one thread

static HIAI_StatusT free_kept(void) {
    if (kept_count == 0) return HIAI_ERROR;
    kept_count--;
    return HIAI_DFree(kept[kept_first++ % 64].data);
}

static HIAI_StatusT free_mixed(uint32_t how) {
    void *media = HIAI_DVPP_DMalloc(1000);
    void *plain = HIAI_DMalloc(1000, 0, MEMORY_ATTR_AUTO_FREE);
    HIAI_StatusT status = how == 0 ? HIAI_DFree(media) : HIAI_DVPP_DFree(how == 1 ? plain : media);
    HIAI_StatusT again = HIAI_DVPP_DFree(media);
    (void)HIAI_DFree(plain);
    return how == 2 && status == HIAI_OK ? again : status;
}

static HIAI_StatusT send_frame(HIAIX_Engine *self, uint32_t bytes, uint32_t flag) {
    struct frame frame = {.number = 0, .bytes = bytes};
    frame.data = (uint8_t *)(flag == DVPP ? HIAI_DVPP_DMalloc(bytes)
                                          : HIAI_DMalloc(bytes, LONG_ENOUGH, flag));
    if (frame.data == NULL) return HIAIX_GetLastError();
    hiai_fill(frame.data, bytes, bytes);
    HIAI_StatusT status = HIAIX_EngineSendData(self, 1, "frame", &frame, LONG_ENOUGH);
    if (flag == DVPP)
        (void)HIAI_DVPP_DFree(frame.data);
    else if (flag == MEMORY_ATTR_MANUAL_FREE)
        (void)HIAI_DFree(frame.data);
    return status;
}

static HIAI_StatusT try_dmalloc(uint32_t bytes, uint32_t flag) {
    void *block = HIAI_DMalloc(bytes, 0, flag);
    HIAI_StatusT status = HIAIX_GetLastError();
    if (block != NULL) (void)HIAI_DFree(block);
    return status;
}

static HIAI_StatusT try_dvpp(uint32_t bytes, uint64_t *aligned) {
    void *block = HIAI_DVPP_DMalloc(bytes);
    HIAI_StatusT status = HIAIX_GetLastError();
    *aligned = (uintptr_t)block % 4096 == 0;
    if (block != NULL) (void)HIAI_DVPP_DFree(block);
    return status;
}

static bool config_is_right(const HIAIX_Engine *self) {
    const char *model = HIAIX_GetConfig(self, "model");
    const char *n = HIAIX_GetConfig(self, "n");
    HIAI_PortID_t id = HIAIX_GetEngineId(self);
    return model != NULL && strcmp(model, "small") == 0 && n != NULL && strcmp(n, "3") == 0 &&
           HIAIX_GetConfig(self, "m") == NULL && id.graph_id == GRAPH && id.engine_id == WORKER;
}

static uint64_t numbers(void) {
    struct HIAIX_Stats stats = {.size = sizeof stats};
    (void)HIAIX_Stats(GRAPH, &stats);
    return stats.copies << 32 | stats.poolBlocks;
}

static HIAI_StatusT gone(uint32_t graph, void *arg) {
    const char *path = (const char *)arg;
    (void)graph;
    FILE *file = fopen(path, "w");
    if (file != NULL) (void)fclose(file);
    return HIAI_OK;
}

static void hang(void) {
    for (;;) hiai_nap_ms(1000);
}

static HIAI_StatusT watch(void) {
    return HIAIX_RegisterEventHandle(GRAPH, HIAIX_EVENT_DISCONNECT, gone, getenv("HIAI_TEST_FILE"));
}

static struct reply carry_out(HIAIX_Engine *self, const struct order *order) {
    struct reply reply = {HIAI_OK, 0};
    switch ((enum order_kind)order->kind) {
    case DO_DMALLOC: reply.status = try_dmalloc(order->a, order->b); break;
    case DO_DVPP_DMALLOC: reply.status = try_dvpp(order->a, &reply.value); break;
    case DO_FREE_MIXED: reply.status = free_mixed(order->a); break;
    case DO_SEND_FRAME: reply.status = send_frame(self, order->a, order->b); break;
    case DO_SUM_KEPT:
        reply.value =
            kept_count == 0 ? 0 : hiai_sum(kept[kept_first % 64].data, kept[kept_first % 64].bytes);
        break;
    case DO_FREE_KEPT: reply.status = free_kept(); break;
    case DO_OPEN_GATE: set(&gate_open, true); break;
    case DO_CREATE_GRAPH:
        reply.status = HIAI_CreateGraph("any", 3);
        reply.value = HIAI_DestroyGraph(GRAPH);
        break;
    case DO_SEND_TO_GRAPH: reply.status = hiai_send_to(order->a, order->b, 0, NULL, 0, 0); break;
    case DO_CONFIG: reply.value = config_is_right(self); break;
    case DO_STATS: reply.value = numbers(); break;
    case DO_EXIT: _exit(0);
    case DO_HANG: // once it was answered
        break;
    case DO_WATCH: reply.status = watch(); break;
    case DO_PID: reply.value = (uint64_t)getpid(); break;
    }
    return reply;
}

static HIAI_StatusT answer(HIAIX_Engine *self, struct reply reply) {
    HIAI_PortID_t to = HIAIX_GetEngineId(self);
    to.engine_id = ANSWERS;
    return HIAIX_SendRaw(to, "reply", &reply, sizeof reply, NULL, 0, LONG_ENOUGH);
}

static HIAI_StatusT work_on(HIAIX_Engine *self, struct arrived *arrived) {
    HIAI_StatusT status = HIAI_OK;
    if (arrived->magic != MAGIC) return HIAI_ERROR;
    switch (arrived->frame.number) {
    case KEEP_IT:
        kept[(kept_first + kept_count++) % 64] = arrived->frame;
        arrived->frame.data = NULL;
        return HIAI_OK;
    case SEND_BACK:
        status = HIAIX_EngineSendData(self, 1, "frame", arrived, LONG_ENOUGH);
        if (status == HIAI_OK) arrived->frame.data = NULL; // moved on
        return status;
    case SEND_UNCONNECTED:
        return answer(self, (struct reply){HIAIX_EngineSendData(self, 2, "frame", arrived, 0), 0});
    default: return HIAI_OK; // destroyed with its block
    }
}

static HIAI_StatusT worker(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)arg;
    if (port == 1) return work_on(self, (struct arrived *)msg);
    const HIAIX_RawMessage *raw = (const HIAIX_RawMessage *)msg;
    struct order order;
    if (strcmp(raw->name, "order") != 0 || raw->ctrlLen != sizeof order) return HIAI_ERROR;
    memcpy(&order, raw->ctrl, sizeof order);
    HIAI_StatusT status = answer(self, carry_out(self, &order));
    if (order.kind == DO_HANG) hang();
    return status;
}

// ---- Relay and Teller

static HIAI_StatusT relay(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    struct reply reply = {HIAIX_EngineSendData(self, port, "frame", msg, LONG_ENOUGH), 0};
    (void)arg;
    put(&relayed, &reply, sizeof reply);
    return HIAI_OK;
}

HIAI_StatusT hiai_relayed(void) {
    struct reply reply = {0, 0};
    assert_true(take(&relayed, &reply, sizeof reply, LONG_ENOUGH));
    return reply.status;
}

static HIAI_StatusT teller(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    const struct arrived *arrived = (const struct arrived *)msg;
    (void)port;
    (void)arg;
    return answer(self,
                  (struct reply){HIAI_OK, hiai_sum(arrived->frame.data, arrived->frame.bytes)});
}

// ---- Gate and Here

static HIAI_StatusT gate(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)port;
    (void)msg;
    (void)arg;
    wait_while(&gate_open, false);
    return HIAI_OK;
}

static HIAI_StatusT here(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)port;
    (void)arg;
    put(&pointers, &msg, sizeof msg);
    wait_while(&gate_here_closed, true);
    (void)HIAIX_EngineSendData(self, 0, "pointer", msg, 0);
    return HIAI_OK;
}

void engines_register(void) {
    assert_hiai_ok(HIAIX_RegisterEngine("Answers", 2, 0, answers, NULL));
    assert_hiai_ok(HIAIX_RegisterEngine("Worker", 2, 3, worker, NULL));
    assert_hiai_ok(HIAIX_RegisterEngine("Gate", 2, 0, gate, NULL));
    assert_hiai_ok(HIAIX_RegisterEngine("Here", 1, 1, here, NULL));
    assert_hiai_ok(HIAIX_RegisterEngine("Relay", 1, 1, relay, NULL));
    assert_hiai_ok(HIAIX_RegisterEngine("Teller", 1, 0, teller, NULL));
    assert_hiai_ok(HIAIX_RegisterSerialize("frame", serialize, deserialize, destroy, NULL));
}
