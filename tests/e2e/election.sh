#!/bin/sh
# Of three replicas one works, although they are stopped, killed and cut off;
# the audit log of the server says so.  `make torture` does more of it.
. "$(dirname "$0")/../tap.sh"

holds 'never two replicas at work' \
    "$root/tests/torture/election.py" --build "$build" --acts 6 --seed 1
finish
