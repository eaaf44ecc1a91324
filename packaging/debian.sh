#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages: debian.sh FOLDER writes them to FOLDER, and builds in FOLDER/build. The next run replaces
# those that FOLDER/tarn-packages.txt lists. Other files stay. DEBFULLNAME and DEBEMAIL name the maintainer.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
cp -r "$source/packaging/debian" "$work/tree/debian"
cd "$work/tree"
need() {
    echo "packages are missing. Please run, then try again: sudo apt-get install $*" >&2
    exit 1
}
command -v dpkg-checkbuilddeps >/dev/null || need dpkg-dev
lacking=$(dpkg-checkbuilddeps debian/control 2>&1) || need "$(printf '%s\n' "$lacking" |
    sed 's/.*dependencies: //; s/ *([^)]*)//g; s/ | [^ ]*//g; s/debhelper-compat/debhelper/')"

maintainer="${DEBFULLNAME:-Tarn maintainers} <${DEBEMAIL:-maintainers@tarn.example}>"
sed -i "s/@MAINTAINER@/$maintainer/" debian/control
version=$(sed -n 's/^#define TARN_VERSION_[MP][A-Z]* \([0-9]*\).*/\1/p' "$source/include/tarn/base.h" | paste -sd.)
grep -q '^#define TARN_VERSION_DEV *0' "$source/include/tarn/base.h" || version=$version~dev # below the release
date=$(git -C "$source" log -1 --format=%cD 2>/dev/null || date -R -r "$source/CHANGELOG.md")
# The revision is below that of a package that Debian makes.
cat >debian/changelog <<CHANGES
tarn ($version-0tarn1) unstable; urgency=medium

  * Release $version. The changes are in changelog.gz.

 -- $maintainer  $date
CHANGES
TARN_SOURCE=$source TARN_BUILD=$folder/build dpkg-buildpackage -b -us -uc >"$work/log" 2>&1 || {
    tail -n 50 "$work/log" >&2
    exit 1
}

cd "$folder"
touch tarn-packages.txt
while IFS= read -r name; do
    rm -f "./${name##*/}"
done <tarn-packages.txt
(cd "$work" && find . -maxdepth 1 -type f ! -name log | sed 's|^\./||' | sort) >tarn-packages.txt
while IFS= read -r name; do
    mv "$work/$name" .
done <tarn-packages.txt
