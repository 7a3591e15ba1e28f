#!/bin/sh
# Random sequences of writes by several managers, judged by a model.
#
# ../random/README.md describes both.  The same sequences are played each time,
# so that a test does not fail by chance; others are played, and repeated, with
# YULOH_SEED=N tests/e2e/ssa.sh.  The seed is printed.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

seed=${YULOH_SEED:-1}
random=$root/tests/random

play() {
    /usr/bin/python3 -B "$random/ssa_model" --server "$url" "$@"
}

# The judge must run to its end and find some sequences right, some wrong.
finds() {
    play --count 200 --seed 1 --show 1 --wrong "$1" >"$scratch/found"
    cat "$scratch/found"
    tail -n 1 "$scratch/found" |
        grep -qx '[1-9][0-9]* passed, [1-9][0-9]* failed'
}

echo "# seed $seed"
holds 'the server starts' start_server
holds '10,000 sequences are as the model says' play --count 10000 --seed "$seed"
for fault in $(/usr/bin/python3 -B "$random/mutants.py"); do
    holds "a planted fault is found: $fault" finds "$fault"
done
holds 'the server stops' stop_server
finish
