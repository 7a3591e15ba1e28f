#!/bin/sh
# tools/check-style: each rule can fail, and good code passes.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree

# A tree that has nothing wrong.
fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/src/base" "$tree/include/yuloh"
    echo '# base' >"$tree/src/base/README.md"
    printf '/* X. */\n\n#include "base/x.h"\n\nint x;\n' \
        >"$tree/src/base/x.c"
    printf '#ifndef BASE_X_H\n#define BASE_X_H 1\n\n/* X. */\n\n%s\n' \
        '#endif /* base/x.h */' >"$tree/src/base/x.h"
    printf '/* Tests of x. */\n\nTEST(x_holds)\n{\n}\n' \
        >"$tree/src/base/x_test.c"
    printf '#ifndef YL_Y_H\n#define YL_Y_H 1\n\n/* Y. */\n\n%s\n' \
        '#endif /* yuloh/y.h */' >"$tree/include/yuloh/y.h"
}

good() {
    fresh
    "$root/tools/check-style" "$tree"
}

# finds RULE FILE LINE: with LINE added to FILE, RULE is in the complaint.
finds() {
    fresh
    mkdir -p "$(dirname "$tree/$2")"
    printf '%s\n' "$3" >>"$tree/$2"
    complains "$1"
}

complains() {
    "$root/tools/check-style" "$tree" >"$scratch/out" && return 1
    cat "$scratch/out"
    grep -qF "$1" "$scratch/out"
}

gone() {
    fresh
    rm "$tree/$2"
    complains "$1"
}

replaced() {
    fresh
    printf '%s\n' "$3" >"$tree/$2"
    complains "$1"
}

# also FILE LINE: with LINE added to FILE, there is no complaint.
also() {
    fresh
    printf '%s\n' "$2" >>"$tree/$1"
    "$root/tools/check-style" "$tree"
}

long=$(printf '%080d' 0)
tab=$(printf '\t')
machine=/wo; machine=${machine}rk/x
registry=https://proxy.go; registry=${registry}lang.org/x
x=src/base/x.c

holds 'a good tree passes' good
holds 'banned functions' finds 'strcpy() is banned' $x 'int y = strcpy(a);'
holds 'raw allocation' finds 'malloc() is banned' $x 'int y = malloc(1);'
holds 'names in comments and strings are no calls' \
    also $x 'const char *s = "strcpy(a) // b"; /* malloc(1) // c */'
holds 'double slash comments' finds 'a // comment' $x "int y; /""/ no"
holds 'tabs' finds 'a tab' $x "${tab}int y;"
holds 'blanks at the end' finds 'blanks at the end' $x 'int y; '
holds 'columns' finds '79 at most' $x "/* $long */"
holds 'machine paths' finds 'path of one machine' docs/a.md "see $machine"
holds 'registries' finds 'package registry' docs/a.md "see $registry"
holds 'first comment' replaced 'does not start with a comment' $x 'int x;'
holds 'guards in src' replaced BASE_X_H src/base/x.h '#pragma once'
holds 'guards in include' replaced YL_Y_H include/yuloh/y.h '#pragma once'
holds 'own header first' replaced 'its own header' $x \
    '/* X. */ #include <stdio.h>'
holds 'a test beside each source' gone 'has no src/base/x_test.c' \
    src/base/x_test.c
holds 'x_part.c shares the test of x.c' also src/base/x_part.c '/* Part. */'
holds 'a README in each folder' gone 'no README.md' src/base/README.md
holds 'a test tests something' finds 'tests nothing' src/base/z_test.c \
    '/* Z. */'
holds 'tests have cases' replaced 'has no TEST' src/base/x_test.c '/* X. */'
holds 'test names' finds 'TEST(test_x)' src/base/x_test.c 'TEST(test_x)'
holds 'nothing else in src folders' finds 'src/ folders hold' \
    src/base/notes.txt hello
holds 'fuzzers have a corpus' finds 'has no corpus' tests/fuzz/x_fuzz.c \
    '/* X. */'
finish
