#!/bin/sh
# The life of a release with helm 3, which applies on the client's side, and
# with helm 4, which applies on the server's.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

export HOME="$scratch"

h() {
    "$helm" "$@"
}

# What the server holds at a path; fails if there is nothing.
at() {
    curl -sfk -H 'Authorization: Bearer admintoken' "$url$1"
}

chart=$scratch/shop
mkdir -p "$chart/templates"
cat >"$chart/Chart.yaml" <<'END'
apiVersion: v2
name: shop
version: 0.1.0
END
cat >"$chart/values.yaml" <<'END'
color: blue
replicas: 1
service: true
END
cat >"$chart/templates/all.yaml" <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data: {color: {{ .Values.color }}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: {{ .Release.Name }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      serviceAccountName: {{ .Release.Name }}
      containers: [{name: shop, image: nginx}]
{{- if .Values.service }}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {app: shop}
  ports: [{port: 80}]
{{- end }}
END

# A chart with a definition, and an object of its kind.
nets=$scratch/nets
mkdir -p "$nets/templates" "$nets/crds"
cat >"$nets/Chart.yaml" <<'END'
apiVersion: v2
name: nets
version: 0.1.0
END
echo 'cidr: 10.1.0.0/16' >"$nets/values.yaml"
cat >"$nets/crds/nets.yaml" <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nets.helm.example.com}
spec:
  group: helm.example.com
  scope: Namespaced
  names: {plural: nets, kind: Net}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [cidr]
            properties:
              cidr: {type: string, maxLength: 18}
              mtu: {type: integer, default: 1500}
              note: {type: string}
              routes:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [to]
                items:
                  type: object
                  required: [to]
                  properties: {to: {type: string}, via: {type: string}}
END
cat >"$nets/templates/net.yaml" <<'END'
apiVersion: helm.example.com/v1
kind: Net
metadata: {name: {{ .Release.Name }}}
spec:
  cidr: {{ .Values.cidr }}
  routes:
  - {to: 10.2.0.0/16, via: 10.1.0.1}
END

# life NAMESPACE: what every helm can do.
life() {
    maps=/api/v1/namespaces/$1/configmaps
    apps=/apis/apps/v1/namespaces/$1/deployments
    services=/api/v1/namespaces/$1/services
    holds "$1: install" shows 'STATUS: deployed' \
        h install one "$chart" -n "$1" --create-namespace
    holds "$1: install made the chart" shows '"color": "blue"' \
        at "$maps/one-settings"
    holds "$1: install made a service" at "$services/one"
    fails "$1: the same name again" h install one "$chart" -n "$1"
    holds "$1: list" shows 'shop-0.1.0' h list -n "$1"
    holds "$1: list all" shows "$1" h list -A
    holds "$1: status" shows 'STATUS: deployed' h status one -n "$1"
    holds "$1: upgrade" shows 'REVISION: 2' h upgrade one "$chart" -n "$1" \
        --set color=red,replicas=3,service=false
    holds "$1: upgrade changed" shows '"color": "red"' \
        at "$maps/one-settings"
    holds "$1: upgrade scaled" shows '"replicas": 3' at "$apps/one"
    fails "$1: upgrade deleted" at "$services/one"
    holds "$1: values" shows 'color: red' h get values one -n "$1"
    holds "$1: history" shows 'superseded' h history one -n "$1"
    holds "$1: rollback" h rollback one 1 -n "$1"
    holds "$1: rollback changed" shows '"color": "blue"' \
        at "$maps/one-settings"
    holds "$1: rollback made the service again" at "$services/one"
    holds "$1: upgrade that installs" shows 'REVISION: 1' \
        h upgrade --install two "$chart" -n "$1"
    holds "$1: uninstall" shows 'uninstalled' h uninstall one -n "$1"
    fails "$1: uninstall deleted" at "$apps/one"
    holds "$1: the other release stays" shows 'two' h list -n "$1" -q
}

# definitions NAMESPACE: a chart that brings a kind of its own.
definitions() {
    own=/apis/helm.example.com/v1/namespaces/$1/nets
    holds "$1: a chart with a definition" shows 'STATUS: deployed' \
        h install net "$nets" -n "$1"
    holds "$1: its object has defaults" shows '"mtu": 1500' at "$own/net"
    fails "$1: its schema holds" h upgrade net "$nets" -n "$1" \
        --set cidr=1000.1000.1000.1000/16
    holds "$1: its object is upgraded" shows 'REVISION: 3' \
        h upgrade net "$nets" -n "$1" --set cidr=10.9.0.0/16
    holds "$1: what was changed" shows '"cidr": "10.9.0.0/16"' at "$own/net"
    holds "$1: and back" h rollback net 1 -n "$1"
    holds "$1: what was changed back" shows '"cidr": "10.1.0.0/16"' \
        at "$own/net"
}

# change PATH MANAGER BODY: applies, and takes what others own.
change() {
    curl -sfk -X PATCH -H 'Authorization: Bearer admintoken' \
        -H 'Content-Type: application/apply-patch+yaml' \
        --data-binary "$3" "$url$1?fieldManager=$2&force=true"
}

# What only those who apply on the server's side can do.
shared_fields() {
    holds "$1: helm owns what it applied" shows '"manager": "helm"' \
        at "$maps/two-settings"
    holds "$1: by applying" shows '"operation": "Apply"' \
        at "$maps/two-settings"
    holds "$1: another takes a field" change "$maps/two-settings" painter \
        '{"apiVersion": "v1", "kind": "ConfigMap",
          "metadata": {"name": "two-settings"},
          "data": {"color": "green", "size": "9"}}'
    holds "$1: upgrade conflicts" refused 'conflict with "painter"' \
        h upgrade two "$chart" -n "$1" --set color=red
    holds "$1: unless by force" h upgrade two "$chart" -n "$1" \
        --set color=red --force-conflicts
    holds "$1: then the field is taken" shows '"color": "red"' \
        at "$maps/two-settings"
    holds "$1: and others' stay" shows '"size": "9"' at "$maps/two-settings"
    holds "$1: another adds to its object" change "$own/net" router \
        '{"apiVersion": "helm.example.com/v1", "kind": "Net",
          "metadata": {"name": "net"},
          "spec": {"cidr": "10.1.0.0/16", "note": "kept",
                   "routes": [{"to": "10.3.0.0/16"}]}}'
    holds "$1: upgrade beside it" h upgrade net "$nets" -n "$1"
    holds "$1: what was added stays" shows '"note": "kept"' at "$own/net"
    holds "$1: members of lists too" shows '10.3.0.0/16' at "$own/net"
}

holds 'the server starts' start_server
for version in 3 4; do
    if ! helm=$("$root/tests/clients/find" helm$version 2>"$scratch/why")
    then
        skipped "helm $version" "$(tail -1 "$scratch/why")"
        continue
    fi
    life helm$version
    definitions helm$version
    [ $version = 3 ] || shared_fields helm$version
done
holds 'the server stops' stop_server
finish
