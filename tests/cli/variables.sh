#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A variable of the environment with a bad value is refused by its name: by a command before the program
# starts, and by the first call of a face with the face's error. An empty one counts as unset.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset LD_PRELOAD LD_LIBRARY_PATH HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ASCEND_RT_VISIBLE_DEVICES
cd "$work" || exit 1

# try FACE NAME VALUE: the program is not started.
try() {
    got=0 option=--as=$1
    [ -n "$1" ] || option=--fidelity
    env "$2=$3" "$TARN" run "$option" -- touch ran >out 2>err </dev/null || got=$?
    [ "$got" = 125 ] || fail "exit $got, not 125, with $2=$3"
    [ ! -e ran ] || fail "the program was started with $2=$3"
    [ "$(grep -c . err)" = 1 ] || fail "not one line with $2=$3"
    LC_ALL=C grep -q "^tarn run: environment variable $2[: ]" err || fail "no name with $2=$3"
    [ -z "$(LC_ALL=C tr -d '\n\t -\377' <err | head -c 1)" ] || fail "a control character with $2=$3"
}

# The rows of the table, as OWNER NAME KIND. Values that no kind takes.
sed -n 's/^ *X("\([a-z]*\)", \(TARN_[A-Z_]*\), \([A-Z]*\),.*/\1 \2 \3/p' "$SRC/src/base/variable.h" | sed 's/^ /- /' >rows
[ "$(grep -c . rows)" -ge 25 ] || fail "the table was not read"
escape=$(printf '\033[31m')
while read -r owner name kind; do
    [ "$owner" != - ] && [ "$owner" != command ] || owner=
    unset "$name"
    for value in x -1 99999999999999 '1 ' 0x1 yes "$escape" 1,1; do
        case "$kind $value" in
        "PROGRAM yes" | "NAME x" | "NAME 99999999999999" | "NAME 0x1" | "NAME yes") ;;
        *) try "$owner" "$name" "$value" ;;
        esac
    done
    case $kind in
    LOG) try "$owner" "$name" error: && try "$owner" "$name" :file ;;
    esac
done <rows

# Variables that the library parses when a device is opened, also those of back-ends that are not used.
for name in TARN_HOST TARN_SIM TARN_HIP TARN_CUDA TARN_ASCEND TARN_SEED TARN_FAIL TARN_QUIRK TARN_DELAY TARN_DEVICE; do
    unset "$name"
    for value in x -1 '1 ' yes "$escape" 1,1; do
        [ "$name=$value" != 'TARN_SEED=1 ' ] || value=:faults
        try '' "$name" "$value"
    done
done
for name in TARN_FAIL_LOG TARN_DECISION_LOG TARN_DECISIONS; do
    unset "$name"
    try '' "$name" "$work/absent/file"
done
for face in hip cuda acl; do
    try $face "TARN_$(echo $face | tr '[:lower:]' '[:upper:]')_DEVICE" x
done

# A log that cannot be written is refused as a word is, and a file of each process is not created by the command.
TARN_LOG=error:$work/absent/file expect 125 run --fidelity -- touch ran
says err '^tarn run: environment variable TARN_LOG is "error:.*/absent/file": the file: No such file or directory$'
TARN_HIP_LOG=error:absent/file expect 125 run --as hip -- touch ran
says err '^tarn run: environment variable TARN_HIP_LOG is "error:absent/file": '
[ ! -e ran ] || fail "the program was started without its log"
TARN_LOG=error:$work/%p.log expect 122 run --fidelity -- true
ls "$work"/*.log 2>/dev/null && fail "the command created a log"

# The checker's options, and the name of a device in a library of which the user sees only the first call.
TARN_CHECK_OPTIONS=x expect 125 check -- touch ran
[ ! -e ran ] || fail "the program was started with a bad TARN_CHECK_OPTIONS"
says err '^tarn check: environment variable TARN_CHECK_OPTIONS: "x" is not key=value$'
for row in 'hip TARN_HIP_DEVICE' 'cuda TARN_CUDA_DEVICE' 'acl TARN_ACL_DEVICE' 'hip TARN_DEVICE' 'acl TARN_DEVICE'; do
    # shellcheck disable=SC2086 # words
    set -- $row
    for value in x 'host:0,y=1' host:99; do
        env "$2=$value" "$TARN" info --as "$1" >out 2>err && fail "$2=$value is taken"
        says err "environment variable $2: "
    done
done

# The first call of each face, through its library. An empty value is none.
for row in 'hip TARN_HIP_SPARSE hipErrorNotInitialized' 'cuda TARN_CUDA_COHERENT CUDA_ERROR_NOT_INITIALIZED' \
    'acl TARN_ACL_STRICT 507033' 'hiai TARN_HIAI_MODE HIAI_INIT_FAIL'; do
    # shellcheck disable=SC2086 # words
    set -- $row
    env "$2=yes" "$TARN" info --as "$1" >out 2>err || true
    says err "^tarn info: $1: $3"
    env "$2=" "$TARN" info --as "$1" >out 2>err || fail "an empty $2 is refused"
    [ ! -s err ] || fail "an empty $2 is reported"
done

# A vendor's list of devices ends at its first bad entry, as the vendor's own does.
for value in x 0x1 -1 "," 9999 0,0 "0 0"; do
    HIP_VISIBLE_DEVICES=$value TARN_HIP_DEVICE=sim:0,devices=2 "$TARN" info --as hip >out 2>err || true
    case $value in
    0,0) [ "$(grep -c '^ *hip device' out)" = 1 ] || fail "not one device with $value" ;;
    *) says err '^tarn info: hip: hipErrorNoDevice: no device is visible to this process' ;;
    esac
done
