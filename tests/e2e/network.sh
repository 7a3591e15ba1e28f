#!/bin/sh
# The Network controller of examples/, in both forms, against a server of our
# own: it reacts to what is created, changed and deleted, also while it was
# away.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

examples=$root/examples
controller=
networks=/apis/cloudteam.ztgame.com/v1/namespaces/default/networks

trap '[ -z "$controller" ] || kill -9 "$controller" 2>/dev/null
      [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
      rm -rf "$scratch"' EXIT

# api METHOD PATH [BODY [TYPE]]: prints the answer; fails if it is no success.
api() {
    curl -sS --fail-with-body --max-time 60 -X "$1" \
        --cacert "$data/pki/ca.crt" -H 'Authorization: Bearer admintoken' \
        -H "Content-Type: ${4:-application/json}" ${3:+--data-binary "$3"} \
        "$url$2"
}

merge() {
    api PATCH "$1" "$2" application/merge-patch+json
}

# eventually COMMAND...: it succeeds within a minute.
eventually() {
    for _ in $(seq 600); do
        ! "$@" >"$scratch/.eventually" 2>&1 || return 0
        sleep 0.1
    done
    cat "$scratch/.eventually"
    tail -5 "$scratch/controller.log"
    return 1
}

has() {
    api GET "$networks/$1" | grep -qE "$2"
}

gone() {
    ! api GET "$networks/$1"
}

logged() {
    grep -qE "$1" "$scratch/controller.log"
}

# start_controller PROGRAM [FLAG...]
start_controller() {
    program=$1
    shift
    : >"$scratch/controller.log"
    "$build/examples/$program" --kubeconfig="$KUBECONFIG" "$@" \
        >"$scratch/controller.log" 2>&1 &
    controller=$!
}

# With SIGTERM; it must end by itself, with success.
stop_controller() {
    kill -TERM "$controller"
    wait "$controller"
    status=$?
    controller=
    [ $status = 0 ] || cat "$scratch/controller.log"
    return $status
}

network() {
    cat <<END
{"apiVersion":"cloudteam.ztgame.com/v1","kind":"Network",
 "metadata":{"name":"$1"},
 "spec":{"cidr":"192.168.0.0/16","gateway":"$2"}}
END
}

if [ ! -x "$build/yuloh-gen" ]; then
    echo '1..0 # SKIP yuloh-gen is not built: libclang-14-dev is missing'
    exit 0
fi
holds 'the server starts' start_server

# The table form.
holds 'the definition is generated' sh -c "
    '$build/yuloh-gen' crd '$examples/network_status/network_types.h' \
        >'$scratch/crd.yaml'"
holds 'the definition is created' api POST \
    /apis/apiextensions.k8s.io/v1/customresourcedefinitions \
    "@$scratch/crd.yaml" application/yaml
holds 'the definition is served' eventually api GET "$networks"
holds 'the controller starts' start_controller network_controller -v=2 \
    --leader-elect --metrics-bind-address=127.0.0.1:0 \
    --health-probe-bind-address=127.0.0.1:0
holds 'its caches sync' eventually logged 'Starting workers.*workers=2'
holds 'a Network is created' api POST "$networks" \
    "$(network one 192.168.0.1)"
holds 'its status is written' eventually has one '"phase": ?"Ready"'
holds 'it has a finalizer' has one 'cloudteam.ztgame.com/network'
holds 'the reason is logged' eventually logged \
    'Reconciled.*reason="Network default/one added at [0-9]+'
holds 'it is changed' merge "$networks/one" '{"spec":{"gateway":"10.0.0.1"}}'
holds 'the status follows' eventually has one '"phase": ?"Failed"'
holds 'and says why' has one 'the gateway is outside of the cidr'
holds 'it is deleted' api DELETE "$networks/one"
holds 'after it was taken back it is gone' eventually gone one
holds 'it was taken back' logged 'Network is taken back.*name="one"'
page=$(sed -n 's/.*"Serving pages".*port=\([0-9]*\).*/\1/p' \
       "$scratch/controller.log" | head -1)
holds 'it is ready' curl -sSf "http://127.0.0.1:$page/readyz"
holds 'it counts' sh -c "curl -sSf http://127.0.0.1:$page/metrics \
    | grep -q 'controller_runtime_reconcile_total.*success.* [1-9]'"
holds 'it counts its calls' sh -c "curl -sSf http://127.0.0.1:$page/metrics \
    | grep -q '^rest_client_requests_total{.* [1-9]'"
holds 'its status page shows its cache' eventually sh -c "
    curl -sSf http://127.0.0.1:$page/debug/controller \
    | grep -q 'synced, 0 objects, revision [0-9]*, server [0-9]'"
holds 'its Lease has a holder' sh -c "
    curl -sSf --cacert '$data/pki/ca.crt' \
        -H 'Authorization: Bearer admintoken' \
        $url/apis/coordination.k8s.io/v1/namespaces/default/leases/network-controller \
    | grep -q '\"holderIdentity\": *\"[^\"]'"
holds 'the controller stops' stop_controller
holds 'its Lease is free' sh -c "
    curl -sSf --cacert '$data/pki/ca.crt' \
        -H 'Authorization: Bearer admintoken' \
        $url/apis/coordination.k8s.io/v1/namespaces/default/leases/network-controller \
    | grep -q '\"holderIdentity\": *\"\"'"

holds 'Networks are created while it is away' api POST "$networks" \
    "$(network two 192.168.0.1)"
holds 'the controller starts again' start_controller network_controller -v=2
holds 'what it missed is done' eventually has two '"phase": ?"Ready"'
holds 'as a part of the first list' eventually logged \
    'Reconciled.*reason="Network default/two listed at'
holds 'the controller stops again' stop_controller
holds 'a Network is deleted while it is away' api DELETE "$networks/two"
holds 'but not gone' has two '"deletionTimestamp"'
holds 'the controller starts once more' start_controller network_controller
holds 'and lets it go' eventually gone two
holds 'the server stops under the controller' stop_server
holds 'the server starts again' start_server
holds 'a Network is created then' eventually api POST "$networks" \
    "$(network three 192.168.0.1)"
holds 'the controller has found the server again' \
    eventually has three '"phase": ?"Ready"'
holds 'the controller stops for good' stop_controller

# A la carte.
holds 'the informer starts' start_controller network_informer
holds 'it syncs' eventually logged '^Cache is synced$'
holds 'it sees what is there' eventually logged \
    '^Sync/Add/Update for Network three: 192.168.0.0/16 via 192.168.0.1$'
holds 'it misses what it knew' eventually logged \
    '^Network default/mynetwork does not exist anymore$'
holds 'another Network is created' api POST "$networks" \
    "$(network four 192.168.0.1)"
holds 'it hears of it' eventually logged 'Sync/Add/Update for Network four:'
holds 'that is deleted' api DELETE "$networks/four"
holds 'it hears of that' eventually logged \
    '^Network default/four does not exist anymore$'
holds 'the informer stops' stop_controller
holds 'the server stops' stop_server
finish
