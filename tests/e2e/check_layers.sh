#!/bin/sh
# tools/check-layers: it refuses what src/LAYERS does not allow.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/src/low" "$tree/src/high" "$tree/include/yuloh" \
        "$tree/examples"
    cat >"$tree/src/LAYERS" <<'END'
low
    headers misc.h
high
    may     low
    library yaml.h clang-c
END
    echo '#include "low/a.h"' >"$tree/src/low/a.c"
    echo '#include <stdio.h>' >"$tree/src/low/a.h"
    printf '#include "low/a.h"\n#include "yuloh/misc.h"\n#include <yaml.h>\n' \
        >"$tree/src/high/b.c"
    echo '#include <clang-c/Index.h>' >>"$tree/src/high/b.c"
    echo '#include <stddef.h>' >"$tree/include/yuloh/misc.h"
    echo '#include "yuloh/misc.h"' >"$tree/include/yuloh/b.h"
    echo '#include "yuloh/b.h"' >"$tree/examples/e.c"
}

good() {
    fresh
    "$root/tools/check-layers" "$tree"
}

# finds TEXT FILE LINE: with LINE added to FILE, TEXT is in the complaint.
finds() {
    fresh
    mkdir -p "$(dirname "$tree/$2")"
    printf '%s\n' "$3" >>"$tree/$2"
    "$root/tools/check-layers" "$tree" >"$scratch/out" && return 1
    cat "$scratch/out"
    grep -qF "$1" "$scratch/out"
}

holds 'a good tree passes' good
holds 'upwards' finds 'low may not include' src/low/a.c '#include "high/b.h"'
holds 'upwards through a public header' finds 'low may not include' \
    src/low/a.c '#include "yuloh/b.h"'
holds 'a public header upwards' finds 'low may not include' \
    include/yuloh/misc.h '#include "yuloh/b.h"'
holds 'a library in the wrong folder' finds "is not libc's" \
    src/low/a.c '#include <yaml.h>'
holds 'an unknown library' finds "is not libc's" \
    src/high/b.c '#include <curl/curl.h>'
holds 'a public header that includes an internal one' finds 'internal' \
    include/yuloh/b.h '#include "low/a.h"'
holds 'an example that includes an internal header' finds 'public headers' \
    examples/e.c '#include "low/a.h"'
holds 'an include without its folder' finds 'with its folder' \
    src/low/a.c '#include "a.h"'
holds 'a folder that LAYERS does not know' finds 'not in src/LAYERS' \
    src/new/n.c '/* */'
holds 'a public header of nobody' finds 'belongs to no folder' \
    include/yuloh/lost.h '/* */'
holds 'a generated header in the wrong folder' finds 'low may not include' \
    src/low/a.c '#include "gen/x_go.h"'
holds 'a cycle' finds 'must stand above' src/LAYERS '    may high'
finish
