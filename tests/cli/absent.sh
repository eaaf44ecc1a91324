#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that starts a program which never loads Tarn did nothing, and does not succeed: it ends with
# 122, or with the status of a program that failed, and one line says why and what to do. One process of
# the program that loads Tarn is enough.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH LD_PRELOAD LD_LIBRARY_PATH
cc=${CC:-cc}
skip_sanitized "a sanitizer's library must come first in a program"
hip=$(cd "$(dirname "$TARN")/../lib/tarn/hip" && pwd)

# tarn COMMAND... -- as each command is started here.
check='check'
record="record -o $work/recording"
run='run --fail map:1'
quirk='run --quirk late-map'
delay='run --delay map:1us'
torture='torture'

# absent CODE PATTERN PROGRAM...: each command ends with CODE and one line that matches.
absent() {
    code=$1 pattern=$2
    shift 2
    for command in "$check" "$record" "$run" "$quirk" "$delay" "$torture"; do
        # shellcheck disable=SC2086 # words
        expect "$code" $command $options -- "$@"
        [ "$(grep -v ': warning: ' "$work/err" | grep -c -e "^tarn [a-z]*: [a-zA-Z ]*: $pattern")" = 1 ] ||
            fail "not one line for tarn $command: $pattern"
    done
}

options=
absent 122 'no process of true loaded Tarn. Start a program for HIP, CUDA, AscendCL or HiAI with --as ' true
# The status of a program that fails wins.
absent 3 'no process of sh loaded Tarn' sh -c 'exit 3'
options='--as hip'
absent 122 'no process of sh loaded Tarn' sh -c true
expect 122 run --as acl -- true
options=

# A program that cannot be started has no reason beyond that.
for command in "$check" "$record" "$run"; do
    # shellcheck disable=SC2086 # words
    expect 127 $command -- "$work/absent"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "more than one line of tarn $command"
done

# Whichever process of a tree loads Tarn, the command has done its work.
printf 'a 0 1 4096\nf 0 1\n' >"$work/trace"
printf '#!/bin/sh\nfor i in 1 2; do true; done\n"%s" replay "%s"\n' "$TARN" "$work/trace" >"$work/script"
chmod +x "$work/script"
for command in "$check" "$record" 'run --fail map:1000' "$quirk" "$delay"; do
    # shellcheck disable=SC2086 # words
    expect 0 $command -- "$work/script"
    ! grep -q -e 'loaded Tarn' -e 'loads Tarn' "$work/err" || fail "tarn $command: not seen in a script"
done
expect 5 run --fail tarn_device_open -- "$work/script" # the program's, not 122

# A program that loads Tarn and uses no memory.
expect 122 check -- "$TARN" version
says err '^tarn check: nothing was checked: .* loads Tarn and made no call that uses memory'
expect 122 torture -- "$TARN" version
says err '^tarn torture: no call can be made to fail: .* loads Tarn and made no call'

# Programs of a vendor's API. The stand-in for the vendor's library does nothing.
cat >"$work/client.c" <<'END'
int hipDriverGetVersion(int *);
int main(void) {
    int version = 0;
    return hipDriverGetVersion(&version);
}
END
# library FILE: a vendor's library of that name.
library() {
    mkdir -p "$work/vendor"
    echo 'int hipDriverGetVersion(int *version) { *version = 1; return 0; }' >"$work/library.c"
    "$cc" -shared -fPIC -Wl,-soname,"$1" "$work/library.c" -o "$work/vendor/$1"
}
library libamdhip64.so.6
library libamdhip64.so.5
"$cc" "$work/client.c" "$work/vendor/libamdhip64.so.6" -o "$work/client"
"$cc" "$work/client.c" "$work/vendor/libamdhip64.so.5" -o "$work/five"
"$cc" "$work/client.c" "$work/vendor/libamdhip64.so.6" -Wl,--disable-new-dtags,-rpath,"$work/vendor" -o "$work/bound"

needs="$work/client links libamdhip64.so.6, "
absent 127 "${needs}and no face was chosen that replaces it. Start it with --as hip" "$work/client" # no such library here
LD_LIBRARY_PATH=$work/vendor
export LD_LIBRARY_PATH
absent 122 "${needs}and no face was chosen that replaces it. Start it with --as hip" "$work/client"
options='--as acl'
absent 122 "${needs}which another face than the chosen one replaces. Start it with --as hip" "$work/client"
options='--as hip'
absent 122 "$work/five links libamdhip64.so.5, and the face replaces libamdhip64.so.6 and libamdhip64.so.7" "$work/five"
absent 122 "$work/bound links libamdhip64.so.6 and loads it from another folder" "$work/bound"
expect 122 run --as hip -- "$work/bound"
expect 0 run --as hip -- "$work/client"
expect 0 run --as hip -- sh -c "$work/client; exit 0"
for pair in acl:libascendcl.so hiai:libhiai_matrix.so; do
    library "${pair#*:}"
    "$cc" "$work/client.c" "$work/vendor/${pair#*:}" -o "$work/other"
    options=
    absent 122 "$work/other links ${pair#*:}, and no face was chosen that replaces it. Start it with --as ${pair%%:*}" "$work/other"
done
unset LD_LIBRARY_PATH
LD_DEBUG=libs expect 0 run --as hip -- "$work/client"
says err "calling init: $hip/libamdhip64.so.6"
options=

# A static program, unless it contains Tarn itself.
echo 'int main(void) { return 0; }' >"$work/static.c"
if "$cc" -static "$work/static.c" -o "$work/static" 2>"$work/err"; then
    absent 122 "$work/static is linked statically and can load no library of Tarn. Link it dynamically" "$work/static"
fi
archive=$(dirname "$TARN")/../lib/libtarn.a
if [ -e "$archive" ] && "$cc" -static "$SRC/examples/quickstart.c" -I"$SRC/include" "$archive" -lpthread -ldl \
    -o "$work/inside" 2>"$work/err"; then
    expect 1 run --fail tarn_device_open -- "$work/inside"
    expect 0 run --fail map:1000 -- "$work/inside"
    expect 122 check -- "$work/inside"
    says err '^tarn check: nothing was checked: .* is linked statically and can load no library of Tarn'
    expect 122 record -o "$work/recording" -- "$work/inside"
    says err '^tarn record: nothing was recorded: .* is linked statically and can load no library of Tarn'
fi
