#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages: debian.sh FOLDER writes them to FOLDER, which it empties before, except for
# the build in FOLDER/build. DEBFULLNAME and DEBEMAIL name the maintainer.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
rm -rf "$folder"/*.* "$folder/tree"
mkdir "$folder/tree"
cp -r "$source/packaging/debian" "$folder/tree/debian"
cd "$folder/tree"

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
TARN_SOURCE=$source TARN_BUILD=$folder/build dpkg-buildpackage -b -us -uc >"$folder/build.log" 2>&1 || {
    tail -n 50 "$folder/build.log" >&2
    exit 1
}
