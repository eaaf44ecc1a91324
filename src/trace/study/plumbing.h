// SPDX-License-Identifier: Apache-2.0
// The tables of code that owns no memory: Tarn, allocators, the start of a program, the standard
// libraries, the interpreter of Python, and frameworks. Pure functions; any thread may call.
#pragma once

#include <stdbool.h>

enum tn_plumbing_flag {
    TN_PLUMBING_HIDDEN = 1 << 0,    // a function or file that owns nothing
    TN_PLUMBING_RECORDER = 1 << 1,  // besides HIDDEN: a part of the recorder of PyTorch
    TN_PLUMBING_OPERATOR = 1 << 2,  // a function: an operator of PyTorch, "at::_ops::NAME::call"
    TN_PLUMBING_BACKWARD = 1 << 3,  // a function of a backward pass
    TN_PLUMBING_PYTHON = 1 << 4,    // a file of Python
    TN_PLUMBING_FRAMEWORK = 1 << 5, // a file of Python that belongs to a framework
    TN_PLUMBING_ALIKE = 1 << 6,  // a base name of a framework that programs use too: the function
                                 // decides, see tn_plumbing_is_pair()
    TN_PLUMBING_PACKAGE = 1 << 7 // besides FRAMEWORK: of an installed package that is in no table
};

// Return flags of enum tn_plumbing_flag for the text of a function and of a file.
unsigned tn_plumbing_function(const char *function);
unsigned tn_plumbing_file(const char *file);

// Returns true for a file of Python.
bool tn_plumbing_is_python(const char *file);

// Returns true for a function of a backward pass, as stacks or PyTorch's profiler have it.
bool tn_plumbing_is_backward(const char *function);

// Returns true if the function is one of a framework in the file of this base name.
bool tn_plumbing_is_pair(const char *function, const char *file);
