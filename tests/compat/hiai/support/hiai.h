// SPDX-License-Identifier: Apache-2.0
// What the tests of the HiAI face share: graph files, a device process, which is the test program
// itself, engines for both sides, and questions to the one on the device. Written as a user of
// Matrix would: its headers, no word of Tarn.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>

#define KIB         1024u
#define MIB         (1024u * 1024u)
#define LONG_ENOUGH 600000u // ms, for what must happen: far longer than it takes

// The call answered that status; if not, the test fails and shows both by name, and the reason.
void hiai_assert(HIAI_StatusT got, HIAI_StatusT want, const char *expression, const char *file,
                 int line);
#define assert_hiai(call, want) hiai_assert((call), (want), #call, __FILE__, __LINE__)
#define assert_hiai_ok(call)    hiai_assert((call), HIAI_OK, #call, __FILE__, __LINE__)

// ---- the graph that most tests use, and its engines
//
//   HOST   1 "Answers"  port 0: replies of the Worker, kept for hiai_ask()
//                       port 1: frames, kept for hiai_next_frame()
//   DEVICE 2 "Worker"   port 0: orders, answered at output 0
//                       port 1: frames, of which `number` says what becomes of them
//                       outputs 0 and 1 lead to the Answers; nothing is connected to output 2
//   DEVICE 3 "Gate"     port 0, port 1: frames, each freed once the gate is open; 4 places
//   HOST   4 "Here"     port 0: any pointer, kept for hiai_next_here(), once the gate here is
//                       open; output 0: what it got. 4 places
//
// Others that are registered: "Relay", port 0: frames, sent on to output 0; hiai_relayed() is the
// status of that. "Teller", port 0: frames, whose sum it answers as the Worker does.

#define GRAPH 100u
enum { ANSWERS = 1, WORKER = 2, GATE = 3, HERE = 4 };
extern const char hiai_graph_text[];

// A message with a block. Serialized as "frame".
struct frame {
    uint32_t number; // what the Worker does: see below
    uint32_t bytes;  // of data
    uint8_t *data;
    uint32_t large; // bytes more of control, to see them arrive
    uint32_t wrong; // for the serializer: fails with that status
};
enum {
    FREE_IT = 0,
    KEEP_IT = 1, // until an order FREE_KEPT
    SEND_BACK = 2,
    REJECT = 3,          // the deserializer returns NULL
    ADOPTED = 4,         // the deserializer adopts it itself
    SEND_UNCONNECTED = 5 // to the output that leads nowhere; the status is the next reply
};

// An order to the Worker, and its reply. Each is done in the device process.
enum order_kind {
    DO_DMALLOC,      // a: size, b: flag; freed again
    DO_DVPP_DMALLOC, // a: size; freed again; value: 1 when it lies at a multiple of 4096
    DO_FREE_MIXED,   // a: 0: DFree of a media block, 1: DVPP_DFree of another, 2: media block twice
    DO_SEND_FRAME,   // a: size, b: flag, or DVPP: a frame to the Answers
    DO_SUM_KEPT,     // value: the sum of the bytes of the oldest kept frame
    DO_FREE_KEPT,    // the oldest one; status of the free
    DO_OPEN_GATE,
    DO_CREATE_GRAPH,
    DO_SEND_TO_GRAPH, // a, b: engine and port, of this graph: status of the send
    DO_CONFIG,        // value: 1 when the Worker's ai_config is as in hiai_graph_text
    DO_PID,           // value: of the device process
    DO_STATS,         // value: copies << 32 | pool blocks
    DO_EXIT,          // at once, without a reply
    DO_HANG,          // for ever, after the reply
    DO_WATCH,         // has the file that HIAI_TEST_FILE names made at a disconnect
};
#define DVPP 0x100u
struct reply {
    HIAI_StatusT status;
    uint64_t value;
};

// main() of a test program: the device process, or the tests.
#define HIAI_MAIN(tests)                                                                           \
    int main(int argc, char **argv) {                                                              \
        int code;                                                                                  \
        if (hiai_lived_on_device(argc, argv, &code)) return code;                                  \
        hiai_prepare();                                                                            \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }
bool hiai_lived_on_device(int argc, char **argv, int *code);
// Registers the engines and kinds of messages, and puts away what the environment says otherwise: a
// pool of 32 MiB, this program on the device. Before the first call.
void hiai_prepare(void);

// cmocka fixtures: the graph is there, and the Worker ready; the pools are empty at the end.
int hiai_setup(void **state);
int hiai_teardown(void **state);
// The same without a graph.
int hiai_setup_alone(void **state);
int hiai_teardown_alone(void **state);

// Creates the graphs of a text, through a file that is gone afterwards.
HIAI_StatusT hiai_create(const char *text);
// Writes a text to a file, whose path is good until the next call.
const char *hiai_file(const char *text);

HIAI_PortID_t hiai_port(uint32_t engine, uint32_t port);

// ---- messages

// A block of that size, with bytes that follow from `seed`; hiai_sum() is the sum of them.
uint8_t *hiai_block(uint32_t bytes, uint32_t flag, uint32_t seed);
void hiai_fill(uint8_t *data, uint32_t bytes, uint32_t seed);
uint64_t hiai_sum(const uint8_t *data, uint32_t bytes);

// Sends a frame to the Worker, or to any engine.
HIAI_StatusT hiai_send(uint32_t number, uint8_t *data, uint32_t bytes);
HIAI_StatusT hiai_send_to(uint32_t engine, uint32_t port, uint32_t number, uint8_t *data,
                          uint32_t bytes, uint32_t timeout_ms);

struct reply hiai_ask(enum order_kind kind, uint32_t a, uint32_t b);
// Without waiting for a reply, and the wait.
void hiai_order(enum order_kind kind, uint32_t a, uint32_t b);
struct reply hiai_next_reply(void);
// The next frame at the Answers, which must come. Its block is the caller's.
struct frame hiai_next_frame(void);
uint32_t hiai_frames_waiting(void);

// What came to the engine Here.
HIAI_StatusT hiai_relayed(void);
void *hiai_next_here(void);
void hiai_close_gate_here(void);
void hiai_open_gate_here(void);

// ---- looking

struct HIAIX_Stats hiai_stats(uint32_t graph);
// Waits until no block is left, and no block of ours is at the device.
void hiai_wait_for_empty_pool(void);
// Waits until the graph's device process has said that it has so many frames kept or done with.
void hiai_nap_ms(uint32_t ms);
uint64_t hiai_now_ms(void);
// Messages that deserializers made and nobody has destroyed, in this process.
int hiai_objects(void);
// How often the serializer of "frame" was called.
int hiai_serialized(void);
