#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of findings for systems of CI share. Sourced after cli.sh, which sets work.
# shellcheck disable=SC2154

command -v python3 >/dev/null || {
    echo "skipped: no python3" >&2
    exit 77
}

# junit FILE: prints "tests failures errors", and then a line for each case: its name, the file without its
# folder, the line, and the type of its failure or error.
junit() {
    python3 - "$1" <<'END'
import os, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(root.get("tests"), root.get("failures"), root.get("errors"))
suite = root.find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(root.get("tests")) == int(suite.get("tests"))
assert len(root.findall(".//failure")) == int(root.get("failures"))
for case in cases:
    kinds = [child.tag + " " + child.get("type", "") for child in case]
    print(case.get("name"), os.path.basename(case.get("file", "")), case.get("line", ""), *kinds, sep="|")
END
}

# sarif FILE: prints a line for each result: rule, level, file without its folder, line, function.
sarif() {
    python3 - "$1" <<'END'
import json, os, sys
log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
rules = run["tool"]["driver"]["rules"]
print("successful" if run["invocations"][0]["executionSuccessful"] else "failed")
for result in run["results"]:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["partialFingerprints"] and result["message"]["text"]
    place = result["locations"][0]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    print(result["ruleId"], result["level"], os.path.basename(uri),
          place["physicalLocation"].get("region", {}).get("startLine", ""),
          place.get("logicalLocations", [{}])[0].get("fullyQualifiedName", ""), sep="|")
END
}

# same FILE LINE...: the file has exactly these lines.
same() {
    file=$1
    shift
    printf '%s\n' "$@" | cmp -s - "$file" || fail "$file is not: $* but: $(cat "$file")"
}
