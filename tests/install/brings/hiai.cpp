// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/api.h hiaiengine/engine.h hiaiengine/graph.h hiaiengine/log.h
// HEADERS: hiaiengine/data_type.h hiaiengine/data_type_reg.h hiaiengine/multitype_queue.h
// Uses names as programs for engines do, without an include of its own.
using namespace hiai;
using namespace std;

enum { MY_ERROR_CODE = 1, MY_OTHER_CODE };
HIAI_DEF_ERROR_CODE(0x421, HIAI_ERROR, MY_ERROR, std::string("mine"))
HIAI_DEF_ERROR_CODE(0x421, HIAI_ERROR, MY_OTHER, "mine, too");

RawDataBuffer raw({0, nullptr});

uint32_t flag_of(bool manual) {
    const HIAI_MEMORY_ATTR attribute =
        manual ? HIAI_MEMORY_ATTR_MANUAL_FREE : HIAI_MEMORY_ATTR_ATUO_FREE;
    const HIAI_Memory_attr_t same = MEMORY_ATTR_MANUAL_FREE;
    switch (attribute) {
    case HIAI_MEMORY_ATTR_NONE:
    case HIAI_MEMORY_ATTR_MAX: return 0;
    default: return attribute == same ? 1u : 2u;
    }
}

int standard_names() {
    mutex lock;
    condition_variable changed;
    set<int> numbers{2, 1};
    map<string, shared_ptr<void>> pointers;
    vector<uint8_t> bytes(PATH_MAX, '\0');
    thread worker([&] {
        lock_guard<mutex> guard(lock);
        signal(SIGINT, SIG_DFL);
        changed.notify_one();
    });
    worker.join();
    function<int()> count = [&] {
        return static_cast<int>(
            count_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; }));
    };
    char text[8];
    return memset_s(text, sizeof text, 0, sizeof text) + printf("%s", text) + count() +
           static_cast<int>(numbers.size() + pointers.size());
}
