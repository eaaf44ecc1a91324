#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The holder of each block in a recording is the program's own function, at the line of the source that
# allocates: of the examples of each face, of a program in C++ with templates, and of a program in
# Python that uses the package, and a face by ctypes.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/record.sh"
bin=$BUILD/tests/bin

# function_at FILE LINE: the name of the function in C around a line.
function_at() {
    head -n "$2" "$1" | grep -v '^[ /#}]' | sed -n 's/^[a-z].*[ *]\([a-z_]*\)(.*{$/\1/p' | tail -n 1
}

# owned_by_calls NAME COUNT CALL SOURCE OPTIONS...: the owners are COUNT lines of SOURCE with an allocating CALL.
owned_by_calls() {
    name=$1 count=$2 call=$3 source=$4
    shift 4
    if [ ! -x "$bin/$name" ]; then
        echo "$name is not built"
        return
    fi
    record_owners "$@" "$bin/$name"
    [ "$(wc -l <"$work/owners")" = "$count" ] || fail "$name: not $count owners: $(cat "$work/owners")"
    while read -r function place; do
        line=${place##*:} line=${line%)}
        case $place in
        *"${source#"$SRC/"}":*) ;;
        *) fail "$name: the owner $function $place is not in $source" ;;
        esac
        sed -n "${line}p" "$source" | grep -q -e "$call(" ||
            fail "$name: line $line does not allocate"
        [ "$function" = "$(function_at "$source" "$line")" ] ||
            fail "$name: line $line is in $(function_at "$source" "$line"), not in $function"
    done <"$work/owners"
}

examples=$SRC/examples
owned_by_calls example_quickstart 1 tarn_pool_alloc "$examples/quickstart.c" --
# A block that woke belongs to the call that woke it.
owned_by_calls example_pools 2 'tarn_pool_\(alloc_with\|wake\)' "$examples/pools.c" --
owned_by_calls example_streams 2 'tarn_[a-z]*_alloc' "$examples/streams.c" --
owned_by_calls example_overflow 2 tarn_pool_alloc "$examples/overflow.c" --
owned_by_calls frames_host 1 tarn_parcel_alloc "$examples/frames/host.c" --
owned_by_calls example_hip_grow 1 hipMemMap "$examples/hip-grow/grow.c" --as hip --
owned_by_calls example_cuda_pool 2 'cudaMalloc[a-zA-Z]*' "$examples/cuda-pool/main.c" --as cuda --
owned_by_calls example_acl_pool 2 'aclrtMalloc[a-zA-Z]*' "$examples/acl-pool/main.c" --as acl --
owned_by_calls example_hiai_frames 1 HIAI_DMalloc "$examples/hiai-frames/main.c" --as hiai --
owned_by_calls example_mstx_regions 1 mstxMemRegionsRegister "$examples/mstx-regions/main.c" --

# A program in C++: templates, an allocator of containers, a lambda behind two functions of the library.
if [ -x "$bin/program_hip_templates" ]; then
    record_owners --as hip -- "$bin/program_hip_templates"
    holders "$SRC/tests/compat/hip/programs/templates.cpp" //
    expect 0 explain --no-replay "$work/p.tarn"
    says out 'device_buffer<double>::device_buffer (templates.cpp:'
    expect 0 explain --no-replay --all-frames "$work/p.tarn"
    says out 'hipMalloc (libamdhip64.so'
fi
if [ -x "$bin/frames_cpp" ]; then
    TARN_HIAI_MODE=RC record_owners --as hiai -- "$bin/frames_cpp" "$BUILD/tests/modules/frames_cpp_worker.so"
    grep -q '^Source::Process(.*frames-cpp/main.cpp:[0-9]*)$' "$work/owners" || fail "$(cat "$work/owners")"
    [ "$(wc -l <"$work/owners")" = 1 ] || fail "$(cat "$work/owners")"
fi

# Python: the package, and a face by ctypes. Without the package no line of Python is known.
python=/usr/bin/python3
[ -x $python ] || python=python3
if command -v $python >/dev/null; then
    export PYTHONDONTWRITEBYTECODE=1 TARN_LIBRARY="$BUILD/lib/libtarn.so"
    program=$SRC/tests/python/owners.py
    PYTHONPATH=$SRC/python record_owners -- $python "$program"
    cp "$work/owners" "$work/package"
    PYTHONPATH=$SRC/python record_owners --as hip -- $python "$program" libamdhip64.so.6
    cat "$work/package" >>"$work/owners"
    holders "$program" '#'
    record_owners --as hip -- $python -c "import ctypes
ctypes.CDLL('libamdhip64.so.6').hipMalloc(ctypes.byref(ctypes.c_void_p()), ctypes.c_size_t(4096))"
    grep -q '^hipMalloc (libamdhip64.so.6:0)$' "$work/owners" || fail "no package: $(cat "$work/owners")"
fi
