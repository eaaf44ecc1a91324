#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# root.sh DIRECTORY: lays the AArch64 libraries that Tarn and its tests need into DIRECTORY, with their
# headers. apt-get resolves and downloads them with a state of its own there, so it needs no root, adds no
# architecture to this system and installs nothing. A directory that is complete is left as it is, and one that
# was not begun by this script is refused.
set -eu
packages='libc6-dev libcmocka-dev libdw-dev zlib1g-dev libzstd-dev liblzma-dev libsqlite3-dev libjansson-dev'
[ ! -e "$1/complete" ] || exit 0
[ ! -e "$1" ] || [ -e "$1/begun" ] || {
    echo "$1 exists and is not a root folder of this script; remove it, or name another" >&2
    exit 1
}
rm -rf "$1"
mkdir -p "$1/apt/state/lists/partial" "$1/apt/cache/archives/partial" "$1/usr/lib"
cd "$1"
: >begun
ln -s usr/lib lib
: >apt/status

apt() {
    apt-get -q -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Debug::NoLocking=1 -o Dir::State="$PWD/apt/state" -o Dir::State::status="$PWD/apt/status" \
        -o Dir::Cache="$PWD/apt/cache" "$@"
}
apt update
# shellcheck disable=SC2086 # a list of words
apt install -y --download-only --no-install-recommends $packages
for package in apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x --keep-directory-symlink --no-same-owner --exclude='./usr/share/doc' --exclude='./usr/share/man'
done
rm -rf apt

# Links with an absolute path would lead out of the directory.
find . -type l -lname '/*' | while IFS= read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" ".$(readlink "$link")")" "$link"
done
: >complete
