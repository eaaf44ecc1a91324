// SPDX-License-Identifier: Apache-2.0
// Headers that need no graph: statuses of programs, lists of graphs, queues.
#include "support/cplusplus.h"

#include <hiaiengine/multitype_queue.h>

enum { HIAI_IDE_ERROR_CODE = 5, ODD_WARNING_CODE = 0x1FFF, HIGH_INFO_CODE = 1 };
HIAI_DEF_ERROR_CODE(0x0421, HIAI_ERROR, HIAI_IDE_ERROR, "all is lost")
HIAI_DEF_ERROR_CODE(0x7002, HIAI_WARNING, ODD_WARNING, "odd");
HIAI_DEF_ERROR_CODE(0x8001, HIAI_INFO, HIGH_INFO, "high")

static int of_status(HIAI_StatusT status) {
    switch (status) {
    case HIAI_IDE_ERROR: return 1;
    case HIAI_OK: return 2;
    default: return 3;
    }
}

static void statuses_of_programs_are_constants_with_texts(void **) {
    static_assert(HIAI_IDE_ERROR == 0x04213005u && ODD_WARNING == 0x70022FFFu &&
                      HIGH_INFO == 0x80011001u,
                  "numbers of the interface");
    assert_int_equal(of_status(HIAI_IDE_ERROR), 1);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIAI_IDE_ERROR), 3);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(ODD_WARNING), 2);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIGH_INFO), 1);
    const std::integral_constant<HIAI_StatusT, HIGH_INFO> argument{};
    assert_int_equal(argument.value, 0x80011001u);
    assert_string_equal(HIAI_GET_ERROR_STR(HIAI_IDE_ERROR).c_str(), "all is lost");
    assert_string_equal(HIAI_GET_ERROR_STR(HIGH_INFO).c_str(), "high");
}

static void enumerators_and_lists_are_those_of_protobuf(void **) {
    static_assert(hiai::EngineConfig_RunSide_DEVICE == 0 && hiai::EngineConfig_RunSide_HOST == 1,
                  "numbers of the interface");
    hiai::GraphConfigList list, copy;
    assert_int_equal(hiai::EngineConfig().side(), hiai::EngineConfig::DEVICE);
    list.add_graphs()->set_graph_id(3);
    list.mutable_graphs(0)->add_engines()->set_engine_name("e");
    copy.CopyFrom(list);
    list.clear_graphs();
    assert_int_equal(list.graphs_size(), 0);
    assert_int_equal(copy.graphs_size(), 1);
    list.add_graphs()->CopyFrom(copy.graphs(0));
    assert_string_equal(list.graphs(0).engines(0).engine_name().c_str(), "e");
    assert_false(list.graphs(0).engines(0).has_ai_config());
}

static void queues_of_several_types_give_all_or_nothing(void **) {
    hiai::MultiTypeQueue queue(2, 3);
    std::shared_ptr<void> any = std::make_shared<int>(1), got;
    std::shared_ptr<int> a, b, c;
    for (int i = 0; i < 4; i++) assert_true(queue.PushData(0, any) == (i < 3));
    assert_false(queue.PushData(2, any));
    assert_false(queue.PushData(0, nullptr));
    assert_true(queue.FrontData(0, got) && queue.FrontData(0, got));
    assert_false(queue.PopAllData(a, b));
    assert_true(queue.PushData(1, std::make_shared<int>(2)));
    assert_false(queue.PopAllData(a, b, c));
    assert_true(queue.PopAllData(a, b) && *a == 1 && *b == 2);
    hiai::MultiTypeQueue aging(1, 3, 50);
    assert_true(aging.PushData(0, any));
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    assert_true(aging.FrontData(0, got));
    assert_false(aging.PopData(0, got));
}

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_of_programs_are_constants_with_texts),
        cmocka_unit_test(enumerators_and_lists_are_those_of_protobuf),
        cmocka_unit_test(queues_of_several_types_give_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
