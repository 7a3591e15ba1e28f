#!/bin/sh
# What a kube-apiserver answered to thousands of requests, asked again.
#
# tests/replay/exceptions lists the differences that are known, each with its
# reason.  A step in it that passes fails the test, so the file only shrinks.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

recorded=$root/../shared/truth/recorded
exceptions=$root/tests/replay/exceptions

if [ ! -d "$recorded" ]; then
    echo '1..0 # SKIP ../shared/truth/recorded is not there'
    exit 0
fi

replay() {
    /usr/bin/python3 "$recorded/replay.py" --server "$url" --token admintoken \
        --ignore managedFields --ignore description \
        --skip patches-apply --skip patches-managed-fields \
        --except "$exceptions" "$@"
}

# few PERCENT AREA...: of their steps at most that many are excepted.
few() {
    "$root/tests/replay/count" "$exceptions" "$recorded" "$@"
}

holds 'the server starts' start_server
for area in verbs reads patches workloads kinds; do
    holds "$area" replay "$recorded/$area.json"
done
holds 'few exceptions of verbs, reads, patches' few 5 verbs reads patches
holds 'few exceptions of workloads' few 15 workloads
holds 'few exceptions of kinds' few 40 kinds
holds 'the server stops' stop_server
finish
