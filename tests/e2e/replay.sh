#!/bin/sh
# What a kube-apiserver answered to thousands of requests, asked again.
#
# tests/replay/exceptions lists the differences that are known, each with its
# reason; tests/replay/later those that come with what is still to be built.  A
# step in them that passes fails the test, so the files only shrink.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

recorded=$root/../shared/truth/recorded
exceptions=$root/tests/replay/exceptions
later=$root/tests/replay/later

if [ ! -d "$recorded" ]; then
    echo '1..0 # SKIP ../shared/truth/recorded is not there'
    exit 0
fi

# Descriptions of columns are each server's own.
replay() {
    /usr/bin/python3 "$recorded/replay.py" --server "$url" --token admintoken \
        --ignore description --except "$scratch/known" "$@"
}

# few PERCENT AREA: of its steps at most that many are excepted.
few() {
    "$root/tests/replay/count" "$exceptions" "$later" "$recorded" "$@"
}

# A scenario gives this address to a Service that must not have it already, by
# chance.  The server leaves out addresses that have an object.
reserve() {
    curl -ksfS -o "$scratch/reserved" -H 'Authorization: Bearer admintoken' \
        -H 'Content-Type: application/json' \
        "$url/apis/networking.k8s.io/v1/ipaddresses" -d '{
        "metadata": {"name": "10.0.0.77"},
        "spec": {"parentRef": {"resource": "services", "namespace": "default",
                               "name": "nobody"}}}'
}

# The server that was recorded had no controllers beside it, and signed tokens
# with an RSA key.
start() {
    openssl genrsa -out "$scratch/rsa.pem" 2048 2>/dev/null &&
        start_server --service-account-signing-key-file "$scratch/rsa.pem" \
            --disable-admission-plugins=ServiceAccount '--controllers=-*'
}

cat "$exceptions" "$later" >"$scratch/known"
holds 'the server starts' start
holds 'the address of a scenario is free' reserve
for area in verbs reads patches workloads kinds crds; do
    holds "$area" replay "$recorded/$area.json"
done
for area in verbs reads patches workloads crds; do
    holds "few exceptions of $area" few 3 $area
done
holds 'few exceptions of kinds' few 5 kinds
holds 'the server stops' stop_server
finish
