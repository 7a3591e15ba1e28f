#!/bin/sh
# yuloh gen: from an annotated header to a program that uses its records, and
# to a CRD.
. "$(dirname "$0")/../tap.sh"

yuloh=$build/yuloh
examples=$root/examples

if [ ! -x "$build/yuloh-gen" ]; then
    skipped 'everything' 'yuloh-gen is not built: libclang-14-dev is missing'
    finish
fi

# A folder with the example's header and what is generated from it.
generate() {
    mkdir -p "$scratch/$1" \
        && cp "$examples/$1/"*_types.h "$scratch/$1" \
        && "$yuloh" gen types "$scratch/$1/"*_types.h
}

# The program reads a document, refusing what the type does not have, forgets
# the text, copies the record and prints it.
program() {
    cat <<END
#include "$1.h"

#include <stdio.h>

#include "yuloh/arena.h"
#include "yuloh/error.h"

int
main(void)
{
    const struct yl_decode_opts opts = { .refuse_unknown = true };
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    static struct $2 record, copy;
    struct yl_scheme *scheme = yl_scheme_new();
    char text[4096];
    size_t size = fread(text, 1, sizeof text, stdin);
    struct yl_str json;

    if ($1_add_to_scheme(scheme) < 0
        || yl_scheme_find(scheme, yl_str_c($1_types.group),
                          yl_str_c($1_types.version),
                          yl_str_c($2_kind.name)) != &$2_kind
        || yl_scheme_find_resource(scheme, yl_str_c($1_types.group),
                                   yl_str_c($1_types.version),
                                   yl_str_c($2_kind.plural)) != &$2_kind) {
        return 3;
    }
    if ($2_decode(yl_json(yl_str_n(text, size)), arena, &opts, &record, &err)
        < 0) {
        fprintf(stderr, "%s\\n", yl_error_message(&err));
        return 1;
    }
    memset(text, 'x', sizeof text);
    $2_copy(&record, arena, &copy);
    if (!$2_equal(&record, &copy)) {
        return 2;
    }
    json = $2_encode(&copy, arena);
    printf("%.*s\\n", YL_STR_ARG(json));
    yl_scheme_free(scheme);
    yl_arena_free(arena);
    return 0;
}
END
}

compiles() {
    at=$scratch/$1
    program "$2" "$3" >"$at/main.c"
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        $cc -std=c11 -Wall -Wextra -Wpedantic -Wno-overlength-strings \
            -Wstrict-prototypes -Wshadow -Werror -I"$root/include" \
            "$at/main.c" "$at/$2.c" -o "$at/main" \
            "$build/libyuloh.so" -Wl,-rpath,"$build" || return 1
    done
}

parses_as_cxx() {
    printf '#include "%s.h"\n' "$2" >"$scratch/$1/x.cc"
    for cxx in g++ clang++; do
        command -v $cxx >/dev/null || continue
        $cxx -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
            -I"$root/include" "$scratch/$1/x.cc" || return 1
    done
}

# round_trips FOLDER DOCUMENT: it comes back as it went in.
round_trips() {
    printf '%s' "$2" | "$scratch/$1/main" >"$scratch/out" \
        && "$yuloh" convert -o canonical "$scratch/out" >"$scratch/got" \
        && printf '%s' "$2" | "$yuloh" convert -o canonical >"$scratch/want" \
        && diff "$scratch/want" "$scratch/got"
}

refuses() {
    printf '%s' "$3" | "$scratch/$1/main" >/dev/null 2>"$scratch/err" \
        && return 1
    grep -qF "$2" "$scratch/err"
}

network='{"apiVersion":"cloudteam.ztgame.com/v1","kind":"Network",
    "metadata":{"name":"example-network","labels":{"a":"b"}},
    "spec":{"cidr":"192.168.0.0/16","gateway":"192.168.0.1"}'
app='{"apiVersion":"appcontroller.k8s.io/v1alpha1","kind":"AppService",
    "metadata":{"name":"web"},"spec":{"deploymentName":"web"'

for example in network:network:network network_status:network:network \
               appservice:appservice:app_service; do
    folder=${example%%:*} kind=${example##*:} base=${example#*:}
    base=${base%:*}
    holds "$folder generates" generate "$folder"
    holds "$folder is what is committed" \
        diff -r -x '*.cc' -x '*main*' "$examples/$folder" "$scratch/$folder"
    holds "$folder compiles without warnings" compiles "$folder" "$base" "$kind"
    holds "$folder parses as C++" parses_as_cxx "$folder" "$base"
    holds "$folder has a CRD" sh -c "'$yuloh' gen crd \
        '$examples/$folder/${base}_types.h' >'$scratch/$folder/crd.yaml'"
done
holds 'Network round-trips' round_trips network "$network}"
holds 'Network with a status round-trips' round_trips network_status \
    "$network,\"status\":{\"phase\":\"Ready\"}}"
holds 'AppService round-trips' round_trips appservice \
    "$app,\"replicas\":0},\"status\":{\"availableReplicas\":3}}"
holds 'AppService without replicas round-trips' round_trips appservice \
    "$app},\"status\":{\"availableReplicas\":0}}"
holds 'Network refuses what it does not have' refuses network 'status' \
    "$network,\"status\":{}}"

holds 'the CRD of a group of k8s.io is approved' \
    grep -q '^    api-approved.kubernetes.io: unapproved$' \
    "$scratch/appservice/crd.yaml"
holds 'a Network without status has no subresource' \
    sh -c "grep -q '^kind: Custom' '$scratch/network/crd.yaml' &&
           ! grep -q subresources '$scratch/network/crd.yaml'"
holds 'a Network with one has it' \
    sh -c "grep -A1 subresources '$scratch/network_status/crd.yaml' \
               | grep -q 'status: {}'"

holds '--check is content with what is generated' \
    "$yuloh" gen types --check "$scratch/network/network_types.h"
echo '/* Edited. */' >>"$scratch/network/network.c"
holds '--check finds what was edited' says 'network.c is stale' 1 \
    "$yuloh" gen types --check "$scratch/network/network_types.h"

sed 's/+genclient$/+genclint/' "$examples/network/network_types.h" \
    >"$scratch/bad_types.h"
line=$(grep -n '+genclint' "$scratch/bad_types.h" | cut -d: -f1)
holds 'a fault has its file, line and remedy' \
    says "bad_types.h:$line: unknown marker '+genclint'; write '+genclient'?" \
    1 "$yuloh" gen types "$scratch/bad_types.h"
holds 'no command is a misuse' says 'usage: yuloh-gen' 2 "$yuloh" gen
holds 'an unknown command is named' says 'no command docs' 2 \
    "$yuloh" gen docs
holds 'no header is a misuse' says 'no header is named' 2 "$yuloh" gen types
holds 'a header that is not there is named' says 'nowhere.h' 1 \
    "$yuloh" gen types nowhere.h
cp "$yuloh" "$scratch/yuloh"
holds 'without yuloh-gen it says what to install' \
    says 'cannot run yuloh-gen' 1 env PATH=/nowhere "$scratch/yuloh" gen types
holds 'everything generated is up to date' \
    "$root/tools/update-codegen" --check --build "$build"
finish
