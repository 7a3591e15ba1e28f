#!/bin/sh
# A client inside of a cluster: it has the directory of its service account and
# its environment, and nothing else.  Tokens and the authority are replaced while
# it works.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"
. "$root/tests/in_cluster.sh"

token=admintoken
namespace=shop
ca=$scratch/ca.crt

may_unshare || {
    echo '1..0 # SKIP mount namespaces are not permitted here'
    exit 0
}

# What the controllers publish, in this namespace.
published() {
    ask GET "/api/v1/namespaces/$namespace/configmaps/kube-root-ca.crt" |
        /usr/bin/python3 -c 'import json, sys
print(json.load(sys.stdin)["data"]["ca.crt"], end="")'
}

publishes() {
    published >"$scratch/published" && cmp "$scratch/published" "$1"
}

# The old token must stop to work at once, so the process has to read the new
# one.
replace_token() {
    give_credentials "$2" &&
        ask DELETE "/api/v1/namespaces/$namespace/pods/$1" \
            '{"gracePeriodSeconds":0}' >/dev/null
}

new_authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
        -subj /CN=another -days 30 -addext basicConstraints=critical,CA:TRUE \
        -addext keyUsage=critical,keyCertSign,cRLSign \
        -keyout "$scratch/new.key" -out "$scratch/new.crt" 2>/dev/null
}

# The process learns of the new authority before the server uses it.
replace_authority() {
    new_authority && cat "$data/pki/ca.crt" "$scratch/new.crt" >"$ca" &&
        replace_token two three && tells_credential 3 &&
        cp "$scratch/new.crt" "$data/pki/ca.crt" &&
        cp "$scratch/new.key" "$data/pki/ca.key" && kill -HUP "$pid" &&
        soon publishes "$scratch/new.crt"
}

# The connections of the process are new ones afterwards.  The server must not
# inherit the process's input, which would never end then.
restart_server() {
    stop_server && start_server 9>&-
}

rotate_key() {
    mv "$data/pki/sa.key" "$data/pki/sa-old.key" && kill -HUP "$pid" &&
        soon test -s "$data/pki/sa.key"
}

holds 'the server starts' start_server
holds 'an account and its rights' make_account
holds 'the authority is published' soon published
published >"$ca"
holds 'it is the one of the data directory' cmp "$ca" "$data/pki/ca.crt"
holds 'a root with nothing else' make_root
holds 'a Pod and its token' give_credentials one
holds 'the process starts' start_process
holds 'it works with its token' tells_credential 1
holds 'it goes on' made_calls
holds 'its token is replaced, and the old one ends' replace_token one two
holds 'it works with the new one' tells_credential 2
holds 'it goes on after that' made_calls
holds 'the authority is replaced' replace_authority
holds 'it goes on with the new one' made_calls
holds 'the server starts again' restart_server
holds 'it connects to it' made_calls
holds 'the key that signs tokens is rotated' rotate_key
holds 'its token is still good' made_calls
holds 'a token of the new key' replace_token three four
holds 'it works with that, too' tells_credential 4
holds 'no call was refused for long' stop_process
holds 'it starts once more' start_process
holds 'it works once more' made_calls
holds 'its Pod is deleted' ask DELETE \
    "/api/v1/namespaces/$namespace/pods/four" '{"gracePeriodSeconds":0}'
ended() {
    wait "$process"
    [ $? = 1 ] && grep -q Unauthorized "$scratch/process.err"
}
holds 'its token ends with its Pod' ended
exec 9>&-
holds 'the server stops' stop_server
finish
