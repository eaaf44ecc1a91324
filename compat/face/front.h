// SPDX-License-Identifier: Apache-2.0
// Fronts: further libraries of a face, whose functions jump to those of the face's own library.
#pragma once

#if defined(__aarch64__)
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define TN_FRONT_ENTRY "bti c\n"
#endif
#define TN_FRONT_BRANCH(target) "b " target "\n"
#elif defined(__x86_64__)
#if defined(__CET__) && (__CET__ & 1)
#define TN_FRONT_ENTRY "endbr64\n"
#endif
#define TN_FRONT_BRANCH(target) "jmp " target "@PLT\n"
#else
#error "unknown processor"
#endif
#ifndef TN_FRONT_ENTRY
#define TN_FRONT_ENTRY
#endif

// Exports the function `name`, whose arguments and result are those of `target`.
#define TN_FRONT(name, target)                                                                     \
    __asm__(".pushsection .text\n"                                                                 \
            ".balign 16\n"                                                                         \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", %function\n" #name ":\n"                                             \
            ".cfi_startproc\n" TN_FRONT_ENTRY TN_FRONT_BRANCH(#target) ".cfi_endproc\n"            \
                                                                       ".size " #name              \
                                                                       ", . - " #name "\n"         \
                                                                       ".popsection");
