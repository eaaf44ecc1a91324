/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_types.h - the basic types of models. Models are not supported; the classes exist so
 * that programs compile which only name them.
 */
#ifndef HIAIENGINE_AI_TYPES_H
#define HIAIENGINE_AI_TYPES_H

#include <hiaiengine/hiaix_hooks.h>
#include <proto/ai_types.pb.h>

#ifdef __cplusplus
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hiai {

typedef uint32_t AIStatus;
constexpr AIStatus SUCCESS = 0;
constexpr AIStatus FAILED = 1;
constexpr AIStatus NOT_INIT = 2;
constexpr AIStatus INVALID_PARA = 3;
constexpr AIStatus AI_TASK_TIMEOUT = 4;

#define HIAI_NODE_LIB_VISIBILITY HIAI_FUNC_VISIBILITY

/* Constants that programs name. Nothing here reads them. */
enum AI_TENSOR_TYPE { MODEL_BUFFER, NEURAL_NETWORK_BUFFER, IMAGE_BUFFER, GENERAL_BUFFER, CUSTOM };
enum AI_NODE_EXEC_MODE { SYNC, ASYNC, BOTH };
enum AI_OFFLINE_MODEL_TYPE { NPU_OFFLINE_MODEL, MAX_OFFLINE_MODEL };
enum AITaskType { NPU_OFFLINE_TASK };
enum AI_IDLE_STATUS { WORKING, IDLE_TIMEOUT, TIMEOUT_NOT_WORK };
enum AI_TASK_STATUS { TASK_WAIT, TASK_RUNNING, TASK_TIMEOUT, TASK_DONE };
enum MODEL_TYPE { AI_NPU_OFFLINE_MODEL, AI_CAMBRICON_OFFLINE_MODEL };
enum AI_MODEL_FRAMEWORK_TYPE {
    CAFFE,
    CAFFE_8BIT,
    TENSORFLOW,
    TENSORFLOW_8BIT,
    DAVINCI_OFFLINE,
    DAVINCI_IR,
};
enum NN_DATA_TYPE {
    HIAI_DATA_FLOAT,
    HIAI_DATA_HALF,
    HIAI_DATA_INT8,
    HIAI_DATA_INT32,
    HIAI_DATA_UINT8,
    HIAI_DATA_RESERVED,
};
enum TensorFormat { INVALID = 0, NCHW = 1, NHWC = 2 };

struct BufferData {
    void *data;
    uint32_t length;
};

/* Parameters of a model's run by name. */
class AIContext {
  public:
    /* Returns "" if there is no such parameter. */
    std::string GetPara(const std::string &key) const {
        const auto found = paras.find(key);
        return found != paras.end() ? found->second : std::string();
    }
    void AddPara(const std::string &key, const std::string &value) { paras[key] = value; }
    void DeletePara(const std::string &key) { (void)paras.erase(key); }
    void GetAllKeys(std::vector<std::string> &keys) const {
        for (const auto &para : paras) keys.push_back(para.first);
    }

  private:
    std::map<std::string, std::string> paras;
};

namespace hiaix {

/* Reports that models are not supported: in the log, and in HIAIX_GetLastErrorText(). */
inline AIStatus NoModels(const char *function) {
    const HIAIX_LogPlace place = {function, "", 0, nullptr, nullptr};
    HIAIX_LogUnsupported(&place, "models are not supported");
    return FAILED;
}

/* Functions of a program by the name of what they create, each with a description. */
template <typename Description, typename Function> class Creators {
  public:
    AIStatus Add(const std::string &name, const Description &description, Function create) {
        std::lock_guard<std::mutex> guard(lock);
        return create != nullptr && entries.insert({name, {description, create}}).second
                   ? SUCCESS
                   : INVALID_PARA;
    }
    AIStatus Remove(const std::string &name) {
        std::lock_guard<std::mutex> guard(lock);
        return entries.erase(name) != 0 ? SUCCESS : INVALID_PARA;
    }
    /* Returns nullptr if there is none. `description` may be nullptr. */
    Function Find(const std::string &name, Description *description) {
        std::lock_guard<std::mutex> guard(lock);
        const auto found = entries.find(name);
        if (found == entries.end()) return nullptr;
        if (description != nullptr) *description = found->second.first;
        return found->second.second;
    }

  private:
    std::map<std::string, std::pair<Description, Function>> entries;
    std::mutex lock;
};

} // namespace hiaix
} // namespace hiai
#endif
#endif
