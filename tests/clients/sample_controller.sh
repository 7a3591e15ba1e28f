#!/bin/sh
# k8s.io/sample-controller, unmodified, at work on a server of our own, which is
# killed and started again meanwhile.  Its informers list and watch Foos and
# Deployments; its queue, its clients and its events are client-go's.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

if ! kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why") ||
   ! programs=$("$root/tests/interop/cluster/programs" sample-controller \
                    2>"$scratch/why") ||
   ! sources=$(cd "$root/tests/interop/cluster" && go list -m -f '{{.Dir}}' \
                   k8s.io/sample-controller 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch"
controller=
trap '[ -z "$controller" ] || kill -9 "$controller" 2>/dev/null
      [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT

k() {
    "$kubectl" --request-timeout 20s "$@"
}

# settles TEXT ARGUMENT...: kubectl comes to print TEXT, within a minute.
settles() {
    want=$1
    shift
    have=
    for _ in $(seq 240); do
        have=$(k "$@" 2>&1) && [ "$have" = "$want" ] && return 0
        sleep 0.25
    done
    echo "it is '$have'"
    tail -n 20 "$scratch/controller.log"
    return 1
}

start_controller() {
    "$programs/sample-controller" --kubeconfig "$KUBECONFIG" \
        >"$scratch/controller.log" 2>&1 &
    controller=$!
}

# A kubelet and the Deployment controller would do that.
report_ready() {
    k patch deployment "$1" --subresource status --type merge \
        -p "{\"status\": {\"replicas\": $2, \"readyReplicas\": $2,
             \"availableReplicas\": $2}}"
}

foo() {
    k apply -f - <<END
apiVersion: samplecontroller.k8s.io/v1alpha1
kind: Foo
metadata: {name: $1}
spec: {deploymentName: $2, replicas: $3}
END
}

many_foos() {
    for i in $(seq 40); do
        printf '%s\n' '---' 'apiVersion: samplecontroller.k8s.io/v1alpha1' \
            'kind: Foo' "metadata: {name: many-$i, labels: {of: many}}" \
            "spec: {deploymentName: many-$i, replicas: 2}"
    done | k apply -f -
}

# What it cannot do at all, it says as an error in its log; what it meets while
# the server is away is expected.
no_panic() {
    ! grep -E '^(panic|fatal error)' "$scratch/controller.log" &&
        kill -0 "$controller"
}

replicas='jsonpath={.spec.replicas}'
holds 'the server starts' start_server
holds 'its definition is installed' \
    k apply -f "$sources/artifacts/examples/crd-status-subresource.yaml"
holds 'the definition is established' \
    k wait --for condition=Established --timeout 30s \
    crd/foos.samplecontroller.k8s.io
start_controller
holds 'its example is created' \
    k apply -f "$sources/artifacts/examples/example-foo.yaml"
holds 'a Deployment is made of it' \
    settles 1 get deployment example-foo -o "$replicas"
holds 'which the Foo controls' \
    settles Foo/example-foo/true get deployment example-foo -o \
    'jsonpath={.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}/{.metadata.ownerReferences[0].controller}'
holds 'its status is kept' report_ready example-foo 1
holds 'and copied into that of the Foo' \
    settles 1 get foo example-foo -o 'jsonpath={.status.availableReplicas}'
holds 'an Event says so' \
    settles Normal get events --field-selector \
    involvedObject.name=example-foo,reason=Synced -o \
    'jsonpath={.items[0].type}'
holds 'the Foo is scaled' foo example-foo example-foo 3
holds 'and the Deployment follows' \
    settles 3 get deployment example-foo -o "$replicas"
holds 'the Deployment is changed by another' \
    k scale deployment example-foo --replicas 7
holds 'and changed back' \
    settles 3 get deployment example-foo -o "$replicas"
holds 'the Deployment is deleted' k delete deployment example-foo
holds 'and made again' settles 3 get deployment example-foo -o "$replicas"
holds 'a Deployment of nobody is in the way' \
    k create deployment taken --image nginx
holds 'of another Foo' foo wants-taken taken 1
holds 'which a warning says' \
    settles Warning get events --field-selector \
    involvedObject.name=wants-taken,reason=ErrResourceExists -o \
    'jsonpath={.items[0].type}'

kill -9 "$pid"
wait "$pid" 2>/dev/null
holds 'the server is killed and starts again' start_server
holds 'a Foo is written at once' foo after after 4
holds 'the controller comes back' \
    settles 4 get deployment after -o "$replicas"
holds 'forty Foos are written' many_foos
k get foos -l of=many -o name >"$scratch/many"
kill -9 "$pid"
wait "$pid" 2>/dev/null
holds 'the server is killed in the middle of it' start_server
holds 'all of them are there' [ "$(grep -c . "$scratch/many")" = 40 ]
holds 'and each gets its Deployment' sh -c "
    for i in \$(seq 40); do
        n=0
        until [ \"\$('$kubectl' get deployment many-\$i -o '$replicas')\" = 2 ]
        do
            n=\$((n + 1))
            [ \$n -lt 240 ] || { tail '$scratch/controller.log'; exit 1; }
            sleep 0.25
        done
    done"
holds 'nothing has made it panic' no_panic
kill "$controller"
wait "$controller" 2>/dev/null
controller=
holds 'the server stops' stop_server
finish
