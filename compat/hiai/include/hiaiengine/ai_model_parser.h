/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_model_parser.h - descriptions of models; see ai_types.h.
 */
#ifndef HIAIENGINE_AI_MODEL_PARSER_H
#define HIAIENGINE_AI_MODEL_PARSER_H

#include <hiaiengine/ai_types.h>

#ifdef __cplusplus
namespace hiai {

/* Models are not supported: returns FAILED. */
inline AIStatus getModelInfo(const std::string &, const std::string &, AIModelDescription &) {
    return hiaix::NoModels("getModelInfo");
}

} // namespace hiai
#endif
#endif
