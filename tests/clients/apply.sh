#!/bin/sh
# kubectl apply, diff and prune on the server's side, for built-in and custom
# kinds.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

if ! kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch" KUBECTL_APPLYSET=true
cd "$scratch" || exit 1
ln -s "$kubectl" kubectl        # Its name is a manager's name.
kubectl=$scratch/kubectl

k() {
    "$kubectl" -n shop "$@"
}

# is VALUE RESOURCE JSONPATH: exactly that.
is() {
    found=$(k get "$2" -o "jsonpath=$3") && [ "$found" = "$1" ] ||
        { echo "found: $found"; return 1; }
}

# managers TEXT RESOURCE: "manager:operation " of each entry, in order.
managers() {
    path='{.manager}:{.operation}{.subresource} '
    path="{range .metadata.managedFields[*]}$path{end}"
    found=$(k get "$2" --show-managed-fields -o "jsonpath=$path")
    [ "$(echo "$found" | tr ' ' '\n' | sort | tr '\n' ' ')" = "$1" ] ||
        { echo "found: $found"; return 1; }
}

apply() {
    k apply --server-side -f "$@"
}

# differs TEXT FILE OPTION...: diff says so and changes nothing.
differs() {
    text=$1
    shift
    before=$(k get -f "$1" -o jsonpath='{.metadata.resourceVersion}')
    status=0
    k diff --server-side -f "$@" >"$scratch/out" 2>&1 || status=$?
    [ $status = 1 ] && grep -qF -- "$text" "$scratch/out" &&
        [ "$(k get -f "$1" -o jsonpath='{.metadata.resourceVersion}')" \
            = "$before" ] || { echo $status; cat "$scratch/out"; return 1; }
}

cat >map.yaml <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: colors, labels: {part: shop}}
data: {door: blue, wall: white}
END
sed 's/blue/red/' map.yaml >red.yaml
sed 's/, wall: white//' map.yaml >door.yaml
cat >web.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {part: shop}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: one
        ports: [{containerPort: 80}]
END
cat >side.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - {name: side, image: two}
END
cat >crd.yaml <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nets.apply.example.com}
spec:
  group: apply.example.com
  scope: Namespaced
  names: {plural: nets, singular: net, kind: Net, shortNames: [nt]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [cidr]
            properties:
              cidr: {type: string, pattern: '^[0-9./]+$'}
              mtu: {type: integer, default: 1500}
              size: {type: integer}
              routes:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [to]
                items:
                  type: object
                  required: [to]
                  properties: {to: {type: string}, via: {type: string}}
          status:
            type: object
            properties:
              phase: {type: string}
              size: {type: integer}
END
cat >net.yaml <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: one, labels: {part: shop}}
spec:
  cidr: 10.0.0.0/8
  size: 1
  routes: [{to: 10.1.0.0/16, via: 10.0.0.1}]
END
sed 's/size: 1/mtu: 9000/' net.yaml >wide.yaml
cat >route.yaml <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: one}
spec:
  cidr: 10.0.0.0/8
  routes: [{to: 10.2.0.0/16}]
END
cat >phase.yaml <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: one}
status: {phase: Up}
END

builtin_kinds() {
    holds 'apply creates' shows 'colors serverside-applied' apply map.yaml
    holds 'kubectl owns it' managers ' kubectl:Apply ' configmap/colors
    holds 'apply again changes nothing' shows 'serverside-applied' \
        apply map.yaml
    holds 'no difference' k diff --server-side -f map.yaml
    holds 'a difference' differs '+  door: red' red.yaml
    holds 'a trial changes nothing' shows 'serverside-applied (server dry run)' \
        apply red.yaml --dry-run=server
    holds 'so it stays' is blue configmap/colors '{.data.door}'
    holds 'another manager conflicts' refused \
        'conflict with "kubectl": .data.door' \
        apply red.yaml --field-manager=painter
    holds 'diff conflicts, too' refused 'conflict with "kubectl"' \
        k diff --server-side -f red.yaml --field-manager=painter
    holds 'diff by force' differs '+  door: red' red.yaml \
        --field-manager=painter --force-conflicts
    holds 'apply by force' apply red.yaml --field-manager=painter \
        --force-conflicts
    holds 'takes it' is red configmap/colors '{.data.door}'
    holds 'both own the rest' managers ' kubectl:Apply painter:Apply ' \
        configmap/colors
    holds 'one gives up a field' apply door.yaml --field-manager=painter \
        --force-conflicts
    holds 'which the other keeps' is white configmap/colors '{.data.wall}'
    holds 'a patch has its manager' k patch configmap colors --type=merge \
        -p '{"data": {"roof": "grey"}}' --field-manager=roofer
    holds 'as an update' managers ' kubectl:Apply painter:Apply roofer:Update ' \
        configmap/colors
    holds 'labels, too' k label configmap colors a=b --field-manager=roofer
    holds 'the last owner takes its fields along' k apply --server-side \
        --force-conflicts -f - <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: colors, labels: {part: shop}}
data: {door: green}
END
    holds 'wall is gone' is '' configmap/colors '{.data.wall}'
    holds 'roof is not' is grey configmap/colors '{.data.roof}'
}

# What a client-side apply owned becomes the server-side one's.
migration() {
    holds 'apply on the client' shows 'web created' k apply -f web.yaml
    holds 'owns it so' managers ' kubectl-client-side-apply:Update ' \
        deployment/web
    holds 'then on the server' apply web.yaml
    holds 'and owns it so, and the note of the last' managers \
        ' kubectl-last-applied:Apply kubectl:Apply ' deployment/web
    holds 'another adds a container' apply side.yaml --field-manager=injector
    holds 'beside the first' is 'main side' deployment/web \
        '{.spec.template.spec.containers[*].name}'
    holds 'the first removes a port' k apply --server-side -f - <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {part: shop}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: one}]
END
    holds 'it is gone' is '' deployment/web \
        '{.spec.template.spec.containers[*].ports}'
    holds 'replicas have their default' is 1 deployment/web '{.spec.replicas}'
    holds 'nobody owns them' k scale deployment web --replicas=4
    holds 'so scale has no owner' managers \
        ' injector:Apply kubectl-last-applied:Apply kubectl:Apply ' \
        deployment/web
    holds 'apply what is there' apply web.yaml --force-conflicts
    holds 'scale what is owned' k scale deployment web --replicas=5
    holds 'and it has one' managers " $(echo injector:Apply \
        kubectl-last-applied:Apply kubectl:Apply kubectl:Updatescale) " \
        deployment/web
    holds 'which is a conflict' refused 'with subresource "scale"' \
        apply web.yaml
    holds 'apply on the client again' shows 'web configured' \
        k apply -f web.yaml
    holds 'what was injected stays' is 'main side' deployment/web \
        '{.spec.template.spec.containers[*].name}'
}

custom_kinds() {
    holds 'a definition' apply crd.yaml
    holds 'is established' k wait --for=condition=Established \
        crd/nets.apply.example.com --timeout=30s
    holds 'its objects' shows 'one serverside-applied' apply net.yaml
    holds 'have defaults' is 1500 net/one '{.spec.mtu}'
    holds 'have an owner' managers ' kubectl:Apply ' nt/one
    holds 'no difference of theirs' k diff --server-side -f net.yaml
    holds 'a difference of theirs' differs '+  mtu: 9000' wide.yaml
    holds 'another adds a route' apply route.yaml --field-manager=router
    holds 'both are there' is '10.1.0.0/16 10.2.0.0/16' net/one \
        '{.spec.routes[*].to}'
    holds 'their schema holds' refused 'spec.cidr' k apply --server-side \
        --force-conflicts -f - <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: one}
spec: {cidr: none}
END
    holds 'fields that are none' refused 'field not declared in schema' \
        k apply --server-side -f - <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: one}
spec: {cidr: 10.0.0.0/8, color: red}
END
    holds 'their status' shows 'serverside-applied' \
        apply phase.yaml --subresource=status --field-manager=driver
    holds 'is apart' managers \
        ' driver:Applystatus kubectl:Apply router:Apply ' net/one
    holds 'and stays' shows 'serverside-applied' apply net.yaml
    holds 'as it was' is Up net/one '{.status.phase}'
    holds 'their scale' k scale nets one --replicas=3
    holds 'was changed' is 3 net/one '{.spec.size}'
    holds 'which is a conflict' refused 'conflict with "kubectl" with' \
        apply net.yaml
    holds 'apply on the client' k apply -f net.yaml --overwrite
    holds 'sets it' is 1 net/one '{.spec.size}'
}

# --prune on the server's side needs an ApplySet.
pruning() {
    mkdir -p all one
    for name in a b c; do
        cat >all/$name.yaml <<END
apiVersion: v1
kind: ConfigMap
metadata: {name: $name, labels: {pruned: "yes"}}
END
    done
    cat >all/n.yaml <<'END'
apiVersion: apply.example.com/v1
kind: Net
metadata: {name: pruned, labels: {pruned: "yes"}}
spec: {cidr: 10.0.0.0/8}
END
    cp all/a.yaml one/
    holds 'without a set nothing is pruned' refused '--prune is in alpha' \
        apply all --prune -l pruned=yes
    holds 'a set' shows 'configmap/c serverside-applied' apply all --prune \
        --applyset=tools
    holds 'a smaller set' shows 'net.apply.example.com/pruned pruned' \
        apply one --prune --applyset=tools
    fails 'the rest is gone' k get configmap b
    holds 'the set knows its kinds' is 'ConfigMap' secret/tools \
        '{.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}'
}

holds 'the server starts' start_server
holds 'a namespace' "$kubectl" create namespace shop
builtin_kinds
migration
custom_kinds
pruning
holds 'the server stops' stop_server
finish
