#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info reports each feature of a device, and no other one, as text and as JSON. Each feature but pinned is
# present on one of these devices and missing on another. The faces' booleans are shown with both values.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the build folder}"
unset TARN_HIP_DEVICE TARN_HIP_COMPAT TARN_HIP_SPARSE TARN_HIP_LOG HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES
unset TARN_CUDA_LIBRARY TARN_HIP_LIBRARY TARN_ASCEND_LIBRARY TARN_ACL_DEVICE

# The version is that of the header, and the line is complete.
version=$(sed -n 's/^#define TARN_VERSION_[A-Z]* *\([0-9][0-9]*\).*/\1/p' "$SRC/include/tarn/base.h" | head -n 3 | paste -sd. -)
! grep -q '^#define TARN_VERSION_DEV *1' "$SRC/include/tarn/base.h" || version=$version-dev
expect 0 --version
printf 'tarn %s\n' "$version" | cmp -s - "$work/out" || fail "--version is not exactly tarn $version"
expect 0 info --device sim:0 --json
[ "$(json version)" = "$version" ] || fail "the JSON has another version"

# list_of KEY: the first JSON list of that name, in one line.
list_of() {
    sed -n "/^ *\"$1\": \[\]/{s/.*//p;q}
        /^ *\"$1\": \[/,/\]/{/\]/q;s/^ *\"\([^\"]*\)\",\{0,1\}\$/\1/p}" "$work/out" | paste -sd' ' -
}

# line_of TITLE: what follows the title in the text, of the first device.
line_of() {
    sed -n "s/^ *$1 //p" "$work/out" | head -n 1
}

# has DEVICE FEATURES SHAREABLES: exactly these, as text and as JSON.
has() {
    expect 0 info --device "$1"
    [ "$(line_of 'features:')" = "$2" ] || fail "$1 should have: $2"
    [ "$(line_of 'shares memory by:')" = "$3" ] || fail "$1 should share by: $3"
    expect 0 info --device "$1" --json
    [ "$(list_of features)" = "$2" ] || fail "$1 should have in JSON: $2"
    [ "$(list_of shareable)" = "$(printf %s "$3" | sed 's/^none$//')" ] || fail "$1 should share in JSON by: $3"
}

has host:0 'vmm bytes host-access alias peer async pinned host-phys arrays giant-pages checked partial mixed rights conditions' \
    'fd token'
has host:0,devices=1 'vmm bytes host-access alias async pinned host-phys arrays giant-pages checked partial mixed rights conditions' \
    'fd token'
has sim:0 'vmm alias peer pinned host-phys virtual-time arrays giant-pages checked partial mixed rights' token
has sim:0,devices=1,giant=off 'vmm alias pinned host-phys virtual-time arrays checked partial mixed rights' token
has sim:0,vmm=off 'peer pinned virtual-time arrays giant-pages checked' none

# The back-ends of vendors, over the faces.
hip=$BUILD/lib/tarn/hip/libamdhip64.so.6
acl=$BUILD/lib/tarn/acl/libascendcl.so
if [ ! -e "$hip" ] || [ ! -e "$acl" ]; then
    echo "skipped: the faces are not built"
    exit 77
fi
has "hip:0,library=$hip" 'vmm bytes alias peer async pinned partial mixed rights' fd
has "ascend:0,library=$acl" 'vmm bytes host-access alias async pinned host-phys' token

# The faces' own booleans.
face() {
    expect 0 info --as hip --device "$1"
    says out "virtual memory management: $2\$"
    says out "sparse arrays: $3\$"
    expect 0 info --as hip --device "$1" --json
    [ "$(json virtual_memory_management)" = "$(json_of "$2")" ] || fail "virtual memory of $1 in JSON"
    [ "$(json sparse_arrays)" = "$(json_of "$3")" ] || fail "sparse arrays of $1 in JSON"
}
json_of() {
    [ "$1" = yes ] && echo true || echo false
}
face sim:0 yes no
face sim:0,vmm=off no no
TARN_HIP_SPARSE=1
export TARN_HIP_SPARSE
face sim:0 yes yes
