#!/bin/sh
# The guides in docs/ say what is true: their commands run as they stand there,
# in order, and the tables of docs/operating.md are those of the program.
. "$(dirname "$0")/../tap.sh"

guide=$root/docs/operating.md
export HOME="$scratch"

if ! kubectl=$("$root/tools/debian-kubectl" "$build" 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi

# The blocks of commands, as one script that says which it has come to.
blocks() {
    awk '/^```$/ { inside = 0 }
         inside { print }
         /^```sh$/ { inside = 1; print "echo block " ++n " >>\"$progress\"" }' \
        "$1"
}

# What stands around them.  A server goes to the background, and takes the
# place of the one before it.
prologue() {
    cat <<'END'
server=
kubectl() { "$kubectl" "$@"; }
stop_server() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; }
    server=
}
yuloh() {
    if [ "$1" != serve ]; then
        "$build/yuloh" "$@"
        return
    fi
    stop_server
    : >serve.out
    "$build/yuloh" "$@" >serve.out 2>serve.log &
    server=$!
    until grep -q '^serving' serve.out; do
        kill -0 "$server" || { cat serve.log; exit 1; }
        sleep 0.05
    done
}
trap 'stop_server; kill ${greeter-} 2>&- || :' EXIT
END
}

# run_guide FILE FOLDER: in a folder of its own.
run_guide() {
    mkdir "$scratch/$2" && cd "$scratch/$2" || return 1
    { prologue; blocks "$1" | \
          sed "s/6443/$port/g; s/8080/$metrics_port/g"
      echo 'kubectl get --raw "/api/v1/nodes?watch=1&timeoutSeconds=1"'
      echo 'kubectl get --raw /metrics >"$metrics"'; } >"$scratch/script"
    kubectl=$kubectl progress=$scratch/$2.progress metrics=$scratch/metrics \
        timeout 1200 sh -ex "$scratch/script"
}

# ran_all FILE FOLDER: no block was left out.
ran_all() {
    tail -n 1 "$scratch/$2.progress" |
        grep -qx "block $(grep -c '^```sh$' "$1")"
}

# The limits that --help lists, and no others.
limits_agree() {
    "$build/yuloh" serve --help | "$root/tests/docs/flags" limits \
        >"$scratch/code" &&
        "$root/tests/docs/flags" table <"$guide" >"$scratch/table" &&
        grep -q max-body "$scratch/table" &&
        diff -u "$scratch/code" "$scratch/table"
}

# Each metric that the guide names is there, once there was a watch.
metrics_agree() {
    sed -n 's/^| `\([a-z_]*\)` |.*/\1/p' "$guide" | grep _ >"$scratch/named"
    [ "$(wc -l <"$scratch/named")" -ge 5 ] || return 1
    while read -r name; do
        grep -q "^# TYPE $name " "$scratch/metrics" \
            || { echo "there is no $name"; return 1; }
    done <"$scratch/named"
}

# Ports that are free now.
ports=$(/usr/bin/python3 -c 'import socket
sockets = [socket.socket(), socket.socket()]
for s in sockets:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
port=$(echo "$ports" | head -n 1)
metrics_port=$(echo "$ports" | tail -n 1)

# The library where it was built, as if it were installed.
mkdir "$scratch/bin"
cat >"$scratch/bin/pkg-config" <<'END'
#!/bin/sh
echo "-I$root/include -I$build/include -L$build -Wl,-rpath,$build -lyuloh"
END
chmod +x "$scratch/bin/pkg-config"
PATH=$scratch/bin:$PATH

holds 'the limits are those of the program' limits_agree
holds 'the commands of the guide work' run_guide "$guide" guide
holds 'all of them' ran_all "$guide" guide
holds 'its metrics are there' metrics_agree
holds 'the audit log has what the guide looks for' \
    grep -q '"verb":"patch"' "$scratch/guide/audit.log"

custom=$root/docs/custom-resources.md
holds 'the commands about custom resources work' run_guide "$custom" custom
holds 'all of those' ran_all "$custom" custom

controllers=$root/docs/controllers.md
if [ -x "$build/yuloh-gen" ]; then
    holds 'the commands about controllers work' \
        run_guide "$controllers" controllers
    holds 'all of them, too' ran_all "$controllers" controllers
else
    skipped 'the guide to controllers' \
        'yuloh-gen is not built: libclang-14-dev is missing'
fi
finish
