#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn run --fidelity: it lists exactly the differences that a program and its children touch, with their numbers, the
# first call and its stack; `strict` makes them findings; without the option nothing is counted.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; backticks are text
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "a sanitizer's library must come first in a program"
cc=${CC:-cc}

# lists ID...: exactly these rows were listed, those of the quirks too.
lists() {
    for id; do echo "$id"; done | sort >"$work/wanted"
    sed -n 's/^ *"id": "\([^"]*\)",*$/\1/p' "$work/json" | sort | diff "$work/wanted" - >&2 || fail "other rows than: $*"
}

# row ID KEY: the value of a key of the row, which stands behind its id.
row() {
    awk -v id="\"id\": \"$1\"" -v key="\"$2\": " 'index($0, "\"id\": ") { on = index($0, id) }
        on && (at = index($0, key)) { value = substr($0, at + length(key)); gsub(/[",]/, "", value); print value; exit }' "$work/json"
}

# ---- the examples

example() {
    name=$1
    shift
    [ -x "$BUILD/tests/bin/example_$name" ] || return 0
    expect 0 run --as "${name%%_*}" --fidelity --json="$work/json" -- "$BUILD/tests/bin/example_$name"
    lists "$@"
}
example hip_grow hip.unmap_several hip.reserve_alignment hip.granularity_recommended hip.held_memory \
    quirk.held-memory quirk.dead-tail quirk.no-vmm
says err '^hip\.reserve_alignment: alignment at `hipMemAddressReserve`$'
says err '^    1 time(s), first call hipMemAddressReserve, first in process [0-9]*:$'
says err '^    #0 vector_open .*grow\.c:[0-9]*$'
says err '^tarn run: the program relied on 4 difference(s) and 3 '
example hip_kernel
example cuda_pool cuda.pool_limit cuda.pool_reserved
example acl_pool quirk.pin-limit quirk.align-64
example hiai_frames

# ---- programs of our own

# The process itself, a child of fork() and a program that the child executes count in the same rows.
cat >"$work/hip.c" <<'END'
#include <hip/hip_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

static int overlap(void) {
    char *block = NULL;
    if (hipMalloc((void **)&block, 8192) != hipSuccess) return 2;
    if (hipMemcpy(block, block + 1, 4096, hipMemcpyDeviceToDevice) != hipErrorInvalidValue) return 3;
    return hipFree(block + 16) == hipErrorInvalidValue ? 0 : 4;
}

int main(int argc, char **argv) {
    int status = 0;
    if (overlap() != 0) return 1;
    if (argc > 1) return 0;
    pid_t child = fork();
    if (child == 0) {
        if (overlap() != 0) _exit(1);
        execl(argv[0], argv[0], "again", NULL);
        _exit(1);
    }
    if (waitpid(child, &status, 0) < 0 || status != 0) return 1;
    hipDeviceptr_t base;
    return hipMemGetAddressRange(&base, NULL, NULL) == hipErrorNotFound ? 0 : 5; // as AMD's: no row
}
END
"$cc" -g -D__HIP_PLATFORM_AMD__ "-I$SRC/compat/hip/include" "-I$SRC/compat/kernel/include" "$work/hip.c" -o "$work/hip" \
    "-L$BUILD/lib/tarn/hip" -l:libamdhip64.so.6
for as in '' --as=hip; do
    export LD_LIBRARY_PATH="$BUILD/lib/tarn/hip"
    # shellcheck disable=SC2086 # one word or none
    expect 0 run $as --fidelity --json="$work/json" -- "$work/hip"
    lists hip.copy_overlap hip.free_inside hip.fork
    [ "$(row hip.copy_overlap count)" = 3 ] || fail "counted $(row hip.copy_overlap count) overlaps, not 3"
    [ "$(row hip.fork count)" = 1 ] || fail "counted $(row hip.fork count) children, not 1"
    [ "$(row hip.free_inside call)" = hipFree=1 ] || fail "the call is $(row hip.free_inside call)"
done
case $(row hip.copy_overlap confirmed) in *'real6 copy_edge.overlap'*) ;; *) fail "it was not confirmed" ;; esac
[ "$(row hip.copy_overlap function)" = overlap ] || fail "the function is $(row hip.copy_overlap function)"

cat >"$work/acl.c" <<'END'
#include <acl/acl.h>

int main(void) {
    void *block = NULL, *host = NULL;
    if (aclInit(NULL) != 0 || aclInit(NULL) == 0 || aclrtSetDevice(0) != 0) return 1;
    if (aclrtMalloc(&block, 3 << 19, ACL_MEM_MALLOC_HUGE_FIRST) != 0) return 2;
    if (aclrtFree((char *)block + 64) == 0 || aclrtGetSocName() == NULL) return 3;
    if (aclrtMemcpy(host, 0, block, 16, ACL_MEMCPY_DEVICE_TO_HOST) == 0) return 4; // refused by all: no row
    return aclrtFree(block) == 0 && aclFinalize() == 0 ? 0 : 5;
}
END
"$cc" -g "-I$SRC/compat/acl/include" "$work/acl.c" -o "$work/acl" "-L$BUILD/lib/tarn/acl" -lascendcl
expect 0 run --as acl --fidelity --json="$work/json" -- "$work/acl"
lists acl.huge_first acl.free_inside acl.chip_name acl.finalize_counts

# ---- strict, and rows that are accepted

expect 77 run --as hip --fidelity=strict -- "$work/hip"
expect 77 run --as hip --fidelity=strict --accept hip.copy_overlap,hip.free_inside -- "$work/hip"
says err '^hip\.fork: '
grep -q '^hip\.free_inside' "$work/err" && fail "an accepted row is listed"
expect 0 run --as hip --fidelity=strict --accept hip.copy_overlap,hip.free_inside,hip.fork -- "$work/hip"
says err ' 0 difference(s) .*; 3 accepted row(s)$'
expect 0 run --as hip --fidelity=strict --json -- "$BUILD/tests/bin/example_hip_kernel"
sed -i '/^[^{} ]/d' "$work/out"
is_json
expect 122 run --fidelity -- true
says err '^tarn run: no process loaded a face'
expect 125 run --fidelity --accept hip.nothing -- true
expect 125 run --as hip --json -- true
expect 125 run --fidelity=never -- true

# ---- without the option

expect 0 run --as hip -- "$work/hip"
[ ! -s "$work/err" ] || fail "something was printed"
# A path that leads to no such memory is ignored.
echo nonsense >"$work/file"
for path in "$work/file" "$work/none" /dev/null; do
    TARN_FIDELITY=$path expect 0 run --as hip -- "$work/hip"
done
