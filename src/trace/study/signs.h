// SPDX-License-Identifier: Apache-2.0
// Signs: what the names of functions and files tell about a call. Code that owns no memory is that
// of Tarn, allocators, the start of a program, the standard libraries, the interpreter of Python,
// and frameworks. Pure functions; any thread may call.
#pragma once

#include <stdbool.h>

enum tn_sign {
    TN_SIGN_HIDDEN = 1 << 0,    // a function or file that owns nothing
    TN_SIGN_RECORDER = 1 << 1,  // besides HIDDEN: a part of the recorder of PyTorch
    TN_SIGN_OPERATOR = 1 << 2,  // a function: an operator of PyTorch, "at::_ops::NAME::call"
    TN_SIGN_BACKWARD = 1 << 3,  // a function of a backward pass
    TN_SIGN_PYTHON = 1 << 4,    // a file of Python
    TN_SIGN_FRAMEWORK = 1 << 5, // a file of Python that belongs to a framework
    TN_SIGN_ALIKE = 1 << 6,     // a base name of a framework that programs use too: the function
                                // decides, see tn_signs_is_pair()
    TN_SIGN_PACKAGE = 1 << 7    // besides FRAMEWORK: of an installed package that is in no table
};

// Return flags of enum tn_sign for the text of a function and of a file.
unsigned tn_signs_of_function(const char *function);
unsigned tn_signs_of_file(const char *file);

// Returns true if the function is one of a framework in the file of this base name.
bool tn_signs_is_pair(const char *function, const char *file);

// The signs of a training program.
enum tn_training_sign {
    TN_TRAINING_BACKWARD = 1 << 0,  // a backward pass
    TN_TRAINING_MODULE = 1 << 1,    // the call of a module
    TN_TRAINING_UPDATE = 1 << 2,    // a function of the name "step", or a part of one of PyTorch
    TN_TRAINING_OPTIMIZER = 1 << 3, // a function of PyTorch's optimizers
    TN_TRAINING_BUILD = 1 << 4,     // the construction of an object, or the move of a module
    TN_TRAINING_PYTHON = 1 << 5,    // Python
    TN_TRAINING_OPERATOR = 1 << 6,  // an operator of PyTorch
    TN_TRAINING_SOURCE = 1 << 7, // its outermost operator creates or copies, and computes nothing
    TN_TRAINING_CAST = 1 << 8,   // a copy in another type, as autocast makes of parameters
    TN_TRAINING_WORKSPACE = 1 << 9, // a workspace of a library
    TN_TRAINING_HOOK = 1 << 10, // a backward pass that runs code of the program, as recomputation
    TN_TRAINING_REDUCER = 1 << 11, // buckets of data-parallel training, which contain gradients
    TN_TRAINING_SHARDED = 1 << 12, // parameters that are flattened or divided among devices
    TN_TRAINING_LAZY = 1 << 13,    // parameters that a module makes at its first call
    TN_TRAINING_CACHE = 1 << 14    // a cache, such as that of the keys and values of a generation
};

// Returns the signs in the text of a function or a file.
unsigned tn_signs_of_training(const char *text);
