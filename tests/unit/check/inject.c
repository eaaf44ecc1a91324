// SPDX-License-Identifier: Apache-2.0
// The handshake with clients old and new, from many images and threads, over fork() and while the
// program ends.
#include "world.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/extension.h"
#include "check/inject.h"

enum { PLACES = 8 };

// One linked image with a client in it. A table function has no argument: it is about `current`.
struct image {
    mstxFuncPointer slot[4][PLACES];
    mstxFuncPointer *table[4][PLACES]; // by module; the extension is module 0
    unsigned size[4];                  // 0: the client has no such module
};

static __thread struct image *current;

static void no_function(void) {}

static int get_table(mstxFuncModule module, mstxFuncTable *table, unsigned *size) {
    unsigned index = (unsigned)module == TN_EXTENSION_MODULE ? 0 : (unsigned)module;
    if (table == NULL || size == NULL || (index == 0 && module == 0) || index > 3 ||
        current->size[index] == 0)
        return MSTX_FAIL;
    *table = current->table[index];
    *size = current->size[index];
    return MSTX_SUCCESS;
}

// Slots beyond the size of a module's table do not exist for this client.
static void make_image(struct image *image, unsigned extension, unsigned core, unsigned domain,
                       unsigned memory) {
    const unsigned sizes[4] = {extension, core, domain, memory};
    memset(image, 0, sizeof *image);
    for (unsigned m = 0; m < 4; m++) {
        image->size[m] = sizes[m];
        for (unsigned id = 0; id < PLACES; id++) {
            image->slot[m][id] = no_function;
            image->table[m][id] = id == 0 || id >= sizes[m] ? NULL : &image->slot[m][id];
        }
    }
}

static int inject(struct image *image) {
    current = image;
    return InitInjectionMstx(get_table);
}

static unsigned filled(const struct image *image, unsigned module) {
    unsigned count = 0;
    for (unsigned id = 0; id < PLACES; id++) count += image->slot[module][id] != no_function;
    return count;
}

static void every_slot_of_a_new_client_is_filled(void **state) {
    (void)state;
    struct image image;
    make_image(&image, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
    assert_int_equal(inject(&image), MSTX_SUCCESS);
    assert_int_equal(filled(&image, 1), 4);
    assert_int_equal(filled(&image, 2), 5);
    assert_int_equal(filled(&image, 3), 5);
    assert_int_equal(inject(&image), MSTX_SUCCESS);
}

static void old_clients_are_served_as_far_as_they_go(void **state) {
    (void)state;
    struct image image;
    make_image(&image, 0, 4, 0, 0); // three functions of the core, and no other module
    assert_int_equal(inject(&image), MSTX_SUCCESS);
    assert_int_equal(filled(&image, 1), 3);
    assert_int_equal(filled(&image, 2) + filled(&image, 3), 0);
    make_image(&image, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, 5); // before permissions
    assert_int_equal(inject(&image), MSTX_SUCCESS);
    assert_int_equal(filled(&image, 3), 4);
    assert_int_equal(InitInjectionMstx(NULL), MSTX_FAIL);
}

static void a_client_with_tarn_gives_whole_notes(void **state) {
    (void)state;
    struct image image;
    make_image(&image, TN_EXTENSION_SIZE, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE,
               MSTX_API_CORE_MEM_SIZE);
    assert_int_equal(inject(&image), MSTX_SUCCESS);
    assert_int_equal(filled(&image, 0), 1);
    assert_int_equal(filled(&image, 1) + filled(&image, 2) + filled(&image, 3), 0);
    tn_extension_event take = (tn_extension_event)image.slot[0][TN_EXTENSION_EVENT];
    struct tn_mem_event event = {.size = 40,
                                 .kind = TN_MEM_MARK}; // of an image with a shorter struct
    take(&event);
    assert_int_equal(tn_check_model.stats.steps, 1);
}

static void images_share_one_state(void **state) {
    (void)state;
    struct image one;
    struct image two;
    make_image(&one, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
    make_image(&two, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
    assert_int_equal(inject(&one), MSTX_SUCCESS);
    assert_int_equal(inject(&two), MSTX_SUCCESS);
    mstxDomainCreateAFunc create_one = (mstxDomainCreateAFunc)one.slot[2][1];
    mstxDomainCreateAFunc create_two = (mstxDomainCreateAFunc)two.slot[2][1];
    assert_ptr_equal(create_one("both"), create_two("both"));
}

static pthread_barrier_t all_there;

static void *first_call(void *argument) {
    struct image *image = (struct image *)argument;
    (void)pthread_barrier_wait(&all_there);
    assert_int_equal(inject(image), MSTX_SUCCESS);
    mstxDomainCreateAFunc create = (mstxDomainCreateAFunc)image->slot[2][1];
    return (void *)create("everybody");
}

static void a_hundred_threads_may_come_first(void **state) {
    (void)state;
    enum { COUNT = 100 };
    static struct image image[COUNT];
    pthread_t thread[COUNT];
    void *domain[COUNT];
    assert_int_equal(pthread_barrier_init(&all_there, NULL, COUNT), 0);
    for (int i = 0; i < COUNT; i++) {
        make_image(&image[i], 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
        assert_int_equal(pthread_create(&thread[i], NULL, first_call, &image[i]), 0);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(pthread_join(thread[i], &domain[i]), 0);
        assert_ptr_equal(domain[i], domain[0]);
    }
    (void)pthread_barrier_destroy(&all_there);
}

// ---- the end

// Its status; what it prints is not looked at.
static int status_of_child(void (*child)(void)) {
    pid_t pid = fork();
    int status = 0;
    assert_true(pid >= 0);
    if (pid == 0) {
        child();
        _exit(tn_check_finish());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void do_nothing(void) {}

static void leak_one(void) { region_at(NULL, BASE + 4096, 64); }

static void leak_none(void) {
    end_handle(region_at(NULL, BASE + 4096, 64));
    end_pointer(BASE); // that of the parent
}

static void a_child_answers_for_itself_alone(void **state) {
    (void)state;
    struct image image;
    make_image(&image, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
    assert_int_equal(inject(&image), MSTX_SUCCESS);
    region_at(heap_at(BASE, 8192), BASE, 64);
    end_handle(at(1));
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE); // an error of the parent
    assert_int_equal(status_of_child(do_nothing), 0);
    assert_int_equal(status_of_child(leak_none), 0);
    assert_int_equal(status_of_child(leak_one), 0);
    options.child_exitcode = 5;
    assert_int_equal(status_of_child(leak_one), 5);
    reset();
}

static _Atomic bool enough;

static void *keep_coming(void *argument) {
    while (!enough) {
        struct image image;
        make_image(&image, 0, MSTX_API_CORE_SIZE, MSTX_API_CORE2_SIZE, MSTX_API_CORE_MEM_SIZE);
        (void)inject(&image);
        end_handle(region_at(NULL, BASE + (uint64_t)(uintptr_t)argument, 64));
    }
    return NULL;
}

static void *fork_and_use(void *argument) {
    (void)argument;
    for (int i = 0; i < 20; i++) (void)status_of_child(leak_none);
    return NULL;
}

// Forks while other threads are inside the model.
static void a_child_finds_the_model_whole(void **state) {
    (void)state;
    pthread_t forker;
    region_at(heap_at(BASE, 1 << 20), BASE, 64);
    pthread_t busy;
    assert_int_equal(pthread_create(&busy, NULL, keep_coming, at(UINT64_C(1) << 32)), 0);
    assert_int_equal(pthread_create(&forker, NULL, fork_and_use, NULL), 0);
    assert_int_equal(pthread_join(forker, NULL), 0);
    enough = true;
    assert_int_equal(pthread_join(busy, NULL), 0);
    enough = false;
    expect_none();
}

static void exit_with_threads_inside(void) {
    pthread_t thread;
    for (uint64_t i = 0; i < 4; i++) (void)pthread_create(&thread, NULL, keep_coming, at(i << 32));
    exit(0); // runs the library's destructor while they go on
}

static void the_program_may_end_at_any_time(void **state) {
    (void)state;
    options.leaks = TN_CHECK_LEAKS_OFF; // those threads may be between two calls
    for (int i = 0; i < 5; i++) assert_int_equal(status_of_child(exit_with_threads_inside), 0);
}

static int quiet(void **state) {
    (void)fresh(state);
    strcpy(options.log_path, "/dev/null");
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, quiet)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_program_may_end_at_any_time),      TEST(a_hundred_threads_may_come_first),
        TEST(every_slot_of_a_new_client_is_filled), TEST(old_clients_are_served_as_far_as_they_go),
        TEST(a_client_with_tarn_gives_whole_notes), TEST(images_share_one_state),
        TEST(a_child_answers_for_itself_alone),     TEST(a_child_finds_the_model_whole),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    reset();
    return failed;
}
