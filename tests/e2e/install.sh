#!/bin/sh
# Tests an installed libyuloh: a program compiles, links and runs with it, shared
# and static, and it exports what its headers declare and nothing else.
# libyuloh-server links into a program, and libyuloh needs none of its
# libraries.
. "$(dirname "$0")/../tap.sh"

dest=$scratch/dest
meson=/usr/bin/meson
[ -x $meson ] || meson=meson
holds 'meson install' env DESTDIR="$dest" $meson install -C "$build" \
    --no-rebuild --quiet

pc=$(find "$dest" -name yuloh.pc)
libdir=$(dirname "$(dirname "$pc")")
includedir=$(dirname "$(dirname "$(find "$dest" -path '*/yuloh/str.h')")")
prefix=${includedir%/include}
so=$libdir/libyuloh.so
export PKG_CONFIG_PATH="$libdir/pkgconfig"

# The flags, with the folders below $dest instead of those after a real
# installation.
flags() {
    pkg-config --define-variable=libdir="$libdir" \
        --define-variable=includedir="$includedir" "$@" yuloh
}

compiles() {
    name=$1
    shift
    # shellcheck disable=SC2046
    cc -std=c11 -Wall -Wextra -Werror "$root/examples/retry.c" \
        -o "$scratch/$name" $(flags "$@") $(
            [ "$name" = shared ] || echo -static)
}

answers() {
    [ "$(LD_LIBRARY_PATH=$libdir "$scratch/$1" 409 Conflict)" = \
      'ECONFLICT (409 Conflict): object has changed; retry now' ]
}

uses_the_shared_library() {
    LD_LIBRARY_PATH=$libdir ldd "$scratch/shared" | grep "$libdir/libyuloh.so"
}

# Functions that the installed headers declare; the compiler reads them.  It
# lists function types too, whose names end in _fn, but no variables.  What
# yuloh/testenv.h declares is in libyuloh-server.
declared() {
    (cd "$includedir" && for h in yuloh/*.h yuloh/api/*.h; do
         [ "$h" = yuloh/testenv.h ] || echo "#include \"$h\""
     done) >"$scratch/all.c"
    gcc -std=c11 -I"$includedir" -aux-info "$scratch/aux" -fsyntax-only \
        "$scratch/all.c"
    {
        grep "/yuloh/[a-z0-9_]*\.h:[0-9]*:NC" "$scratch/aux" \
            | grep -v static | grep -oE '\byl_[a-z0-9_]+ \(' | tr -d '( ' \
            | grep -v '_fn$'
        sed -nE 's/^extern .*\b([a-z0-9_]+);.*/\1/p' \
            "$includedir"/yuloh/*.h "$includedir"/yuloh/api/*.h
    } | LC_ALL=C sort -u
}

exported() {
    nm -D --defined-only "$so" | awk '{ print $3 }' | LC_ALL=C sort -u
}

same_names() {
    declared >"$scratch/declared"
    exported >"$scratch/exported"
    [ -s "$scratch/declared" ] && diff "$scratch/declared" "$scratch/exported"
}

only_public_headers() {
    (cd "$includedir" && find . -type f) | sort >"$scratch/installed"
    {
        (cd "$root/include" && find . -name '*.h')
        "$root/tools/list-files" api | sed 's|.*/|./yuloh/api/|'
    } | sort >"$scratch/public"
    diff "$scratch/public" "$scratch/installed"
}

# In a static link all global symbols share one name space.  Ours begin with
# yl_, or are tables of generated types.  Weak symbols, which are C++ templates
# in the wrapper of RE2, are merged by the linker and cannot clash.
prefixed_symbols() {
    nm -g --defined-only "$libdir/libyuloh.a" "$libdir/libyuloh-server.a" \
        | awk 'NF == 3 && $2 ~ /^[ABCDGRST]$/ { print $3 }' \
        >"$scratch/symbols"
    grep -q '^yl_arena_new$' "$scratch/symbols" \
        && grep -q '^yl_registry_new$' "$scratch/symbols" \
        && ! grep -vE \
            '^(yl_|[a-z]+_v[0-9][a-z0-9]*_([a-z0-9_]+_kind|types|go)$)' \
            "$scratch/symbols"
}

# What controllers carry: libc, TLS, HTTP/2, YAML.
needs_few() {
    readelf -d "$so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
        >"$scratch/needed"
    [ -s "$scratch/needed" ] \
        && ! grep -vE '^(libc|libm|ld-linux.*|libssl|libcrypto|libnghttp2|libyaml-0|libzstd)\.' \
            "$scratch/needed"
}

# A program with a server in it, as people's tests are.
links_the_server() {
    cat >"$scratch/server.c" <<'END'
#include <stddef.h>
#include <yuloh/testenv.h>
int
main(void)
{
    struct yl_testenv *env;
    int r = yl_testenv_new(NULL, &env, NULL);

    if (r == 0) {
        yl_testenv_free(env);
    }
    return r != 0;
}
END
    # shellcheck disable=SC2046
    cc -std=c11 "$scratch/server.c" -o "$scratch/server" $(
        pkg-config --define-variable=libdir="$libdir" \
            --define-variable=includedir="$includedir" \
            --cflags --libs yuloh-server) \
        && "$scratch/server"
}

holds 'the public headers are installed, and only they' only_public_headers
holds 'the shared library exports what the headers declare' same_names
holds "the static libraries' symbols carry the project's prefix" \
    prefixed_symbols
holds 'an example compiles with pkg-config' compiles shared --cflags --libs
holds 'it links with the shared library' uses_the_shared_library
holds 'it runs' answers shared
holds 'it compiles with pkg-config --static' \
    compiles static --static --cflags --libs
holds 'it runs alone' answers static
holds 'libyuloh needs no library of the server' needs_few
holds 'a program links libyuloh-server' links_the_server
holds 'libyuloh-server is static only' \
    test -z "$(find "$dest" -name 'libyuloh-server.so*')"
holds 'the program is installed' "$prefix/bin/yuloh" version
if [ -x "$build/yuloh-gen" ]; then
    cp "$root/examples/network/network_types.h" "$scratch"
    holds 'the generator is installed and finds its headers' \
        "$prefix/bin/yuloh" gen types "$scratch/network_types.h"
fi
# systemd-analyze also looks for the program and the manual page.
unit_is_valid() {
    unit=$prefix/lib/systemd/system/yuloh.service
    sed "s|^ExecStart=${prefix#"$dest"}|ExecStart=$prefix|
         /^Documentation=/d" "$unit" >"$scratch/yuloh.service"
    grep '^ExecStart=' "$scratch/yuloh.service" &&
        systemd-analyze verify "$scratch/yuloh.service"
}

if command -v systemd-analyze >/dev/null; then
    holds 'the unit for systemd is valid' unit_is_valid
else
    skipped 'the unit for systemd is valid' 'there is no systemd-analyze'
fi
holds "the operator's guide is installed" test -s \
    "$prefix/share/doc/yuloh/operating.md"
holds 'its manual page is installed' test -f \
    "$prefix/share/man/man1/yuloh.1"
finish
