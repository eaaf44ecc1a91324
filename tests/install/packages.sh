#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Debian packages are built, pass lintian, are installed in a root folder that has only what they depend on
# and a compiler, serve programs there by CMake and by pkg-config, and leave nothing behind when they are
# purged. The commands of the last image of Containerfile install them.
# shellcheck disable=SC2016 # the root's shell expands what is quoted
set -eu
for tool in dpkg-buildpackage:dpkg-dev dh:debhelper help2man:help2man lintian:lintian; do
    command -v "${tool%:*}" >/dev/null || {
        echo "skipped: needs ${tool#*:}"
        exit 77
    }
done
"$SRC/tests/install/root/possible.sh" || exit 77
work=$BUILD/tests/packages
root=$work/root
mkdir -p "$work"
trap 'rm -rf "$root"' EXIT
enter() { "$SRC/tests/install/root/enter.sh" "$root" "$@"; }
fail() {
    echo "$*" >&2
    exit 1
}

# Without optimisation and debug information: the test is of the packages.
DEB_BUILD_OPTIONS='noopt noautodbgsym' DEB_CFLAGS_STRIP=-g "$SRC/packaging/debian.sh" "$work/debs"
lintian --allow-root --fail-on error,warning "$work/debs"/*.changes >&2 || fail "lintian"

# Our dependencies are those that the packages name, without our own packages.
dependencies=$(for package in "$work/debs"/*.deb; do dpkg-deb -f "$package" Depends; done |
    tr ',' '\n' | sed 's/^ *//; s/[ |].*//' | grep -v '^libtarn' | sort -u)
# shellcheck disable=SC2086 # a list of words
"$SRC/tests/install/root/make.sh" "$root" apt gcc libc6-dev cmake make pkgconf $dependencies
mkdir "$root/packages" "$root/src"
cp "$SRC"/tests/install/consumer/* "$SRC/tests/install/faces/hip.c" "$SRC/examples/overflow.c" \
    "$SRC/traces/lora-ckpt.trace.gz" "$root/src"
snapshot() { (cd "$root" && find . \( -path ./proc -o -path ./tmp -o -path ./var \) -prune -o -print | LC_ALL=C sort); }
snapshot | grep -v '^./packages' >"$work/before"
cp "$work/debs"/*.deb "$root/packages"

# The last image of Containerfile copies the packages to /packages and runs this. The root has no network and
# no list of sources, so nothing else can come in.
install=$(sed -n '/^FROM/h; /^FROM/!H; ${g; p}' "$SRC/Containerfile" |
    sed -n '/^RUN/,/[^\\]$/p' | sed 's/^RUN //')
[ -n "$install" ] || fail "Containerfile runs nothing in its last image"
enter sh -ec "$install; dpkg --audit" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the packages are not installed: $install"
}

enter sh -ec '
    tarn --version
    tarn replay --touch /src/lora-ckpt.trace.gz
    cd /tmp
    gcc /src/main.c -o by_pkgconfig $(pkg-config --cflags --libs tarn)
    ./by_pkgconfig
    gcc /src/hip.c -o hip $(pkg-config --cflags --libs tarn-hip)
    tarn run --as hip -- ./hip
    gcc -g /src/overflow.c -o overflow $(pkg-config --cflags --libs tarn)
    status=0
    tarn check -- ./overflow 2>report || status=$?
    cat report
    [ "$status" = 77 ] && grep -q "main /src/overflow.c:" report
    cmake -S /src -B by_cmake && make -C by_cmake
    by_cmake/consumer_shared
    by_cmake/consumer_static
    [ -e /usr/share/doc/tarn/README.md ]
    apt-get purge -y libtarn0 libtarn-dev tarn tarn-faces tarn-doc' >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the packages do not serve"
}
snapshot >"$work/after"
diff -u "$work/before" "$work/after" >&2 || fail "'+': left behind by the packages; '-': removed with them"
