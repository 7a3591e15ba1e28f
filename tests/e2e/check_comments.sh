#!/bin/sh
# tools/check-comments: a name that leads nowhere is found, wherever it stands.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree
x=src/base/x.c

# A tree in which every name leads somewhere.
fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/src/base" "$tree/src/net/deep" "$tree/include/yuloh" \
        "$tree/tools" "$tree/tests" "$tree/api"
    echo '# base: x.c, src/net/, yl_x_new() and tools/go' \
        >"$tree/src/base/README.md"
    printf '/* X, see base/x.h and ../shared/z.md. */\nint yl_x_new(void);\n' \
        >"$tree/$x"
    echo '/* X: yuloh/y.h, yuloh/api/apps.h. */' >"$tree/src/base/x.h"
    echo '/* Y. */' >"$tree/include/yuloh/y.h"
    echo '/* Apps. */' >"$tree/api/apps.h"
    echo '/* Deep: above.h, net/above.h, unit.h. */' \
        >"$tree/src/net/deep/d.h"
    echo '/* Above: deep/d.h, deep/*.h. */' >"$tree/src/net/above.h"
    echo '/* Unit. */' >"$tree/tests/unit.h"
    printf '#!/bin/sh\n# Goes; see src/base/x.c.\n' >"$tree/tools/go"
}

# also FILE LINE: with LINE added to FILE, there is no complaint.
also() {
    fresh
    printf '%s\n' "$2" >>"$tree/$1"
    "$root/tools/check-comments" "$tree"
}

# finds NAME FILE LINE: with LINE added to FILE, NAME is missed.
finds() {
    fresh
    printf '%s\n' "$3" >>"$tree/$2"
    "$root/tools/check-comments" "$tree" >"$scratch/out" && return 1
    cat "$scratch/out"
    grep -q "^$2:[0-9]*: there is no $1\$" "$scratch/out"
}

holds 'a good tree passes' also $x ''
holds 'a file in a comment' finds gone.c $x '/* See gone.c. */'
holds 'a file in a folder' finds base/gone.h $x '/* See base/gone.h. */'
holds 'a file of another folder' finds above.h $x '/* See above.h. */'
holds 'a file in a README' finds gone.md src/base/README.md 'See `gone.md`.'
holds 'a file in a script' finds tools/gone tools/go '# See tools/gone.'
holds 'a folder' finds src/gone/ src/base/README.md 'in `src/gone/`'
holds 'a pattern' finds 'gone_[*].c' $x '/* All of gone_*.c. */'
holds 'a function' finds yl_x_old $x '/* See yl_x_old(). */'
holds 'a macro' finds YL_OLD src/base/README.md 'It is YL_OLD.'
holds 'a step of a drawing' finds read_it $x '/* a --read_it--> b */'
holds 'code and strings are no comments' \
    also $x 'const char *s = "gone.c"; int yl_other;'
holds 'names that stand for any' \
    also $x '/* x.c, x_test.c, src/FOLDER/x.h, yl_THING_new(), a_AREA.c */'
holds 'what merely looks like a name' \
    also $x '/* <sys/epoll.h>, www.example.com/a.html, e.g. x.y, a.c(1) */'
finish
