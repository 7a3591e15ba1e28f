#!/bin/sh
# CustomResourceDefinitions of real projects, what they cost, and a server that
# is killed while it deletes the objects of one.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

crds=/apis/apiextensions.k8s.io/v1/customresourcedefinitions
truth=${YULOH_TRUTH:-$root/../shared/truth}/crds

# The most that a definition may cost on average.
max_kilobytes=2048 max_milliseconds=20
if grep -q -e __asan_init -e __tsan_init "$build/yuloh"; then
    max_kilobytes=65536 max_milliseconds=2000
fi

ask() {
    curl -sSf --cacert "$data/pki/ca.crt" -o "$scratch/answer" -A sh \
        -H 'Authorization: Bearer admintoken' -X "$1" \
        -H "Content-Type: application/${4:-json}" \
        ${3:+--data-binary "$3"} "$url$2"
}

# Waits until the answer to a GET matches; an event would do, but curl has
# none.
reaches() {
    for _ in $(seq 1200); do
        ask GET "$1" && grep -q "$2" "$scratch/answer" && return
        sleep 0.05
    done
    cat "$scratch/answer"
    return 1
}

gone() {
    for _ in $(seq 1200); do
        ask GET "$1" 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}

apply_all() {
    n=0
    for file in "$truth"/*/*.yaml; do
        rm -f "$scratch"/part.*
        csplit -s -z -f "$scratch/part." "$file" '/^---/' '{*}'
        for part in "$scratch"/part.*; do
            grep -q '^kind: CustomResourceDefinition' "$part" || continue
            ask POST $crds "@$part" yaml || { echo "$file"; return 1; }
            n=$((n + 1))
        done
    done
    [ $n -gt 0 ]
}

all_established() {
    for _ in $(seq 1200); do
        ask GET $crds || return 1
        found=$(grep -o '"InitialNamesAccepted","status":"True"' \
                "$scratch/answer" | wc -l)
        [ "$found" = $n ] && return
        sleep 0.05
    done
    echo "$found of $n"
    return 1
}

# Milliseconds of CPU, and kilobytes that are resident.
cpu() {
    sed 's/.*) //' "/proc/$pid/stat" | awk '{ print ($12 + $13) * 10 }'
}
resident() {
    awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"
}

are_cheap() {
    cpu=$((($(cpu) - cpu_before) / n))
    memory=$((($(resident) - memory_before) / n))
    echo "$n definitions: $cpu ms and $memory KB each"
    [ $cpu -le $max_milliseconds ] && [ $memory -le $max_kilobytes ]
}

kill_server() {
    kill -9 "$pid"
    wait "$pid"
    pid=
    start_server
}

holds 'the server starts' start_server
if [ -d "$truth" ]; then
    cpu_before=$(cpu) memory_before=$(resident)
    holds 'definitions of real projects apply' apply_all
    holds 'all of them are established' all_established
    holds 'they are cheap' are_cheap
    holds 'the server is killed, and starts' kill_server
    holds 'all of them are still established' all_established
else
    skipped 'definitions of real projects' "there is no $truth"
fi

widgets=/apis/example.com/v1/widgets
holds 'a definition is created' ask POST $crds '{"metadata":{"name":
    "widgets.example.com"},"spec":{"group":"example.com","scope":"Cluster",
    "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1",
    "served":true,"storage":true,"schema":{"openAPIV3Schema":
    {"type":"object"}}}]}}'
holds 'it is established' reaches $crds/widgets.example.com \
    '"InitialNamesAccepted","status":"True"'
for name in a b c; do
    holds "$name is created" ask POST $widgets '{"apiVersion":
        "example.com/v1","kind":"Widget","metadata":{"name":"'$name'",
        "finalizers":["example.com/hold"]}}'
done
holds 'the definition is deleted' ask DELETE $crds/widgets.example.com
holds 'the server is killed during that' kill_server
holds 'the objects are marked' reaches $widgets/c deletionTimestamp
holds 'the definition is still there' \
    reaches $crds/widgets.example.com InstanceDeletionInProgress
fails 'no object is created' ask POST $widgets '{"apiVersion":
    "example.com/v1","kind":"Widget","metadata":{"name":"d"}}'
for name in a b c; do
    holds "$name is released" ask PATCH $widgets/$name \
        '{"metadata":{"finalizers":null}}' merge-patch+json
done
holds 'the definition goes with the last object' \
    gone $crds/widgets.example.com
holds 'its path is gone' gone $widgets
holds 'the server stops' stop_server
finish
