#!/bin/sh
# Everything can be started and stopped a hundred times in one process: server,
# client, informers, manager, leader election.
. "$(dirname "$0")/../tap.sh"

holds 'nothing is left after a hundred starts and stops' \
    "$build/tests/torture-cycles" 100
finish
