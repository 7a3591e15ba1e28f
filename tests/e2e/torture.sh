#!/bin/sh
# Kills a server under load and takes its disk away; `make torture` does more
# of it.
. "$(dirname "$0")/../tap.sh"

torture() {
    "$root/tests/torture/kill9.py" --build "$build" "$@"
}

holds 'kill -9 loses nothing and doubles nothing' torture --rounds 6 kill
holds 'a failing sync fails writes, and passes' torture sync
torture full >"$scratch/full" 2>&1
status=$?
if [ "$status" = 77 ]; then
    skipped 'a full disk fails writes, and passes' 'no tmpfs can be mounted'
else
    holds 'a full disk fails writes, and passes' \
        sh -c "cat '$scratch/full'; [ $status = 0 ]"
fi
finish
