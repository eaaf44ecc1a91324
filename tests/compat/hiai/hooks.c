// SPDX-License-Identifier: Apache-2.0
// The functions on which the C++ headers are built, used from C: owners, objects, both paths,
// receivers, texts, logs.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hiaiengine/hiaix_hooks.h>
#include <hiaiengine/log.h>

#include "support/hiai.h"

#define ID 41u
static const char text[] =
    "graphs { graph_id: 41 device_id: \"2\"\n"
    "  engines { id: 1 engine_name: \"Object\" side: HOST ai_config { items { name: \"a\" value: "
    "\"1\"\n"
    "    sub_items { name: \"b\" } } } }\n"
    "  engines { id: 2 engine_name: \"Object\" side: DEVICE }\n"
    "  connects { src_engine_id: 2 src_port_id: 0 target_engine_id: 1 target_port_id: 0 } }\n";

// ---- a message type "note": a string of malloc(), with a counter of its owners

struct note {
    atomic_int owners;
    char text[100];
};
static atomic_int notes;

static void *copy_owner(void *owner) {
    atomic_fetch_add(&((struct note *)owner)->owners, 1);
    return owner;
}

static void release_owner(void *owner) {
    if (atomic_fetch_sub(&((struct note *)owner)->owners, 1) == 1) {
        free(owner);
        atomic_fetch_sub(&notes, 1);
    }
}

static const struct HIAIX_OwnerOps note_ops = {7, copy_owner, release_owner};

static struct HIAIX_Message new_note(const char *what) {
    struct note *note = (struct note *)calloc(1, sizeof *note);
    assert_non_null(note);
    atomic_init(&note->owners, 1);
    (void)snprintf(note->text, sizeof note->text, "%s", what);
    atomic_fetch_add(&notes, 1);
    return (struct HIAIX_Message){note, note, &note_ops};
}

static atomic_int fast_writes, released;

static HIAI_StatusT write_fast(const void *msg, struct HIAIX_Bytes *out, void *arg) {
    out->ctrl = ((const struct note *)msg)->text;
    out->ctrlLen = strlen(((const struct note *)msg)->text);
    out->keep = arg;
    atomic_fetch_add(&fast_writes, 1);
    return HIAI_OK;
}

static void release_bytes(void *keep) { atomic_fetch_add((atomic_int *)keep, 1); }

static HIAI_StatusT read_note(const struct HIAIX_Bytes *in, struct HIAIX_Message *out, void *arg) {
    (void)arg;
    if (in->ctrlLen > 90) return HIAI_ERROR;
    *out = new_note("");
    memcpy(((struct note *)out->msg)->text, in->ctrl, in->ctrlLen);
    return HIAI_OK;
}

// ---- an engine whose object is a number; on the device it adds "!" to a note

static atomic_int objects_alive, inits, in_process;
static pthread_mutex_t updating = PTHREAD_MUTEX_INITIALIZER; // two threads of the device
static char updated[100];                                    // guard: updating

static HIAI_StatusT create(HIAIX_Engine *self, void **object, void *arg) {
    assert_hiai_ok(HIAIX_SetPorts(self, 1, 2));
    assert_hiai(HIAIX_SetPorts(self, 17, 0), HIAI_GRAPH_INVALID_VALUE);
    *object = malloc(1);
    atomic_fetch_add(&objects_alive, 1);
    return arg == NULL ? HIAI_OK : HIAI_ERROR;
}

static HIAI_StatusT init(HIAIX_Engine *self, void *object) {
    (void)object;
    atomic_fetch_add(&inits, 1);
    return strstr(HIAIX_GetEngineText(self), "refuse") == NULL ? HIAI_OK : 0x04213005u;
}

static HIAI_StatusT process(HIAIX_Engine *self, uint32_t port, struct HIAIX_Message *message,
                            void *object) {
    struct note *note = (struct note *)message->msg;
    (void)port;
    (void)object;
    (void)pthread_mutex_lock(&updating);
    if (HIAIX_GetEngineId(self).engine_id == 2)
        (void)strcat(note->text, updated[0] != '\0' ? updated : "!");
    (void)pthread_mutex_unlock(&updating);
    atomic_fetch_add(&in_process, 1);
    return HIAIX_EngineSendMessage(self, 0, "note", message, 0);
}

static HIAI_StatusT update(HIAIX_Engine *self, const char *config, size_t length, void *object) {
    (void)self;
    (void)object;
    (void)pthread_mutex_lock(&updating);
    (void)snprintf(updated, sizeof updated, "%.*s", (int)length, config);
    bool refuses = strcmp(updated, "refuse") == 0;
    (void)pthread_mutex_unlock(&updating);
    return refuses ? HIAI_ERROR : HIAI_OK;
}

static void destroy(void *object) {
    free(object);
    atomic_fetch_sub(&objects_alive, 1);
}

static const struct HIAIX_EngineClass object_class = {5,      create,  init, process,
                                                      update, destroy, NULL};

__attribute__((constructor)) static void register_here(void) {
    static const struct HIAIX_MessageType fast = {write_fast, release_bytes, read_note, &released};
    (void)HIAIX_RegisterEngineClass("Object", &object_class);
    (void)HIAIX_RegisterMessageType("note", HIAIX_PATH_FAST, &fast);
}

// ---- what a receiver hears

static char heard[100];
static atomic_int heard_count, dropped;

static HIAI_StatusT receive(const struct HIAIX_Message *message, void *arg) {
    (void)snprintf(heard, sizeof heard, "%s%s", (const char *)arg,
                   ((struct note *)message->msg)->text);
    atomic_fetch_add(&heard_count, 1);
    return HIAI_OK;
}

static void drop(void *arg) {
    (void)arg;
    atomic_fetch_add(&dropped, 1);
}

static HIAI_StatusT watch(uint32_t graph, void *arg) {
    (void)graph;
    (void)arg;
    return HIAI_OK;
}

static int set_up(void **state) {
    HIAI_PortID_t out = {ID, 1, 0};
    int failed = hiai_setup_alone(state);
    assert_hiai_ok(HIAIX_CreateGraphText(text, strlen(text)));
    assert_hiai_ok(HIAIX_SetReceiver(out, receive, (void *)(uintptr_t) "1", drop));
    assert_hiai_ok(HIAIX_SetReceiver(out, receive, (void *)(uintptr_t) "2", drop));
    atomic_store(&heard_count, 0);
    atomic_store(&dropped, 0);
    return failed;
}

static int tear_down(void **state) {
    assert_hiai_ok(HIAI_DestroyGraph(ID));
    assert_int_equal(atomic_load(&dropped), 2);
    assert_int_equal(atomic_load(&objects_alive), 0);
    return hiai_teardown_alone(state);
}

// Waits for `count` messages. After minutes it fails with the place where the message was seen
// last.
static void hear(int count) {
    uint64_t until = hiai_now_ms() + LONG_ENOUGH / 4;
    while (atomic_load(&heard_count) < count && hiai_now_ms() < until) hiai_nap_ms(1);
    if (atomic_load(&heard_count) < count) {
        struct HIAIX_Stats s = hiai_stats(ID);
        fail_msg("%llu sent, %llu received, %llu here, %llu rejected, %llu failed, %llu late",
                 (unsigned long long)s.sends, (unsigned long long)s.receives,
                 (unsigned long long)s.localSends, (unsigned long long)s.rejected,
                 (unsigned long long)s.failures, (unsigned long long)s.sendTimeouts);
    }
}

// ---- tests

static void message_crosses_and_comes_back_with_an_owner(void **state) {
    HIAI_PortID_t to = {ID, 2, 0};
    struct HIAIX_Message message = new_note("abc");
    (void)state;
    assert_hiai_ok(HIAIX_SendMessage(to, "note", &message, LONG_ENOUGH));
    assert_int_equal(((struct note *)message.msg)->owners, 1); // serialized, not kept
    assert_int_equal(atomic_load(&released), atomic_load(&fast_writes));
    hear(1);
    assert_string_equal(heard, "2abc!"); // by the receiver that was set last
    release_owner(message.owner);
    while (atomic_load(&notes) != 0) hiai_nap_ms(1);
    assert_hiai(HIAIX_SendMessage(to, "note", NULL, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_EngineSendMessage(NULL, 0, "note", NULL, 0), HIAI_GRAPH_INVALID_VALUE);
}

static void message_on_one_side_is_shared_until_the_engine_has_finished(void **state) {
    HIAI_PortID_t to = {ID, 1, 0};
    struct HIAIX_Message message = new_note("x");
    struct HIAIX_Message other = {message.msg, copy_owner(message.owner), &note_ops};
    (void)state;
    assert_hiai_ok(HIAIX_SendMessage(to, "no such type", &message, 0));
    assert_hiai_ok(HIAIX_SendMessage(to, "no such type", &other, 0)); // two owners, one address
    release_owner(message.owner);
    release_owner(other.owner);
    hear(2);
    while (atomic_load(&notes) != 0) hiai_nap_ms(1);
}

static void update_runs_on_the_side_of_the_engine(void **state) {
    HIAI_PortID_t to = {ID, 2, 0};
    struct HIAIX_Message message = new_note("abc");
    (void)state;
    assert_hiai_ok(HIAIX_UpdateEngine(ID, 2, "-d", 2, 1));
    assert_string_equal(updated, "");
    assert_hiai_ok(HIAIX_SendMessage(to, "note", &message, LONG_ENOUGH));
    release_owner(message.owner);
    hear(1);
    assert_string_equal(heard, "2abc-d");
    assert_hiai_ok(HIAIX_UpdateEngine(ID, 2, "-d", 2, 0));
    assert_hiai(HIAIX_UpdateEngine(ID, 2, "refuse", 6, 1), HIAI_GRAPH_UPDATE_CONFIG_FAILED);
    assert_hiai_ok(HIAIX_UpdateEngine(ID, 1, "here", 4, 0));
    assert_string_equal(updated, "here");
    updated[0] = '\0';
    assert_hiai(HIAIX_UpdateEngine(ID, 9, "", 0, 1), HIAI_ENGINE_ID_NOT_EXIST);
    assert_hiai(HIAIX_UpdateEngine(9, 1, "", 0, 1), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAIX_UpdateEngine(ID, 1, NULL, 0, 1), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_UpdateEngine(ID, 2, "", (15u << 20) + 1, 1), HIAI_GRAPH_DATA_SIZE_WRONG);
}

static void graph_and_engine_answer_questions(void **state) {
    uint32_t device = 9;
    (void)state;
    assert_hiai_ok(HIAIX_GetDeviceId(ID, &device));
    assert_int_equal(device, 2);
    assert_hiai(HIAIX_GetDeviceId(ID, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_non_null(HIAIX_GetObject(ID, 1, 5));
    assert_null(HIAIX_GetObject(ID, 1, HIAIX_ENGINE_CPLUSPLUS));
    assert_null(HIAIX_GetObject(ID, 2, 5)); // in the other process
    assert_null(HIAIX_GetEngineName(NULL));
    assert_null(HIAIX_GetEngineText(NULL));
    assert_hiai(HIAIX_SetPorts(NULL, 1, 1), HIAI_ENGINE_NULL_POINTER);
    assert_hiai_ok(HIAIX_SetEventHandler(ID, HIAIX_EVENT_DISCONNECT, watch, NULL, NULL));
}

static void failing_init_fails_the_creation_on_either_side(void **state) {
    static const char *const side[] = {"HOST", "DEVICE"};
    char refusing[300];
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(
            refusing, sizeof refusing,
            "graphs { graph_id: 42 engines { id: 1 engine_name: \"Object\" side: HOST }\n"
            "engines { id: 2 engine_name: \"Object\" side: %s # refuse\n } }",
            side[i]);
        assert_hiai(HIAIX_CreateGraphText(refusing, strlen(refusing)),
                    HIAI_GRAPH_ENGINE_INIT_FAILED);
        assert_non_null(strstr(HIAIX_GetLastErrorText(), "0x04213005"));
        assert_int_equal(atomic_load(&objects_alive), 1); // of the other graph
        assert_hiai(HIAI_DestroyGraph(42), HIAI_GRAPH_NOT_EXIST);
    }
    assert_hiai(HIAIX_CreateGraphText(NULL, 0), HIAI_GRAPH_INVALID_VALUE);
}

static void registrations_are_checked(void **state) {
    struct HIAIX_MessageType type = {write_fast, release_bytes, read_note, NULL};
    struct HIAIX_EngineClass class = object_class;
    (void)state;
    assert_hiai_ok(HIAIX_RegisterMessageType("note", HIAIX_PATH_COMMON, &type)); // another path
    assert_hiai(HIAIX_RegisterMessageType("note", HIAIX_PATH_COMMON, &type),
                HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai_ok(HIAIX_UnregisterMessageType("note", HIAIX_PATH_COMMON));
    assert_hiai(HIAIX_UnregisterMessageType("note", HIAIX_PATH_COMMON),
                HIAI_GRAPH_SEARFUNC_IS_NULL);
    assert_hiai(HIAIX_RegisterMessageType("n", HIAIX_PATH_FAST, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_RegisterMessageType("n", (enum HIAIX_Path)2, &type),
                HIAI_GRAPH_INVALID_VALUE);
    type.read = NULL;
    assert_hiai(HIAIX_RegisterMessageType("n", HIAIX_PATH_FAST, &type), HIAI_ENGINE_FUNCTOR_NULL);
    assert_hiai(HIAIX_RegisterEngineClass("Object", &class), HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai(HIAIX_RegisterEngineClass("O", NULL), HIAI_GRAPH_INVALID_VALUE);
    class.create = NULL;
    assert_hiai(HIAIX_RegisterEngineClass("O", &class), HIAI_ENGINE_FUNCTOR_NULL);
}

// Claims to have as many bytes as its argument says. They are not read if they are too many.
static HIAI_StatusT write_too_much(const void *msg, struct HIAIX_Bytes *out, void *arg) {
    out->ctrl = msg;
    out->ctrlLen = *(const size_t *)msg;
    out->keep = arg;
    return HIAI_OK;
}

static void messages_are_bounded_by_their_path(void **state) {
    static atomic_int freed;
    struct HIAIX_MessageType type = {write_too_much, release_bytes, read_note, &freed};
    HIAI_PortID_t to = {ID, 2, 0};
    size_t bytes[] = {(16u << 20) + 1, (256u << 20) + 1};
    (void)state;
    atomic_store(&freed, 0);
    for (int i = 0; i < 2; i++) {
        enum HIAIX_Path path = i == 0 ? HIAIX_PATH_FAST : HIAIX_PATH_COMMON;
        assert_hiai_ok(HIAIX_RegisterMessageType("much", path, &type));
        assert_hiai(HIAIX_SendData(to, "much", &bytes[i], 0), HIAI_GRAPH_DATA_SIZE_WRONG);
        assert_int_equal(atomic_load(&freed), i + 1);
        assert_hiai_ok(HIAIX_UnregisterMessageType("much", path));
    }
}

static void status_of_a_program_has_a_text(void **state) {
    (void)state;
    assert_string_equal(HIAIX_GetStatusText(0x70022FFF), "");
    assert_hiai_ok(HIAIX_RegisterStatusText(0x70022FFF, "all is lost"));
    assert_hiai_ok(HIAIX_RegisterStatusText(0x70022FFF, "another"));
    assert_string_equal(HIAIX_GetStatusText(0x70022FFF), "all is lost");
    assert_string_equal(HIAIX_StatusStr(0x70022FFF), "all is lost");
    assert_hiai(HIAIX_RegisterStatusText(1, NULL), HIAI_GRAPH_INVALID_VALUE);
}

static void log_is_off_unless_the_environment_wants_it(void **state) {
    struct HIAIX_LogPlace place = {"function", "file.c", 1, NULL, NULL};
    (void)state;
    assert_int_equal(HIAIX_LogEnabled(HIAI_FATAL), 0);
    HIAIX_LogWrite(HIAI_FATAL, &place, "nobody reads this");
    HIAIX_LogUnsupported(&place, "this is not here");
    assert_string_equal(HIAIX_GetLastErrorText(), "function: this is not here");
    HIAI_ENGINE_LOG_IMPL("function", "file.c", 1, MODID_OTHER, HIAI_INIT_FAIL, "nor %s", "this");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(message_crosses_and_comes_back_with_an_owner),
    TEST(message_on_one_side_is_shared_until_the_engine_has_finished),
    TEST(update_runs_on_the_side_of_the_engine),
    TEST(graph_and_engine_answer_questions),
    TEST(failing_init_fails_the_creation_on_either_side),
    TEST(registrations_are_checked),
    TEST(messages_are_bounded_by_their_path),
    cmocka_unit_test(status_of_a_program_has_a_text),
    cmocka_unit_test(log_is_off_unless_the_environment_wants_it),
};

HIAI_MAIN(tests)
