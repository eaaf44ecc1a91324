// SPDX-License-Identifier: Apache-2.0
// Engines as a user writes them, in a shared object that is linked to nothing and hides its names.
// The tests load it on both sides. Its class Note is that of the tests, written a second time.
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>
#include <hiaiengine/multitype_queue.h>

using namespace hiai;
using namespace std;

// ---- a type with both paths, one with the copying path, and one with the zero-copy path

#ifdef HIAIX_HAS_CEREAL
struct Note {
    std::string text;
    HIAI_SERIALIZE(text)
};
HIAI_REGISTER_DATA_TYPE("note", Note);
HIAI_REGISTER_DATA_TYPE("both", Note)
#endif

namespace {

void write_text(void *input, std::string &ctrl, uint8_t *&, uint32_t &) {
    ctrl = "fast " + *static_cast<std::string *>(input);
}

std::shared_ptr<void> read_text(const char *ctrl, const uint32_t &size, const unsigned char *,
                                const uint32_t &) {
    return std::make_shared<std::string>(ctrl, size);
}

// A block that is sent on belongs to the other side, which may send it again at the same address: the
// message must not free it then.
struct Block {
    uint32_t size = 0;
    std::shared_ptr<uint8_t> data;
    std::shared_ptr<bool> sent = std::make_shared<bool>(false);
};

void write_block(void *input, std::string &ctrl, uint8_t *&data, uint32_t &size) {
    const Block *block = static_cast<Block *>(input);
    ctrl.assign(reinterpret_cast<const char *>(&block->size), sizeof block->size);
    data = block->data.get();
    size = block->size;
    *block->sent = true;
}

std::shared_ptr<void> read_block(const char *, const uint32_t &, const uint8_t *data,
                                 const uint32_t &size) {
    auto block = std::make_shared<Block>();
    block->size = size;
    const std::shared_ptr<bool> sent = block->sent;
    block->data.reset(const_cast<uint8_t *>(data), [sent](uint8_t *start) {
        if (!*sent) {
            (void)HIAIMemory::HIAI_DFree(start);
        }
    });
    return block;
}

} // namespace

HIAI_REGISTER_SERIALIZE_FUNC("both", std::string, write_text, read_text)
HIAI_REGISTER_SERIALIZE_FUNC("block", Block, write_block, read_block);

// ---- engines

// Answers a note with its text and "-d".
class Append : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Append", Append, 1) {
#ifdef HIAIX_HAS_CEREAL
    auto note = std::static_pointer_cast<Note>(arg0);
    note->text += "-d";
#endif
    return SendData(0, "note", arg0);
}

// Sends on what it gets, under the name that its configuration has.
class Forward : public Engine {
  public:
    HIAI_StatusT Init(const AIConfig &config, const std::vector<AIModelDescription> &) override {
        for (auto item : config.items()) {
            type = item.name() == "type" ? item.value() : type;
        }
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)

  private:
    std::string type = "string";
};

HIAI_IMPL_ENGINE_PROCESS("Forward", Forward, 1) {
    return SendData(0, type, arg0);
}

// Answers with what the other functions of an engine saw.
class Life : public Engine {
  public:
    HIAI_StatusT Init(const AIConfig &config,
                      const std::vector<AIModelDescription> &models) override {
        seen = std::to_string(config.items_size()) + " " + std::to_string(models.size());
        for (int i = 0; i < config.items_size(); i++) {
            const auto &item = config.items(i);
            seen += " " + item.name() + "=" + item.value();
            for (const auto &sub : item.sub_items()) {
                seen += "(" + sub.name() + "=" + sub.value() + ")";
            }
            if (item.name() == "fail") {
                return static_cast<HIAI_StatusT>(std::stoul(item.value(), nullptr, 0));
            }
            if (item.name() == "throw") {
                throw std::runtime_error(item.value());
            }
            if (item.name() == "sleep") {
                std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(item.value())));
            }
        }
        for (const auto &model : models) {
            seen += " " + model.name() + "@" + model.path();
        }
        return HIAI_OK;
    }
    HIAI_StatusT UpdateConfig(const AIConfig &config) override {
        if (config.items_size() != 1) {
            throw std::runtime_error("one item, please");
        }
        seen = "updated " + config.items(0).value();
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)

  private:
    std::string seen;
};

HIAI_IMPL_ENGINE_PROCESS("Life", Life, 1) {
    auto question = std::static_pointer_cast<std::string>(arg0);
    if (*question == "throw") {
        throw std::runtime_error("from Process");
    }
    if (*question == "die") {
        _exit(0);
    }
    return SendData(
        0, "string",
        std::make_shared<std::string>(seen + (*question == "id" ? " " + GetEngineName() : "")));
}

// Keeps what it gets.
class Keeper : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
    std::vector<std::shared_ptr<void>> kept;
};

HIAI_IMPL_ENGINE_PROCESS("Keeper", Keeper, 1) {
    kept.push_back(arg0);
    arg0.reset();
    auto first = std::static_pointer_cast<std::string>(kept.front());
    return kept.size() % 100 == 0 ? SendData(0, "string", first) : HIAI_OK;
}
