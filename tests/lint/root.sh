#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The root of the tree contains the files of this list and no other, so that nothing that a tool drops there
# is committed.
set -eu
files=$("$SRC/tests/lint/files")
unnamed=$(printf '%s\n' "$files" | grep -v / | grep -vxF '.clang-format
.clang-tidy
.dockerignore
.gdbinit
.gitignore
.gitlab-ci.yml
CHANGELOG.md
CMakeLists.txt
CODEOWNERS
CODE_OF_CONDUCT.md
CONTRIBUTING.md
Containerfile
LICENSE
README.md
SECURITY.md
tarn.map
x' || true)
[ -z "$unnamed" ] || {
    printf '%s\n' "$unnamed" | sed 's/$/: a file in the root that tests\/lint\/root.sh does not name/' >&2
    exit 1
}
