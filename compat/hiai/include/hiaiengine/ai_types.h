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

} // namespace hiaix
} // namespace hiai
#endif
#endif
