#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command whose injected library cannot be loaded, or cannot write, ends with 125 and one line that names
# the library and the loader's reason. It does not succeed, and it does not blame the program.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH LD_PRELOAD LD_LIBRARY_PATH TARN_RECORD_FILE
cc=${CC:-cc}
skip_sanitized "a sanitizer's library must come first in a program"
built=$(cd "$(dirname "$TARN")/.." && pwd)

# An installation whose libraries of the checker and the recorder are copies, to be broken.
mkdir -p "$work/bin" "$work/lib/tarn/check" "$work/lib/tarn/record"
cp "$TARN" "$work/bin/tarn"
TARN=$work/bin/tarn
for file in "$built"/lib/*.so*; do
    ln -s "$file" "$work/lib/"
done
check=$work/lib/tarn/check/libtarn-check.so record=$work/lib/tarn/record/libtarn-record.so
restore() {
    rm -rf "$check" "$record"
    cp "$built/lib/tarn/check/libtarn-check.so" "$check"
    cp "$built/lib/tarn/record/libtarn-record.so" "$record"
}
restore
printf 'a 0 1 4096\nf 0 1\n' >"$work/trace"
expect 0 check -- "$TARN" replay "$work/trace"
expect 0 record -o "$work/recording" -- "$TARN" replay "$work/trace"

# refused REASON: neither command starts a program.
refused() {
    for command in check torture "record -o $work/recording"; do
        # shellcheck disable=SC2086 # words
        expect 125 $command -- touch "$work/ran"
        [ ! -e "$work/ran" ] || fail "tarn $command started the program"
        [ "$(grep -c . "$work/err")" = 1 ] || fail "not one line for tarn $command"
        case $command in
        record*) says err "^tarn record: $record cannot be loaded: $1" ;;
        *) says err "^tarn $command: $check cannot be loaded: $1" ;;
        esac
    done
    expect 1 replay --check "$work/trace"
    says err "^tarn replay: $check cannot be loaded: $1"
    restore
}

# Not a library at all, one that was cut off, and one for another processor.
echo 'this is no library' >"$check" && cp "$check" "$record"
refused '.*\(file too short\|invalid ELF header\)'
for file in "$check" "$record"; do
    head -c 20 "$file" >"$work/cut" && mv "$work/cut" "$file"
done
refused '.*file too short'
for file in "$check" "$record"; do # AArch64 and little-endian RISC-V, of which one is another processor
    case $(uname -m) in
    aarch64) printf '\363\000' ;;
    *) printf '\267\000' ;;
    esac | dd of="$file" bs=1 seek=18 conv=notrunc 2>/dev/null
done
refused 'it is for another processor (ELF machine [0-9]*, not [0-9]*)'

# A dependency is missing.
echo 'int gone(void) { return 0; }' >"$work/gone.c"
echo 'int gone(void); int InitInjectionMstx(void) { return gone(); }' >"$work/needs.c"
"$cc" -shared -fPIC -Wl,-soname,libgone.so "$work/gone.c" -o "$work/libgone.so"
"$cc" -shared -fPIC "$work/needs.c" "$work/libgone.so" -o "$check"
rm "$work/libgone.so"
cp "$check" "$record"
refused 'libgone.so: cannot open shared object file: No such file or directory'

# No permission, unless the user needs none.
chmod 0 "$check" "$record"
if [ ! -r "$check" ]; then
    refused '.*Permission denied'
fi
restore

# The library is gone.
rm "$check"
expect 125 check -- true
says err "^tarn check: libtarn-check.so is not in $work/"
restore

# The library can be loaded by the command and not by the program, which succeeds.
for pair in check:"$check" record:"$record"; do
    file=${pair#*:}
    printf '#!/bin/sh\necho broken >"%s"\nmv "%s" "%s"\n"%s" replay "%s"\n' \
        "$work/broken" "$work/broken" "$file" "$TARN" "$work/trace" >"$work/script"
    chmod +x "$work/script"
    case $pair in
    check:*) expect 125 check -- "$work/script" ;;
    *) expect 125 record -o "$work/recording" -- "$work/script" ;;
    esac
    says err "^tarn ${pair%%:*}: $file cannot be loaded: .*\(file too short\|invalid ELF header\)"
    ! grep -q -e 'loads Tarn' -e 'loaded Tarn' "$work/err" || fail "the program is blamed"
    says out '2 events'
    restore
done

# The program removes the variable that names the library. Without the variable of the socket as well, the command
# cannot tell it from a program without Tarn.
expect 125 check -- env -u MSTX_INJECTION_PATH "$TARN" replay "$work/trace"
says err '^tarn check: libtarn-check.so is not in the program, whose environment lacks MSTX_INJECTION_PATH'
[ "$(grep -c . "$work/err")" = 1 ] || fail "more than one line"
expect 125 record -o "$work/absent" -- \
    env -u MSTX_INJECTION_PATH -u NVTX_INJECTION64_PATH -u LD_PRELOAD "$TARN" replay "$work/trace"
says err '^tarn record: libtarn-record.so is not in the program, whose environment lacks MSTX_INJECTION_PATH'
expect 0 run --quirk late-map -- "$TARN" replay "$work/trace"
expect 122 check -- env -i "$TARN" replay "$work/trace"

# A file cannot grow, as on a full disk: the program runs to its end, and the command fails. Only a simulated
# device has no file of its own, and the limit is for pipes none.
seq 1 20000 | awk '{ print "a 0", $1, 4096 + $1 % 1000; print "f 0", $1 }' >"$work/many"
for limit in 0 8; do
    { (ulimit -f "$limit" && exec "$TARN" record -o "$work/recording" -- \
        "$TARN" replay --device sim:0 "$work/many") 2>&1 >/dev/null </dev/null || echo "exit $?"; } | cat >"$work/err"
    says err '^exit 125$'
    says err "^tarn record: $work/recording: cannot write: File too large"
    [ "$(grep -c . "$work/err")" = 2 ] || fail "more than one line"
    rm -f "$work/recording"
done
expect 125 record -o /dev/full -- "$TARN" replay "$work/trace"
says err '^tarn record: /dev/full: cannot write: No space left on device'
