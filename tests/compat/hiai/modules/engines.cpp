// SPDX-License-Identifier: Apache-2.0
// Engines as a user writes them, in a shared object that is linked to nothing and hides its names.
// The tests load it on both sides. Its class Note is that of the tests, written a second time.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>
#include <hiaiengine/multitype_queue.h>

#include "support/picture.h"

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
HIAI_REGISTER_DATA_TYPE("only common here", Note)
HIAI_REGISTER_SERIALIZE_FUNC("picture", Picture, write_picture,
                             (read_picture<HIAI_StatusT, HIAIMemory::HIAI_DFree>))
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
        if (!*sent) (void)HIAIMemory::HIAI_DFree(start);
    });
    return block;
}

// Writes a std::string as the bytes of a message, whatever they are.
HIAI_StatusT write_lie(const void *message, HIAIX_Bytes *out, void *) {
    const std::string *bytes = static_cast<const std::string *>(message);
    out->ctrl = bytes->data();
    out->ctrlLen = bytes->size();
    return HIAI_OK;
}

void release_lie(void *) {}

HIAI_StatusT read_lie(const HIAIX_Bytes *, HIAIX_Message *, void *) { return HIAI_ERROR; }

const HIAIX_MessageType lie = {write_lie, release_lie, read_lie, nullptr};
const HIAI_StatusT lie_status = HIAIX_RegisterMessageType("lie", HIAIX_PATH_COMMON, &lie);

// Appends a letter to the file that HIAI_TEST_DIARY names, in whichever process the engine is.
void write_down(char letter) {
    const char *path = getenv("HIAI_TEST_DIARY");
    const int fd = open(path != nullptr ? path : "/dev/null", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || write(fd, &letter, 1) != 1 || close(fd) != 0) abort();
}

std::shared_ptr<std::string> text(const std::string &what) {
    return std::make_shared<std::string>(what);
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
        for (auto item : config.items()) type = item.name() == "type" ? item.value() : type;
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)

  private:
    std::string type = "string";
};

HIAI_IMPL_ENGINE_PROCESS("Forward", Forward, 1) { return SendData(0, type, arg0); }

// Answers with what the other functions of an engine saw.
class Life : public Engine {
  public:
    HIAI_StatusT Init(const AIConfig &config,
                      const std::vector<AIModelDescription> &models) override {
        seen = std::to_string(config.items_size()) + " " + std::to_string(models.size());
        for (int i = 0; i < config.items_size(); i++) {
            const auto &item = config.items(i);
            seen += " " + item.name() + "=" + item.value();
            for (const auto &sub : item.sub_items())
                seen += "(" + sub.name() + "=" + sub.value() + ")";
            if (item.name() == "fail")
                return static_cast<HIAI_StatusT>(std::stoul(item.value(), nullptr, 0));
            if (item.name() == "throw") throw std::runtime_error(item.value());
            if (item.name() == "sleep")
                std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(item.value())));
        }
        for (const auto &model : models) seen += " " + model.name() + "@" + model.path();
        return HIAI_OK;
    }
    HIAI_StatusT UpdateConfig(const AIConfig &config) override {
        if (config.items_size() != 1) throw std::runtime_error("one item, please");
        {
            const std::lock_guard<std::mutex> guard(lock);
            seen = "updated " + config.items(0).value();
            updates++;
        }
        if (config.items(0).value() == "slowly")
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (config.items(0).value() == "die") _exit(0);
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)

  private:
    std::mutex lock; // an update comes on another thread than messages
    std::string seen;
    int updates = 0;
};

HIAI_IMPL_ENGINE_PROCESS("Life", Life, 1) {
    auto question = std::static_pointer_cast<std::string>(arg0);
    std::unique_lock<std::mutex> guard(lock);
    const std::string known = seen;
    const int count = updates;
    guard.unlock();
    if (*question == "throw") throw std::runtime_error("from Process");
    if (*question == "updates") return SendData(0, "string", text(std::to_string(count)));
    if (*question == "pid") return SendData(0, "string", text(std::to_string(getpid())));
    if (*question == "rejected") {
        struct HIAIX_Stats stats = {};
        stats.size = sizeof stats;
        (void)HIAIX_Stats(GetGraphId(), &stats);
        return SendData(0, "string", text(std::to_string(stats.rejected)));
    }
    return SendData(0, "string", text(known + (*question == "id" ? " " + GetEngineName() : "")));
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

// Empties its argument, and answers whether the message is gone.
class Dropper : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Dropper", Dropper, 1) {
    const std::weak_ptr<void> watch = arg0;
    arg0.reset();
    for (int ms = 0; !watch.expired() && ms < 20000;
         ms++) // the sender's own pointer, if it is here
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return SendData(0, "string", text(watch.expired() ? "gone" : "kept"));
}

// Declares one output, and sends at three ports, as samples of the vendor do.
class Beyond : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Beyond", Beyond, 1) {
    const HIAI_StatusT first = SendData(1, "string", arg0);
    const HIAI_StatusT second = first == HIAI_OK ? SendData(15, "string", arg0) : first;
    const bool refused = SendData(2, "string", arg0) == HIAI_GRAPH_SRC_PORT_NOT_EXIST;
    return second == HIAI_OK ? SendData(0, "string", text(refused ? "refused" : "sent")) : second;
}

// Needs a message of each port, and answers with both.
class Two : public Engine {
  public:
    Two() : queue(2) {}
    HIAI_DEFINE_PROCESS(2, 2)
    MultiTypeQueue queue;
};

HIAI_IMPL_ENGINE_PROCESS("Two", Two, 2) {
    if (static_cast<bool>(arg0) == static_cast<bool>(arg1))
        return SendData(0, "string", text("not one argument"));
    (void)queue.PushData(0, arg0);
    (void)queue.PushData(1, arg1);
    std::shared_ptr<std::string> a, b;
    if (!queue.PopAllData(a, b)) return HIAI_ERROR; // not all inputs there yet
    return SendData(0, "string", text(*a + *b));
}

// Answers with the numbers of the arguments that are not empty.
class Sixteen : public Engine {
    HIAI_DEFINE_PROCESS(16, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Sixteen", Sixteen, 16) {
    const std::shared_ptr<void> args[] = {arg0, arg1, arg2,  arg3,  arg4,  arg5,  arg6,  arg7,
                                          arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15};
    std::string full;
    for (int i = 0; i < 16; i++) full += args[i] ? std::to_string(i) + ";" : "";
    return SendData(0, "string", text(full));
}

// Sends on each message at the port of its number.
class Splitter : public Engine {
    HIAI_DEFINE_PROCESS(2, 2)
};

HIAI_IMPL_ENGINE_PROCESS("Splitter", Splitter, 2) {
    return arg0 ? SendData(0, "string", arg0) : SendData(1, "string", arg1);
}

// Keeps four messages in Process until all are there, then answers each with its object and thread.
class Meeting : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
    std::mutex lock;
    std::condition_variable changed;
    int present = 0;
};

HIAI_IMPL_ENGINE_PROCESS("Meeting", Meeting, 1) {
    std::unique_lock<std::mutex> guard(lock);
    present++;
    changed.notify_all();
    const bool all =
        changed.wait_for(guard, std::chrono::seconds(20), [this] { return present == 4; });
    guard.unlock();
    std::ostringstream answer;
    answer << this << ' ' << (all && arg0 ? "" : "alone ") << std::this_thread::get_id();
    return SendData(0, "string", text(answer.str()));
}

// Writes its life to the diary: c, i, p and P, d. Init fails or throws if an item says so. It answers
// with the number of messages so far.
class Diary : public Engine {
  public:
    Diary() { write_down('c'); }
    ~Diary() override { write_down('d'); }
    HIAI_StatusT Init(const AIConfig &config, const std::vector<AIModelDescription> &) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // long enough to be missed
        write_down('i');
        for (const auto &item : config.items()) {
            if (item.name() == "throw") throw std::runtime_error(item.value());
            if (item.name() == "fail") return 0x04213005u;
        }
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)
    int messages = 0;
};

HIAI_IMPL_ENGINE_PROCESS("Diary", Diary, 1) {
    write_down('p');
    const HIAI_StatusT status = SendData(0, "string", text(arg0 ? std::to_string(++messages) : ""));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    write_down('P');
    return status;
}

// Sends from a thread of its own until it is destroyed. The diary says whether the last send was
// refused as it must be: q, or !.
class Source : public Engine {
  public:
    ~Source() override {
        stop = true;
        thread.join();
        const HIAI_StatusT last = SendData(0, "string", text("late"), 0);
        write_down(last == HIAI_QUEUE_STOPPED || last == HIAI_GRAPH_NOT_EXIST ? 'q' : '!');
    }
    HIAI_StatusT Init(const AIConfig &, const std::vector<AIModelDescription> &) override {
        thread = std::thread([this] {
            while (!stop) {
                (void)SendData(0, "string", text("x"), 0);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)
    std::atomic<bool> stop{false};
    std::thread thread;
};

HIAI_IMPL_ENGINE_PROCESS("Source", Source, 1) { return SendData(0, "string", arg0); }

// Sends what it gets as the bytes of a message.
class Liar : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Liar", Liar, 1) {
    return lie_status == HIAI_OK ? SendData(0, "lie", arg0) : lie_status;
}

#ifdef HIAIX_HAS_CEREAL
// Answers a picture with its negative, in a block of this side.
class Negative : public Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Negative", Negative, 1) {
    auto picture = std::static_pointer_cast<Picture>(arg0);
    auto negative = make_picture(picture->title + "-n", picture->size);
    for (uint32_t i = 0; negative && i < picture->size; i++)
        negative->data.get()[i] = static_cast<uint8_t>(~picture->data.get()[i]);
    return negative ? SendData(0, "picture", negative) : static_cast<HIAI_StatusT>(HIAI_ERROR);
}
#endif
