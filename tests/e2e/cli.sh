#!/bin/sh
# The yuloh program and the examples, as a user calls them.
. "$(dirname "$0")/../tap.sh"

yuloh=$build/yuloh
manifest=$root/examples/manifests/network.yaml

# prints EXPECTED COMMAND...: its output is exactly EXPECTED.
prints() {
    printf '%s\n' "$1" >"$scratch/expected"
    shift
    "$@" >"$scratch/got" && diff -u "$scratch/expected" "$scratch/got"
}

json_in() {
    printf '%s' "$1" >"$scratch/in.json"
    shift
    "$@" <"$scratch/in.json"
}

holds 'help lists the commands' sh -c "'$yuloh' help | grep -q '^  convert '"
for command in backup convert gen kubeconfig patch restore help version; do
    holds "help describes $command" \
        sh -c "'$yuloh' help $command | grep -q '^usage: yuloh $command'"
    holds "$command --help is the same" \
        sh -c "'$yuloh' $command --help | grep -q '^usage: yuloh $command'"
    holds "the manual has $command" \
        grep -q "^\\.B[RI]* $command" "$root/docs/man/yuloh.1"
done
holds 'version is one line' \
    sh -c "[ \"\$('$yuloh' version | grep -c '^yuloh [0-9]')\" = 1 ]"
holds '--help may stand behind other flags' sh -c "
    '$yuloh' serve --v=3 --help | grep -q '^usage: yuloh serve'"
holds 'help of an unknown command lists what there is' \
    says '  kubeconfig  ' 2 "$yuloh" help nope
holds 'no command is a misuse' says 'usage: yuloh' 2 "$yuloh"
holds 'an unknown command is named' says "no command 'serv'" 2 "$yuloh" serv

holds 'convert prints JSON as kubectl does' prints '{
    "a": [
        1,
        "yes"
    ],
    "b": {}
}' json_in 'b: {}
a: [1, "yes"]' "$yuloh" convert -o json
holds 'convert prints canonical documents, one a line' prints '{"a":1,"b":2}
{"c":"x"}' json_in '{"b":2.0, "a":1}
---
c: x' "$yuloh" convert -o canonical
holds 'YAML there and back is the same document' sh -c "
    '$yuloh' convert -o canonical '$manifest' >'$scratch/a' &&
    '$yuloh' convert -o yaml '$manifest' |
        '$yuloh' convert -o canonical >'$scratch/b' &&
    cmp '$scratch/a' '$scratch/b' && [ \"\$(wc -l <'$scratch/a')\" = 2 ]"
holds 'a broken document is named with its line' \
    says "$scratch/bad.yaml: document 2: yaml: line 5" 1 \
    sh -c "printf 'a: 1\n---\nb:\n- [\n' >'$scratch/bad.yaml';
           '$yuloh' convert '$scratch/bad.yaml'"
holds 'a document that cannot be printed is named, too' \
    says 'standard input: document 2: a number does not fit into a double' 1 \
    sh -c "printf 'a: 1\n---\n{\"b\":1e400}\n' |
           '$yuloh' convert -o canonical"
holds 'a missing file is named' says 'cannot open /nonexistent' 1 \
    "$yuloh" convert /nonexistent
holds 'an unknown form is refused' says "no output form 'xml'" 2 \
    "$yuloh" convert -o xml
holds 'an unknown option is refused' says 'no option -x' 2 \
    "$yuloh" convert -x
holds 'a full disk is noticed' says 'cannot write' 1 \
    sh -c "'$yuloh' convert '$manifest' >/dev/full"
holds 'so it is by the help' says 'cannot write' 1 \
    sh -c "'$yuloh' help serve >/dev/full"

holds 'a merge patch removes and sets' prints 'b: 3
c: x' json_in '{"a":1,"b":2}' "$yuloh" patch -p '{"a":null,"b":3,"c":"x"}'
holds 'a JSON patch applies' prints '{"b":[1,2]}' json_in '{"a":1,"b":[2]}' \
    "$yuloh" patch --type json -o canonical \
    -p '[{"op":"remove","path":"/a"},{"op":"add","path":"/b/0","value":1}]'
holds 'a patch may be a file' sh -c "
    echo 'spec: {gateway: 10.0.0.1}' >'$scratch/patch.yaml' &&
    '$yuloh' convert -o canonical '$manifest' | tail -n 1 |
        '$yuloh' patch --patch-file '$scratch/patch.yaml' |
        grep -qx '  gateway: 10.0.0.1'"
holds 'a patch that does not apply says so' says 'patch: ' 1 \
    sh -c "echo '{}' | '$yuloh' patch --type json \
           -p '[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]'"
holds 'a patch is needed' says 'a patch is needed' 2 "$yuloh" patch
holds 'an unknown patch type is refused' says "no patch type 'smart'" 2 \
    "$yuloh" patch --type smart -p '{}'

holds 'the example selects by label' prints 'Network example-network' \
    "$build/examples/select" 'tier in (front,back)' "$manifest"
holds 'the example refuses a broken selector' says 'select: a=,=b' 1 \
    "$build/examples/select" 'a=,=b' "$manifest"
finish
