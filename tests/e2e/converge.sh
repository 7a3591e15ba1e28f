#!/bin/sh
# A controller converges although its watches are cut, its requests refused and
# the server killed; `make torture` does more of it, with more objects.
. "$(dirname "$0")/../tap.sh"

for seed in 1 2 3; do
    holds "everything is right in the end, with seed $seed" \
        "$build/tests/torture-converge" -n 1000 -r 40 "$seed"
done
finish
