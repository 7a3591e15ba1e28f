#!/bin/sh
# yuloh-gen types --from: CRDs and OpenAPI documents become headers that
# compile, generate, and lead back to the same CRDs.
. "$(dirname "$0")/../tap.sh"

gen=$build/yuloh-gen
truth=${YULOH_TRUTH:-$root/../shared/truth}
cc=${CC:-cc}

if [ ! -x "$gen" ]; then
    skipped 'headers are made of CRDs' 'there is no yuloh-gen (libclang)'
    finish
fi

# compiles FOLDER: every header in it, as C and as C++, without warnings.
compiles() {
    for header in "$1"/*_types.h; do
        "$cc" -fsyntax-only -std=c11 -Wall -Wextra -Werror -x c \
            -I"$root/include" "$header" || return 1
        [ -z "$(command -v c++)" ] || c++ -fsyntax-only -Wall -Wextra \
            -Werror -x c++ -I"$root/include" "$header" || return 1
    done
}

# there_and_back HEADER...: header -> CRD -> header -> CRD is a fixed point.
there_and_back() {
    rm -rf "$scratch/again" "$scratch/more"
    mkdir "$scratch/again" "$scratch/more"
    "$gen" crd "$@" >"$scratch/a.yaml" &&
        "$gen" types --from -o "$scratch/again" "$scratch/a.yaml" &&
        "$gen" crd "$scratch"/again/*_types.h >"$scratch/b.yaml" &&
        "$gen" types --from -o "$scratch/more" "$scratch/b.yaml" &&
        cmp "$scratch/a.yaml" "$scratch/b.yaml" &&
        diff -r "$scratch/again" "$scratch/more"
}

# generates FOLDER: tables of every header in it, which compile.
generates() {
    for header in "$1"/*_types.h; do
        "$gen" types -o "$1" "$header" || return 1
    done
    for source in "$1"/*.c; do
        "$cc" -fsyntax-only -std=c11 -Wall -Wextra -Werror \
            -I"$root/include" -I"$1" "$source" || return 1
    done
}

for header in "$root"/examples/*/*_types.h; do
    holds "the CRD of ${header#"$root"/} leads back to itself" \
        there_and_back "$header"
done

mkdir "$scratch/crd"
if [ -d "$truth/crds" ]; then
    holds 'real CRDs become headers' \
        "$gen" types --from -o "$scratch/crd" "$truth"/crds/*/*.yaml
    holds 'those headers compile' compiles "$scratch/crd"
    holds 'tables are generated of them, and compile' \
        generates "$scratch/crd"
    holds 'they lead back to their CRDs' \
        there_and_back "$scratch"/crd/*_types.h

    # api/ was made so, and may have been edited since; it still can be made.
    mkdir "$scratch/facts" "$scratch/api"
    cp "$truth"/types/fields.tsv "$truth"/discovery/api__v1.json \
        "$truth"/discovery/apis__*__v?.json "$scratch/facts"
    holds 'OpenAPI documents and facts become headers' \
        "$gen" types --from --facts "$scratch/facts" -o "$scratch/api" \
        "$truth"/openapi/api__v1_openapi.json \
        "$truth"/openapi/apis__*__v?_openapi.json
    holds 'which compile' compiles "$scratch/api"
    mkdir "$scratch/plain"
    holds 'documents alone become headers' \
        "$gen" types --from -o "$scratch/plain" \
        "$truth"/openapi/apis__apps__v1_openapi.json
    holds 'which compile as well' compiles "$scratch/plain"
else
    skipped 'real CRDs become headers' '../shared/truth is not here'
fi

printf 'kind: ConfigMap\n' >"$scratch/map.yaml"
printf '{"components":{"schemas":{}}}' >"$scratch/empty.json"
printf 'a: b: c\n' >"$scratch/bad.yaml"
printf 'kind: CustomResourceDefinition\n' >"$scratch/old.yaml"
mkdir "$scratch/nothing"
holds 'a file without a CRD is refused' \
    says 'map.yaml has neither' 1 "$gen" types --from "$scratch/map.yaml"
holds 'so are several' says 'none of the files has' 1 \
    "$gen" types --from "$scratch/map.yaml" "$scratch/map.yaml"
holds 'and a file that is not there' \
    says 'absent: No such file' 1 "$gen" types --from "$scratch/absent"
holds 'and one that is no YAML' \
    says 'bad.yaml: ' 1 "$gen" types --from "$scratch/bad.yaml"
holds 'and a CRD of another version' \
    says 'old.yaml: only CustomResourceDefinitions of' 1 \
    "$gen" types --from "$scratch/old.yaml"
holds 'facts must be there' says 'fields.tsv: No such file' 1 \
    "$gen" types --from --facts "$scratch/nothing" "$scratch/empty.json"
printf 'x\ny\n' >"$scratch/nothing/fields.tsv"
holds 'and be facts' says 'fields.tsv: line 2' 1 \
    "$gen" types --from --facts "$scratch/nothing" "$scratch/empty.json"
holds 'a folder that is not there is named' \
    says 'No such file' 1 "$gen" types --from -o "$scratch/none/none" \
    "$root/tests/e2e/data/foo_crd.yaml"
holds '--from belongs to types' \
    says '--from belongs to types' 2 "$gen" crd --from "$scratch/map.yaml"
finish
