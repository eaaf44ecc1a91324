#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that no library can be loaded into runs unharmed under tarn check, and a warning says that
# it is not checked: static programs, also position-independent ones, scripts with such an
# interpreter, programs with the rights of another user. The dynamic linker as a program is none of
# them.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH LD_PRELOAD
cc=${CC:-cc}
skip_sanitized "a sanitizer's library must come first in a program"

cat >"$work/client.c" <<'END'
#include <mstx/ms_tools_ext.h>
#include <stdio.h>

int main(void) {
    mstxMarkA("a mark", NULL);
    puts("unharmed");
    return 5;
}
END
# build FILE FLAG...
build() {
    out=$work/$1
    shift
    "$cc" "$work/client.c" -I"$SRC/compat/mstx/include" -o "$out" "$@" 2>"$work/err"
}
build static -static || {
    echo "skipped: no static C library" >&2
    exit 77
}
build dynamic -ldl || fail "the dynamic program does not build"
programs=static
! build static_pie -static-pie || programs="$programs static_pie"

for name in $programs; do
    expect 5 check -- "$work/$name"
    says out '^unharmed$'
    says err "^tarn check: warning: $work/$name is linked statically"
    expect 5 check -- sh -c "$work/$name; exit \$?" # its environment is that of a checked program
    says out '^unharmed$'
done
printf '#! %s with an argument\n' "$work/static" >"$work/script"
chmod +x "$work/script"
expect 5 check -- "$work/script"
says out '^unharmed$'
says err "^tarn check: warning: $work/static is linked statically"

expect 5 check -- "$work/dynamic"
! grep -q ': warning: ' "$work/err" || fail "a warning about a dynamic program"
linker=$(LC_ALL=C readelf -l "$work/dynamic" | sed -n 's/.*interpreter: \(.*\)\]$/\1/p')
expect 5 check -- "$linker" "$work/dynamic"
! grep -q ': warning: ' "$work/err" || fail "a warning about the dynamic linker"

# Another user's program, which only that user and root may make.
if [ "$(id -u)" = 0 ] && chown 12345 "$work/dynamic" && chmod 4755 "$work/dynamic"; then
    expect 5 check -- "$work/dynamic"
    says err "^tarn check: warning: $work/dynamic runs with the rights of another user"
fi
