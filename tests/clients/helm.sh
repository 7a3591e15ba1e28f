#!/bin/sh
# The life of a release with helm.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

if ! helm=$("$root/tests/clients/find" helm 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch"

h() {
    "$helm" "$@"
}

# shows TEXT COMMAND...: its output has TEXT in it.
shows() {
    text=$1
    shift
    "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out"; return 1; }
    grep -qF -- "$text" "$scratch/out" || { cat "$scratch/out"; return 1; }
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

maps=/api/v1/namespaces/mall/configmaps
apps=/apis/apps/v1/namespaces/mall/deployments
services=/api/v1/namespaces/mall/services

holds "the server starts" start_server
holds 'install' shows 'STATUS: deployed' \
    h install one "$chart" -n mall --create-namespace
holds 'install made the chart' shows '"color": "blue"' at "$maps/one-settings"
holds 'install made a service' at "$services/one"
fails 'the same name again' h install one "$chart" -n mall
holds 'list' shows 'shop-0.1.0' h list -n mall
holds 'list all' shows 'mall' h list -A
holds 'status' shows 'STATUS: deployed' h status one -n mall
holds 'upgrade' shows 'REVISION: 2' h upgrade one "$chart" -n mall \
    --set color=red,replicas=3,service=false
holds 'upgrade changed' shows '"color": "red"' at "$maps/one-settings"
holds 'upgrade scaled' shows '"replicas": 3' at "$apps/one"
fails 'upgrade deleted' at "$services/one"
holds 'values' shows 'color: red' h get values one -n mall
holds 'history' shows 'superseded' h history one -n mall
holds 'rollback' h rollback one 1 -n mall
holds 'rollback changed' shows '"color": "blue"' at "$maps/one-settings"
holds 'rollback made the service again' at "$services/one"
holds 'upgrade that installs' shows 'REVISION: 1' \
    h upgrade --install two "$chart" -n mall
holds 'uninstall' shows 'uninstalled' h uninstall one -n mall
fails 'uninstall deleted' at "$apps/one"
holds 'the other release stays' shows 'two' h list -n mall -q
holds 'the server stops' stop_server
finish
