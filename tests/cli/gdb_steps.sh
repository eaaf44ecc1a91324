#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A breakpoint on a function of a face stops there and shows the parameters by their names, and at most two steps lead to
# the work. The steps of five functions of each face are printed.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset LD_PRELOAD LD_LIBRARY_PATH CUDA_VISIBLE_DEVICES
skip_sanitized "a sanitizer's library must come first in a program"
command -v gdb >/dev/null || {
    echo "skipped: needs gdb"
    exit 77
}
libraries=$(cd "$(dirname "$TARN")/../lib" && pwd)
cd "$work" || exit 1

# walk FACE LIBRARY...: compiles the program on standard input and prints, for each line "FUNCTION PARAMETERS WORK" of
# $work/wanted, where gdb is at the function and after each of two steps. The functions are called in this order.
walk() {
    face=$1
    shift
    cat >program.c
    "${CC:-cc}" -g -w -I"$SRC/compat/$face/include" -I"$SRC/compat/kernel/include" program.c -o program \
        -L"$libraries/tarn/$face" "$@" -Wl,-rpath,"$libraries/tarn/$face" -Wl,-rpath-link,"$libraries/tarn/$face" ||
        fail "the program of $face is not compiled"
    {
        printf 'set pagination off\nset confirm off\nset width 0\nset breakpoint pending on\nstart\n'
        while read -r function _; do
            # A front has a function of the same name without lines, which jumps to that of the face.
            case $function in cuda* | nvml*) again='continue\n' ;; *) again= ;; esac
            printf 'break %s\ncontinue\n%becho AT\\n\nbt 1\n' "$function" "$again"
            printf 'step\necho THEN\\n\nbt 1\nstep\necho THEN\\n\nbt 1\ndelete\n'
        done <wanted
    } >script
    gdb -nx -x "$SRC/.gdbinit" -batch -x script ./program >out 2>err || fail "gdb fails on the program of $face"
    grep -q '^Temporary breakpoint 1, main' out || {
        echo "skipped: gdb may not trace programs here"
        exit 77
    }
    awk '/^AT$/ || /^THEN$/ { next_is = $0; next }
        /^#0 / && next_is { sub(/^#0 +(0x[0-9a-f]+ in )?/, ""); sub(/ at .*\//, " at "); print next_is, $0; next_is = "" }' out >walked
    while read -r function parameters does; do
        awk -v name="$function" '$1 == "AT" { inside = $2 == name } inside' walked >steps
        cat steps
        names=$(sed -n '1s/^AT [^(]*(\(.*\)) at .*/\1/p' steps | sed 's/=[^,]*//g; s/ //g')
        [ "$names" = "$parameters" ] || fail "$function has the parameters '$names', not '$parameters'"
        grep -q "^THEN $does " steps || fail "two steps from $function do not lead to $does"
    done <wanted
}

cat >wanted <<'EOF'
hipMalloc ptr,size tn_rt_memory_alloc
hipMemcpyAsync dst,src,sizeBytes,kind,stream tn_rt_copy_linear
hipStreamSynchronize stream tn_rt_synchronize
hipEventRecord event,stream tn_rt_event_record_with
hipMemMap ptr,size,offset,handle,flags tn_rt_map
EOF
walk hip -lamdhip64 <<'EOF'
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
int main(void) {
    void *memory;
    char host[64] = {0};
    hipEvent_t event;
    hipEventCreate(&event);
    hipMalloc(&memory, 64);
    hipMemcpyAsync(memory, host, 64, hipMemcpyHostToDevice, 0);
    hipStreamSynchronize(0);
    hipEventRecord(event, 0);
    hipMemMap(0, 4096, 0, 0, 0);
    return 0;
}
EOF

cat >wanted <<'EOF'
cudaMalloc address,size tn_rt_memory_alloc
cudaMemcpyAsync dst,src,count,kind,stream tn_rt_copy_linear
cudaStreamSynchronize stream tn_rt_synchronize
cuMemAlloc_v2 address,size alloc_device
cuEventRecord event,stream tn_rt_event_record_with
nvmlDeviceGetCount_v2 count nvmlDeviceGetCount_v2_work
EOF
walk cuda -lcudart -lnvidia-ml -l:libcuda.so.1 <<'EOF'
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvml.h>
int main(void) {
    void *memory;
    CUdeviceptr address;
    char host[64] = {0};
    CUevent event;
    unsigned count;
    cudaFree(0);
    cudaMalloc(&memory, 64);
    cudaMemcpyAsync(memory, host, 64, cudaMemcpyHostToDevice, 0);
    cudaStreamSynchronize(0);
    cuMemAlloc(&address, 64);
    cuEventCreate(&event, 0);
    cuEventRecord(event, 0);
    nvmlDeviceGetCount_v2(&count);
    return 0;
}
EOF

cat >wanted <<'EOF'
aclrtMalloc devPtr,size,policy alloc_as
aclrtMemcpy dst,destMax,src,count,kind aclrtMemcpy_work
aclrtCreateStream stream create_stream
aclrtRecordEvent event,stream run_in_stream
aclrtSynchronizeStream stream synchronize_stream
EOF
walk acl -lascendcl <<'EOF'
#include <acl/acl.h>
int main(void) {
    void *memory;
    char host[64] = {0};
    aclrtEvent event;
    aclrtStream stream;
    aclInit(0);
    aclrtSetDevice(0);
    aclrtCreateEvent(&event);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtCreateStream(&stream);
    aclrtRecordEvent(event, stream);
    aclrtSynchronizeStream(stream);
    return 0;
}
EOF

cat >wanted <<'EOF'
HIAI_Init deviceID HIAI_Init_work
HIAI_DFree dataBuffer free_block
HIAI_CreateGraph configFile,len HIAI_CreateGraph_work
HIAI_DestroyGraph graphID HIAI_DestroyGraph_work
HIAIX_SetDestroyTimeout ms HIAIX_SetDestroyTimeout_work
EOF
walk hiai -lhiai_matrix <<'EOF'
#include <hiaiengine/c_graph.h>
#include <hiaiengine/hiaix.h>
int main(void) {
    HIAI_Init(0);
    HIAI_DFree(HIAI_DMalloc(64, 500, 4));
    HIAI_CreateGraph(0, 0);
    HIAI_DestroyGraph(1);
    HIAIX_SetDestroyTimeout(1);
    return 0;
}
EOF

# Without a tool, the functions of MSTX have no work.
cat >wanted <<'EOF'
mstxMarkA message,stream mstxDetailSlot
mstxRangeStartA message,stream mstxDetailSlot
mstxRangeEnd id mstxDetailSlot
mstxDomainMarkA domain,message,stream mstxDetailSlot
mstxDomainDestroy domain mstxDetailSlot
EOF
walk mstx -lms_tools_ext <<'EOF'
#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>
int main(void) {
    mstxMarkA("a", 0);
    mstxRangeStartA("a", 0);
    mstxRangeEnd(0);
    mstxDomainMarkA(0, "a", 0);
    mstxDomainDestroy(0);
    return 0;
}
EOF
