#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What installs, builds packages, removes an installation or lays out a root folder keeps the files that it did not
# make, in the folders that the user names.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
# kept FILE...: each still has the text that the test wrote.
kept() {
    for file in "$@"; do
        [ "$(cat "$file" 2>/dev/null)" = mine ] || {
            echo "a file of the user is lost: ${file#"$work"/}" >&2
            bad=1
        }
    done
}
# mine FILE...: writes files of a user.
mine() {
    for file in "$@"; do
        mkdir -p "${file%/*}"
        echo mine >"$file"
    done
}

# The Python package, whether it can be built here or not.
mine "$work/python/source/main.c" "$work/python/log"
TARN_LIBRARY=$BUILD/lib/libtarn.so "$SRC/x" python "$work/python" >"$work/out" 2>&1 || true
kept "$work/python/source/main.c" "$work/python/log"

# Debian packages: a file of an earlier run is replaced, and others stay. Commands stand in for dpkg's.
mkdir "$work/bin"
cat >"$work/bin/dpkg-buildpackage" <<'STUB'
#!/bin/sh
echo package >../tarn_9_all.deb
STUB
printf '#!/bin/sh\n' >"$work/bin/dpkg-checkbuilddeps"
chmod +x "$work"/bin/*
mine "$work/debs/notes.txt" "$work/debs/tree/main.c" "$work/debs/tarn_mine.deb" "$work/debs/build.log"
for round in 1 2; do
    PATH=$work/bin:$PATH "$SRC/packaging/debian.sh" "$work/debs" >"$work/out" 2>&1 || {
        cat "$work/out" >&2
        bad=1
    }
    [ "$round" = 2 ] || echo tarn_8_all.deb >>"$work/debs/tarn-packages.txt"
    echo old >"$work/debs/tarn_8_all.deb"
done
kept "$work/debs/notes.txt" "$work/debs/tree/main.c" "$work/debs/tarn_mine.deb" "$work/debs/build.log"
[ "$(cat "$work/debs/tarn_9_all.deb")" = package ] || bad=1

# An installation is removed below a folder whose name is a pattern, and what a user keeps there stays.
prefix="$work/of [a] user"
cmake --install "$BUILD" --prefix "$prefix" --component runtime >/dev/null
mkdir -p "$prefix/share/tarn"
(cd "$prefix" && find . -type f -o -type l | sed 's|^\./||') >"$work/manifest"
mv "$work/manifest" "$prefix/share/tarn/manifest.txt"
mine "$prefix/lib/libmine.so" "$prefix/share/tarn/.hidden"
cmake "-DPREFIX=$prefix" -P "$SRC/cmake/uninstall.cmake" || bad=1
kept "$prefix/lib/libmine.so" "$prefix/share/tarn/.hidden"
[ ! -e "$prefix/lib/libtarn.so.0" ] || bad=1

# The manual pages, and the root folder for AArch64.
if command -v help2man >/dev/null && [ -n "${TARN:-}" ]; then
    mine "$work/man/other.1"
    "$SRC/docs/manual/pages.sh" "$TARN" /nowhere 2026-01-01 "$work/man" || bad=1
    kept "$work/man/other.1"
fi
mine "$work/root/main.c"
PATH=$work/bin:/usr/bin:/bin "$SRC/tests/aarch64/root.sh" "$work/root" >"$work/out" 2>&1 && bad=1
kept "$work/root/main.c"
exit $bad
