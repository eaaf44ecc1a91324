#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the headers of compat/cuda/include with those of NVIDIA's toolkit.

layout.py OURS THEIRS: two include folders. Every name that our headers declare for programs must
exist in theirs, with the same value, size, offsets, signature and symbol. Names that only their
headers have are not compared. The compiler is $CC.
"""

import os
import re
import subprocess
import sys
import tempfile

COMPILER = os.environ.get("CC", "gcc")
# The names of each header that programs use. The same definitions have names of the other API, too.
HEADERS = {"cuda.h": r"CU|cu[A-Z]", "cuda_runtime_api.h": r"cuda[A-Z]|CUDART_|dim3"}
STREAMS = ("-UCUDA_API_PER_THREAD_DEFAULT_STREAM", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM")
# Our headers include these.
KERNEL = os.path.join(os.path.dirname(__file__), "../../../compat/kernel/include")
WORK = tempfile.TemporaryDirectory()


def run(arguments, text=None):
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s failed:\n%s" % (" ".join(arguments), done.stderr[:4000]))
    return done.stdout


def preprocess(header, folder, option):
    return run([COMPILER, "-E", option, "-x", "c", "-I", folder, "-I", KERNEL, "-"], "#include <%s>\n" % header)


def split(text, mark):
    """Splits at marks outside of parentheses and braces."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if char == mark and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def body(text):
    """The text before the outermost braces, in them, and behind them."""
    start, end = text.index("{"), text.rindex("}")
    return text[:start], text[start + 1 : end], text[end + 1 :]


def members(text, prefix=""):
    """The members of a struct or union; those of a nested one as a.b."""
    found = []
    for part in split(text, ";"):
        if "{" in part:
            _, inner, part = body(part)
            for name in split(part, ",") or [""]:
                found += members(inner, prefix + name + "." if name else prefix)
        for declarator in split(part, ","):
            name = re.search(r"(\w+)\s*(\[[^]]*\])?$", declarator)
            if name:
                found.append(prefix + name.group(1))
    return found


class Declarations:
    """What a header declares."""

    def __init__(self, header, folder):
        self.enumerators, self.types, self.functions, self.same = [], {}, {}, {}
        text = preprocess(header, folder, "-P")
        text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__", "", text)
        for item in split(" ".join(text.split()), ";"):
            self.declare(item)
        missed = set(re.findall(r"\b(cu\w+) ?\(", text)) - set(self.functions)
        if missed:
            sys.exit("not understood in %s: %s" % (header, " ".join(sorted(missed))))
        self.names, self.numbers = {}, []
        number = r"[-0-9(]|CU_|cudaLaunchAttribute[A-HJ-UW-Z]"
        for line in preprocess(header, folder, "-dM").splitlines():
            name, _, value = line[len("#define "):].partition(" ")
            if not re.fullmatch(r"\w*[^_\W]", name):
                continue
            if re.fullmatch(r"cu[A-Z]\w+", value):
                self.names[value] = name
            elif re.match(number, value):
                self.numbers.append(name)

    def declare(self, item):
        function = re.match(r"(?:const char \*|\w+) ?(cu\w+) ?\(", item)
        if function:
            self.functions[function[1]] = item
        elif re.match(r"(typedef )?enum\b.*\{", item):
            head, inner, names = body(item)
            self.enumerators += [part.split("=")[0].strip() for part in split(inner, ",")]
            self.call_the_same(split(names, ",") + head.split()[-1:])
        elif re.match(r"typedef (struct|union)\b.*\{", item):
            head, inner, names = body(item)
            self.types.update((name, members(inner)) for name in split(names, ","))
            self.call_the_same(split(names, ",") + head.split()[2:])
        elif item.startswith("typedef") and "(" not in item:
            names = [re.search(r"\w+$", part)[0] for part in split(item, ",")]
            base = re.match(r"typedef (\w+) \w+(, \w+)*$", item)
            self.call_the_same(names + ([base[1]] if base else []))

    def call_the_same(self, names):
        group = set(names).union(*(self.same.get(name, ()) for name in names))
        self.same.update((name, group) for name in group)

    def spelled(self, text, wanted):
        """The text with the names of types that the header has for programs."""

        def other(match):
            names = sorted(name for name in self.same.get(match[0], ()) if re.match(wanted, name))
            return names[0] if names else "int" if match[0] == "CUdevice" else match[0]

        return re.sub(r"\bCU\w+", other, text.replace("enum ", ""))


def compiled(folder, header, text, *options):
    """The path of a program or object file, which the next call replaces."""
    path = os.path.join(WORK.name, "compiled")
    text = "#include <stddef.h>\n#include <stdio.h>\n#include <%s>\n%s" % (header, text)
    run([COMPILER, "-w", "-x", "c++", "-std=c++17", *options, "-I", folder, "-I", KERNEL, "-", "-o", path], text)
    return path


def layout(declared, wanted):
    """A program that prints all numbers, sizes and offsets."""
    numbers = sorted(set(declared.enumerators + declared.numbers))
    lines = ['printf("%s %%lld\\n", (long long)%s);' % (name, name)
             for name in numbers if re.match(wanted, name)]
    for name, inside in sorted(declared.types.items()):
        if re.match(wanted, name):
            lines.append('printf("%s %%zu %%zu\\n", sizeof(%s), alignof(%s));' % (name, name, name))
            lines += ['printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof(((%s *)0)->%s));'
                      % (name, member, name, member, name, member) for member in inside]
    return "int main() {\n%s\n}\n" % "\n".join(lines)


def compare(what, ours, theirs):
    for own, other in zip(ours, theirs):
        if own != other:
            print("%s: ours is %s, theirs %s" % (what, own, other), file=sys.stderr)
    if ours != theirs or len(ours) < 200:
        sys.exit("%s differ" % what)
    print("%d %s" % (len(ours), what))


def main(ours, theirs):
    for header, wanted in HEADERS.items():
        declared = Declarations(header, ours)

        text = layout(declared, wanted)
        both = [run([compiled(folder, header, text)]).splitlines() for folder in (ours, theirs)]
        compare("numbers and layouts of " + header, *both)

        # A second declaration with another signature is an error.
        functions = {declared.names.get(name, name): name for name in declared.functions}
        text = "".join("using ::%s;\n" % name for name in functions)
        text += 'extern "C" {\n%s}\n' % "".join(
            declared.spelled(item, wanted) + ";\n" for item in declared.functions.values())
        compiled(theirs, header, text, "-c")

        addresses = "".join("(const void *)&%s,\n" % name for name in sorted(functions))
        text = "extern const void *const all[] = {\n%s};\n" % addresses
        for option in STREAMS:
            both = [run(["nm", "-u", compiled(folder, header, text, "-c", option)]).splitlines()
                    for folder in (ours, theirs)]
            compare("symbols of %s, %s" % (header, option), *both)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
