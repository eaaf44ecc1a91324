/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_memory.h - blocks in C++: the functions of c_graph.h with a status and an out
 * parameter. The C++ form consists of headers over the C form; a C compiler sees none of it.
 */
#ifndef HIAIENGINE_AI_MEMORY_H
#define HIAIENGINE_AI_MEMORY_H

#include <hiaiengine/c_graph.h>
#include <hiaiengine/hiaix.h>

#ifdef __cplusplus
namespace hiai {

constexpr uint32_t MALLOC_DEFAULT_TIME_OUT = 500; /* ms */

/* The effect of a send on the sender's right to a block. This is the type of c_graph.h, so that a
 * program may use either name with `using namespace hiai`. The vendor misspells ATUO. */
typedef ::HIAI_Memory_attr_t HIAI_MEMORY_ATTR;
constexpr HIAI_MEMORY_ATTR HIAI_MEMORY_ATTR_NONE = MEMORY_ATTR_NONE;
constexpr HIAI_MEMORY_ATTR HIAI_MEMORY_ATTR_ATUO_FREE = MEMORY_ATTR_AUTO_FREE;
constexpr HIAI_MEMORY_ATTR HIAI_MEMORY_ATTR_MANUAL_FREE = MEMORY_ATTR_MANUAL_FREE;
constexpr HIAI_MEMORY_ATTR HIAI_MEMORY_ATTR_MAX = MEMORY_ATTR_MAX;

class HIAIMemory {
  public:
    /* Codes as for HIAIX_GetLastError() after ::HIAI_DMalloc(). `dataBuffer` is written on success
     * only. */
    static HIAI_StatusT HIAI_DMalloc(const uint32_t dataSize, void *&dataBuffer,
                                     const uint32_t &timeOut = MALLOC_DEFAULT_TIME_OUT,
                                     uint32_t flag = HIAI_MEMORY_ATTR_ATUO_FREE) {
        return got(::HIAI_DMalloc(dataSize, timeOut, flag), dataBuffer);
    }

    static HIAI_StatusT HIAI_DFree(void *dataBuffer) { return ::HIAI_DFree(dataBuffer); }

    /* Returns true if all `dataSize` bytes lie in one block that this process holds. */
    static bool IsDMalloc(const void *dataBuffer, const uint32_t &dataSize) {
        return HIAIX_IsDMalloc(dataBuffer, dataSize) != 0;
    }

    /* On the device side only, see c_graph.h. */
    static HIAI_StatusT HIAI_DVPP_DMalloc(const uint32_t dataSize, void *&dataBuffer) {
        return got(::HIAI_DVPP_DMalloc(dataSize), dataBuffer);
    }

    static HIAI_StatusT HIAI_DVPP_DFree(void *dataBuffer) { return ::HIAI_DVPP_DFree(dataBuffer); }

  private:
    static HIAI_StatusT got(void *block, void *&dataBuffer) {
        if (block == nullptr) return HIAIX_GetLastError();
        dataBuffer = block;
        return HIAI_OK;
    }
};

} // namespace hiai
#endif
#endif
