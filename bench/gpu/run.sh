#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All measurements on a GPU in one call: builds (a C compiler is enough), runs the API tests on
# the real back-end, measures Tarn beside the driver and PyTorch, and prints tables. Nothing is
# fetched. Without a GPU `--stand-in` runs the same on the software device; what only a GPU can show
# is then "not measured".
#
#   bench/gpu/run.sh [--device URI] [--out DIR] [--stand-in] [--quick] [--traces]
#
#   --device URI   the GPU; default cuda:0
#   --out DIR      where results.jsonl, report.md and log go; $OUT, else build/gpu/out
#   --stand-in     no GPU: short, on host:0, or on the device of a later --device
#   --quick        few rounds, to see that all of it runs
#   --no-suite     not the API suite
#   --traces       also record what PyTorch's allocator was asked, as .pickle.gz under DIR
#
# Environment: CC; CFLAGS (-O2 -g); TARN_GPU_BUILD, where to build (build/gpu); TARN_LIB, a folder with
# libtarn.so and libtarn-torch.so, which are then not built; TARN_BARE, set to build with a compiler
# alone, without CMake and cmocka; PYTHON; TARN_GPU_ALLOCATORS, which of PyTorch's; TARN_GPU_SECONDS, how
# long all of it may take (540): a step that does not fit is left out, and named.
# shellcheck disable=SC2317 # functions are called by their names
set -u
cd "$(dirname "$0")/../.." || exit 1

device=cuda:0
out=${OUT:-}
stand_in=no
quick=
traces=no
suite=yes
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2 && shift ;;
    --out) out=$2 && shift ;;
    --stand-in) stand_in=yes && device=host:0,memory=4G && quick=quick ;;
    --quick) quick=quick ;;
    --traces) traces=yes ;;
    --no-suite) suite=no ;;
    *)
        sed -n '3,20s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
cc=${CC:-cc}
python=${PYTHON:-python3}
build=${TARN_GPU_BUILD:-build/gpu}
out=${out:-$build/out}
jobs=$(nproc 2>/dev/null || echo 2)
mkdir -p "$build" "$out" || exit 1
results=$out/results.jsonl
log=$out/log
: >"$results"
: >"$log"
failed=0

start=$(date +%s)
# most SECONDS: no more than that, and no more than is left of the whole.
most() {
    left=$((${TARN_GPU_SECONDS:-540} - ($(date +%s) - start)))
    if [ "$left" -lt "$1" ]; then echo "$left"; else echo "$1"; fi
}
say() { printf '%s\n' "$*" | tee -a "$log"; }
# step NAME COMMAND...: what it prints goes to the log.
step() {
    name=$1
    shift
    begun=$(date +%s)
    if [ "$(most 20)" -lt 20 ]; then
        say "$name: left out, there is no time left for it"
        return 1
    fi
    if "$@" >>"$log" 2>&1; then
        say "$name: done in $(($(date +%s) - begun)) s"
    else
        say "$name: FAILED (exit $?)"
        tail -n 8 "$log"
        failed=1
        return 1
    fi
}
# fact NAME TEXT: for the head of the report.
fact() { printf '{"table": "facts", "row": "%s", "text": "%s"}\n' "$1" "$2" >>"$results"; }

# --- building -------------------------------------------------------------------------------------
includes='-Isrc -Iinclude -I. -Icompat/mstx/include -Icompat/kernel/include'
includes="$includes -Icompat/hip/include -Icompat/cuda/include -Icompat/acl/include"
flags="-std=c11 -D_GNU_SOURCE ${CFLAGS:--O2 -g} -fPIC -fvisibility=hidden -pthread"

# objects FOLDER FLAGS FILE...: compiles each, several at a time.
objects() {
    folder=$build/$1
    more=$2
    shift 2
    rm -rf "$folder" && mkdir -p "$folder"
    printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c \
        "$cc $flags $includes $more -c {} -o $folder/\$(echo {} | tr / _).o"
}
# As the project builds itself, where the machine has all that the project wants.
by_cmake() {
    [ -z "${TARN_BARE:-}" ] || return 1
    lib=$build/cmake/lib
    cmake -S . -B "$build/cmake" -DCMAKE_C_COMPILER="${cc##* }" -DTARN_TESTS=OFF &&
        cmake --build "$build/cmake" -j "$jobs" --target tarn_shared plugin_torch
}
# With nothing but a compiler.
by_hand() {
    lib=$build/lib
    mkdir -p "$lib"
    # shellcheck disable=SC2046 # a list of files
    objects core '' $(find src/base src/algo src/annotate src/backend src/core src/channel src/fail \
        -name '*.c' ! -path 'src/channel/ucx/*') src/channel/ucx/none.c || return 1
    # shellcheck disable=SC2046
    objects late -DTN_OPENED_LATE=1 $(find src/core/pool -name "*.c") plugin/torch/*.c || return 1
    late=$(find "$build/core" -name '*.o' ! -name 'src_core_pool*')
    # shellcheck disable=SC2086 # flags and lists of files
    $cc -shared -pthread "$build"/core/*.o -o "$lib/libtarn.so" -Wl,--version-script=tarn.map \
        -Wl,-z,nodelete -ldl &&
        $cc -shared -pthread $late "$build"/late/*.o -o "$lib/libtarn-torch.so" -ldl \
            -Wl,--version-script=plugin/torch/torch.map -Wl,-Bsymbolic-functions -Wl,-z,nodelete
}
build_libraries() { by_cmake || by_hand; }
build_bench() {
    # shellcheck disable=SC2086
    $cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Iinclude -Ibench -Ibench/gpu bench/gpu/*.c \
        -o "$build/gpu_bench" -L"$lib" -ltarn -ldl -lm "-Wl,-rpath,$lib"
}
# cmocka where it is, else the little that is needed of it.
build_suite() {
    cmocka='-Ibench/gpu/cmocka'
    cmocka_library=
    if [ -z "${TARN_BARE:-}" ] && printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n%s\n' \
        '#include <cmocka.h>' | $cc -E - >/dev/null 2>&1; then
        cmocka=
        cmocka_library=-lcmocka
    fi
    # shellcheck disable=SC2046 # a list of files; the driver of fuzzers has a main() of its own
    objects support "$cmocka -Itests" $(find tests/support -name '*.c' ! -name replay_driver.c) || return 1
    mkdir -p "$build/api"
    printf '%s\n' tests/api/*.c | xargs -P "$jobs" -I{} sh -c \
        "$cc $flags $includes $cmocka -Itests {} $build/support/*.o -o $build/api/\$(basename {} .c) \
            -L$lib -ltarn $cmocka_library -lm -Wl,-rpath,$lib"
}

# --- the API suite --------------------------------------------------------------------------------
# Each noun in a process of its own; a crash is a failure of that noun.
run_suite() {
    bad=0
    for program in "$build"/api/*; do
        noun=$(basename "$program")
        echo "--- $noun on ${device%%,*}"
        code=0
        TARN_TEST_DEVICE=${device%%,*} timeout "$(most 20)" "$program" || code=$?
        case $code in
        0) outcome=good ;;
        77) outcome='cannot here' ;;
        *) outcome="exit $code" && bad=1 ;;
        esac
        printf '{"table": "api", "row": "%s", "column": "%s", "text": "%s"}\n' "$noun" \
            "${device%%,*}" "$outcome" >>"$results"
    done
    return "$bad"
}

# --- all of it ------------------------------------------------------------------------------------
say "device $device, $(uname -sr), $($cc --version | head -n 1)"
fact kernel "$(uname -sr)"
fact date "$(date -u +%Y-%m-%d)"
[ $stand_in = yes ] || export TARN_TEST_REAL_CARD=yes
[ $stand_in = no ] || fact run "stand-in: no GPU, so no figure here is about one"
if command -v nvidia-smi >/dev/null; then
    fact driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
fi
lib=${TARN_LIB:-}
if [ -z "$lib" ]; then
    step "building the libraries" build_libraries || exit 1
fi
lib=$(cd "$lib" && pwd) || exit 1
export TARN_TORCH_DEVICE="$device" TARN_TORCH_LIBRARY="$lib/libtarn-torch.so"
step "building the benchmark" build_bench || exit 1
if [ $suite = yes ]; then
    step "building the API suite" build_suite && step "the API suite on $device" run_suite
fi
step "calls, pools and copies" timeout "$(most 150)" "$build/gpu_bench" "$device" "$results" \
    "$TARN_TORCH_LIBRARY" $quick

if ! command -v "$python" >/dev/null; then
    say "no $python: results.jsonl is all there is"
    exit $failed
fi
export PYTHONPATH=examples/python PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
if [ $stand_in = no ] && "$python" -c 'import torch; assert torch.cuda.is_available()' 2>>"$log"; then
    for what in pairs train limit; do
        for allocator in ${TARN_GPU_ALLOCATORS:-caching expandable tarn tarn-loose}; do
            step "PyTorch, $allocator: $what" timeout "$(most 75)" "$python" \
                bench/gpu/train.py "$what" "$allocator" "$results" $quick
        done
    done
    if [ $traces = yes ]; then
        step "recording traces" timeout "$(most 150)" "$python" bench/gpu/record.py "$out" $quick
    fi
else
    say "no GPU for PyTorch: its columns are not measured"
fi
step "the report" "$python" bench/gpu/report.py "$results" "$out/report.md"
cat "$out/report.md"
exit $failed
