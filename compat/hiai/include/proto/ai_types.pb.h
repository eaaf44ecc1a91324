/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto/ai_types.pb.h - configurations of engines and descriptions of models, with the accessors
 * that protoc would generate, and without the protobuf library. A program that uses google::protobuf
 * generates its own header from proto/ai_types.proto and puts it before this one on the path.
 */
#ifndef PROTO_AI_TYPES_PB_H
#define PROTO_AI_TYPES_PB_H

#include <hiaiengine/hiaix_text.h>

#ifdef __cplusplus
#define HIAIX_PLAIN_MESSAGES 1

namespace hiai {
inline namespace plain { // another one than that of generated classes

enum AIModelDescription_Frequency {
    AIModelDescription_Frequency_UNSET = 0,
    AIModelDescription_Frequency_LOW = 1,
    AIModelDescription_Frequency_MEDIUM = 2,
    AIModelDescription_Frequency_HIGH = 3
};
enum AIModelDescription_DeviceType {
    AIModelDescription_DeviceType_NPU = 0,
    AIModelDescription_DeviceType_IPU = 1,
    AIModelDescription_DeviceType_MLU = 2,
    AIModelDescription_DeviceType_CPU = 3,
    AIModelDescription_DeviceType_NONE = 255
};
enum AIModelDescription_Framework {
    AIModelDescription_Framework_OFFLINE = 0,
    AIModelDescription_Framework_CAFFE = 1,
    AIModelDescription_Framework_TENSORFLOW = 2
};

/* The number of an enumerator's name in a text. */
inline bool hiaix_number_of(const std::string &word, AIModelDescription_Frequency &value) {
    static const char *const names[] = {"UNSET", "LOW", "MEDIUM", "HIGH"};
    for (int i = 0; i < 4; i++) {
        if (word == names[i]) {
            value = static_cast<AIModelDescription_Frequency>(i);
            return true;
        }
    }
    return false;
}
inline bool hiaix_number_of(const std::string &word, AIModelDescription_DeviceType &value) {
    static const char *const names[] = {"NPU", "IPU", "MLU", "CPU", "NONE"};
    for (int i = 0; i < 5; i++) {
        if (word == names[i]) {
            value = static_cast<AIModelDescription_DeviceType>(i < 4 ? i : 255);
            return true;
        }
    }
    return false;
}
inline bool hiaix_number_of(const std::string &word, AIModelDescription_Framework &value) {
    static const char *const names[] = {"OFFLINE", "CAFFE", "TENSORFLOW"};
    for (int i = 0; i < 3; i++) {
        if (word == names[i]) {
            value = static_cast<AIModelDescription_Framework>(i);
            return true;
        }
    }
    return false;
}

#define HIAIX_AI_CONFIG_ITEM(X)                                                                    \
    X(STRING, , name, name)                                                                        \
    X(STRING, , value, value) X(MESSAGES, AIConfigItem, sub_items, sub_items)
class AIConfigItem {
    HIAIX_PB_FIELDS(AIConfigItem, HIAIX_AI_CONFIG_ITEM)
};

#define HIAIX_AI_CONFIG(X) X(MESSAGES, AIConfigItem, items, items)
class AIConfig {
    HIAIX_PB_FIELDS(AIConfig, HIAIX_AI_CONFIG)
};

#define HIAIX_AI_TENSOR_PARA(X)                                                                    \
    X(STRING, , name, name)                                                                        \
    X(STRING, , type, type)                                                                        \
    X(STRING, , value, value)                                                                      \
    X(STRING, , desc, desc)                                                                        \
    X(MESSAGES, AITensorParaDescription, sub_paras, sub_paras)
class AITensorParaDescription {
    HIAIX_PB_FIELDS(AITensorParaDescription, HIAIX_AI_TENSOR_PARA)
};

#define HIAIX_AI_TENSOR(X)                                                                         \
    X(STRING, , name, name)                                                                        \
    X(STRING, , type, type)                                                                        \
    X(STRINGS, , compatible_type, compatible_type)                                                 \
    X(MESSAGES, AITensorParaDescription, paras, paras)
class AITensorDescription {
    HIAIX_PB_FIELDS(AITensorDescription, HIAIX_AI_TENSOR)
};

#define HIAIX_AI_MODEL(X)                                                                          \
    X(STRING, , name, name)                                                                        \
    X(SCALAR, int32_t, type, type)                                                                 \
    X(STRING, , version, version)                                                                  \
    X(SCALAR, int32_t, size, size)                                                                 \
    X(STRING, , path, path)                                                                        \
    X(STRINGS, , sub_path, sub_path)                                                               \
    X(STRING, , key, key)                                                                          \
    X(STRINGS, , sub_key, sub_key)                                                                 \
    X(SCALAR, AIModelDescription_Frequency, frequency, frequency)                                  \
    X(SCALAR, AIModelDescription_DeviceType, device_type, device_type)                             \
    X(SCALAR, AIModelDescription_Framework, framework, framework)                                  \
    X(MESSAGES, AITensorDescription, inputs, inputs)                                               \
    X(MESSAGES, AITensorDescription, outputs, outputs)                                             \
    X(STRING, , data, data)
class AIModelDescription {
  public:
    typedef AIModelDescription_Frequency Frequency;
    typedef AIModelDescription_DeviceType DeviceType;
    typedef AIModelDescription_Framework Framework;
    static constexpr Frequency UNSET = AIModelDescription_Frequency_UNSET;
    static constexpr Frequency LOW = AIModelDescription_Frequency_LOW;
    static constexpr Frequency MEDIUM = AIModelDescription_Frequency_MEDIUM;
    static constexpr Frequency HIGH = AIModelDescription_Frequency_HIGH;
    static constexpr DeviceType NPU = AIModelDescription_DeviceType_NPU;
    static constexpr DeviceType IPU = AIModelDescription_DeviceType_IPU;
    static constexpr DeviceType MLU = AIModelDescription_DeviceType_MLU;
    static constexpr DeviceType CPU = AIModelDescription_DeviceType_CPU;
    static constexpr DeviceType NONE = AIModelDescription_DeviceType_NONE;
    static constexpr Framework OFFLINE = AIModelDescription_Framework_OFFLINE;
    static constexpr Framework CAFFE = AIModelDescription_Framework_CAFFE;
    static constexpr Framework TENSORFLOW = AIModelDescription_Framework_TENSORFLOW;
    HIAIX_PB_FIELDS(AIModelDescription, HIAIX_AI_MODEL)
};

#define HIAIX_AI_NN_NODE(X)                                                                        \
    X(STRING, , name, name)                                                                        \
    X(STRING, , desc, desc)                                                                        \
    X(SCALAR, bool, ispreallocateoutputmem, isPreAllocateOutputMem)                                \
    X(MESSAGE, AIConfig, config, config)                                                           \
    X(MESSAGES, AIModelDescription, model_list, model_list)                                        \
    X(MESSAGES, AITensorDescription, inputs, inputs)                                               \
    X(MESSAGES, AITensorDescription, outputs, outputs)                                             \
    X(SCALAR, bool, need_verify, need_verify)                                                      \
    X(STRINGS, , ignored_check_aitensor, ignored_check_aitensor)
class AINNNodeDescription {
    HIAIX_PB_FIELDS(AINNNodeDescription, HIAIX_AI_NN_NODE)
};

} // namespace plain
} // namespace hiai
#endif
#endif
