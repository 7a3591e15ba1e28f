#!/bin/sh
# Who may do what, from outside: certificates, tokens, RBAC, audit.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../serve.sh"

yuloh=$build/yuloh
cat >"$scratch/policy.yaml" <<'EOF'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  resources: [{group: "", resources: [configmaps]}]
- level: None
  nonResourceURLs: ["/*"]
- level: Metadata
EOF

# get STATUS PATH CURL-ARGUMENT...: the answer has that status.
get() {
    want=$1 path=$2
    shift 2
    got=$(curl -sS --cacert "$data/pki/ca.crt" -o "$scratch/answer" \
          -w '%{http_code}' "$@" "$url$path") || return 1
    [ "$got" = "$want" ] || { echo "got $got"; cat "$scratch/answer"; false; }
}

admin() { get "$@" -H 'Authorization: Bearer admintoken'; }

# post STATUS PATH BODY: as the administrator.
post() {
    admin "$1" "$2" -H 'Content-Type: application/json' --data-binary "$3"
}

# as_user FILE STATUS PATH: with the certificate of a kubeconfig.
as_user() {
    for part in certificate key; do
        sed -n "s/^ *client-$part-data: //p" "$1" | base64 -d \
            >"$scratch/user.$part"
    done
    get "$2" "$3" --cert "$scratch/user.certificate" --key "$scratch/user.key"
}

mode_is() { [ "$(stat -c %a "$1")" = "$2" ]; }

start_server --audit-policy-file "$scratch/policy.yaml" \
    --audit-log-path "$scratch/audit.log" --tls-names api.example.com

for file in pki/ca.key pki/server.key pki/admin.key admin.kubeconfig; do
    holds "$file is its owner's alone" mode_is "$data/$file" 600
done
holds 'the certificate is for localhost' \
    sh -c "curl -sS --cacert '$data/pki/ca.crt' \
           'https://localhost:$port/version' | grep -q gitVersion"
for name in kubernetes.default.svc api.example.com; do
    holds "the certificate is for $name" \
        sh -c "curl -sS --cacert '$data/pki/ca.crt' \
               --connect-to '$name:$port:127.0.0.1:$port' \
               'https://$name:$port/version' | grep -q gitVersion"
done
holds 'another authority is not believed' \
    sh -c "! curl -sS '$url/version' 2>/dev/null"

for path in /healthz /livez /readyz /version; do
    holds "anybody may get $path" get 200 $path
done
for path in /metrics /api /apis /openapi/v2 /api/v1/namespaces; do
    holds "not everybody may get $path" get 403 $path
done
holds 'what is refused is not to be guessed at' sh -c \
    "curl -sS -D- --cacert '$data/pki/ca.crt' '$url/api' |
         grep -qi '^x-content-type-options: nosniff'"
holds 'a wrong token is refused' get 401 /version \
    -H 'Authorization: Bearer wrong'
holds 'a token lets in' admin 200 /api/v1/namespaces
holds "the administrator's certificate lets in" \
    as_user "$data/admin.kubeconfig" 200 /api/v1/secrets

# A certificate of an authority that nobody knows.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -keyout "$scratch/other.key" -out "$scratch/other.crt" -days 1 \
    -subj /O=system:masters/CN=mallory 2>/dev/null
holds "another authority's certificate is refused" get 401 /version \
    --cert "$scratch/other.crt" --key "$scratch/other.key"
holds 'a token makes up for it' admin 200 /api/v1/namespaces \
    --cert "$scratch/other.crt" --key "$scratch/other.key"

holds 'kubeconfig makes a user' \
    sh -c "'$yuloh' kubeconfig --data-dir '$data' --user bob --group dev \
           --group ops --expires 1h >'$scratch/bob'"
holds 'it names the server' grep -q "server: \"$url\"" "$scratch/bob"
holds 'the user may do little' \
    as_user "$scratch/bob" 403 /api/v1/namespaces/default/configmaps
holds 'the user is known' grep -q 'User \\"bob\\" cannot list resource' \
    "$scratch/answer"
holds 'a role is bound to a group' \
    post 201 /apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings \
    '{"metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole",
      "apiGroup":"rbac.authorization.k8s.io","name":"view"},
      "subjects":[{"kind":"Group","name":"ops",
                   "apiGroup":"rbac.authorization.k8s.io"}]}'
holds 'and counts at once' \
    as_user "$scratch/bob" 200 /api/v1/namespaces/default/configmaps
holds 'in its namespace only' \
    as_user "$scratch/bob" 403 /api/v1/namespaces/kube-system/configmaps
holds 'view shows no secrets' \
    as_user "$scratch/bob" 403 /api/v1/namespaces/default/secrets
holds 'impersonation is for those who may' admin 403 /api/v1/secrets \
    -H 'Impersonate-User: bob'

holds 'a user is needed' sh -c "'$yuloh' kubeconfig 2>&1 |
    grep -q 'a user must be named'"
holds 'a time must be one' sh -c "'$yuloh' kubeconfig --user x \
    --expires soon 2>&1 | grep -q \"'soon' is not a time\""
holds 'an option must exist' sh -c "'$yuloh' kubeconfig --usr x 2>&1 |
    grep -q 'no option --usr'"
holds 'an option may need an argument' sh -c "'$yuloh' kubeconfig --user \
    2>&1 | grep -q 'needs an argument'"
holds 'a word too many is named' sh -c "'$yuloh' kubeconfig --user x y \
    2>&1 | grep -q \"'y' is one word too many\""
holds 'without an authority nothing is signed' \
    sh -c "'$yuloh' kubeconfig --user x --data-dir '$scratch/none' 2>&1 |
    grep -q 'there is no authority'"

holds 'a ConfigMap is made' post 201 /api/v1/namespaces/default/configmaps \
    '{"metadata":{"name":"audited"},"data":{"a":"b"}}'
cp "$data/pki/ca.crt" "$scratch/ca.before"
holds 'the server ends well' stop_server
holds 'it keeps its authority' \
    sh -c "cmp '$data/pki/ca.crt' '$scratch/ca.before'"

# logged PATTERN...: one line of the audit log matches all.
logged() {
    cp "$scratch/audit.log" "$scratch/lines"
    for pattern; do
        grep -e "$pattern" "$scratch/lines" >"$scratch/fewer"
        mv "$scratch/fewer" "$scratch/lines"
    done
    [ -s "$scratch/lines" ] || { tail -n 3 "$scratch/audit.log"; false; }
}

holds 'the audit log has the request and its answer' \
    logged '"verb":"create"' '"name":"audited"' '"level":"RequestResponse"' \
    '"requestObject":{.*"data":{"a":"b"}' '"responseObject":{.*"uid"' \
    '"authorization.k8s.io/decision":"allow"' '"code":201'
holds 'the audit log has what was refused' \
    logged '"username":"bob"' '"groups":\["dev","ops","system:authenticated"\]' \
    '"authorization.k8s.io/decision":"forbid"' '"code":403' \
    '"responseStatus":{"metadata":{},"status":"Failure"'
holds 'the audit log has who was impersonated' \
    logged '"user":{"username":"admin"' \
    '"impersonatedUser":{"username":"bob"'
holds 'the audit log is its owner'"'"'s alone' mode_is "$scratch/audit.log" 600
holds 'what is not to be recorded is not' \
    sh -c "! grep -q '\"requestURI\":\"/version\"' '$scratch/audit.log'"
finish
