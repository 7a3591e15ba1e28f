#!/bin/sh
# tools/run-tests: what it counts, and what it does not let pass.
. "$(dirname "$0")/../tap.sh"

# Makes the test program NAME, with the script on standard input, in a build
# folder of its own.
program() {
    mkdir -p "$scratch/$1/tests"
    { echo '#!/bin/sh'; cat; } >"$scratch/$1/tests/x-$1_test"
    chmod +x "$scratch/$1/tests/x-$1_test"
}

# Only the one that hangs is not waited for: a busy machine may take a second
# for any other.
run() {
    timeout=60
    [ "$1" != hanging ] || timeout=1
    "$root/tools/run-tests" --unit --timeout $timeout --build "$scratch/$1"
}

# Runs FOLDER and compares exit status and last line.
sums_to() {
    run "$1" >"$scratch/out"
    status=$?
    cat "$scratch/out"
    [ "$status" = "$2" ] && [ "$(tail -1 "$scratch/out")" = "$3" ]
}

mentions() {
    run "$1" | grep -F "$2"
}

program good <<'END'
echo 1..2; echo 'ok 1 - a'; echo 'ok 2 - b'
END
program failing <<'END'
echo 1..2; echo 'ok 1 - a'; echo 'not ok 2 - b'; echo '# 1 != 2'; exit 1
END
program skipping <<'END'
echo 1..3; echo 'ok 1 - a'
echo 'skipped: the moon is down'; echo 'not ok 2 # SKIP b'
echo 'ok 3 - c # SKIP no toolchain'
END
program crashing <<'END'
echo 1..2; echo 'ok 1 - a'; kill -ABRT $$
END
program short <<'END'
echo 1..3; echo 'ok 1 - a'
END
program silent <<'END'
exit 0
END
program none <<'END'
echo 1..0
END
program hanging <<'END'
echo 1..1; sleep 600
END
program lying <<'END'
echo 1..1; echo 'ok 1 - a'; exit 3
END
mkdir -p "$scratch/empty/tests"

holds 'passing cases are counted' sums_to good 0 '2 passed, 0 failed'
holds 'a failing case fails the run' sums_to failing 1 '1 passed, 1 failed'
holds 'a failure is explained' mentions failing '1 != 2'
holds 'skips are counted apart' \
    sums_to skipping 0 '1 passed, 0 failed, 2 skipped'
holds "a skip's reason is shown, as cmocka gives it" \
    mentions skipping 'the moon is down'
holds "a skip's reason is shown, as TAP gives it" \
    mentions skipping 'no toolchain'
holds 'a crash is a failure' sums_to crashing 1 '1 passed, 1 failed'
holds 'a crash is named' mentions crashing SIGABRT
holds 'fewer cases than planned is a failure' \
    sums_to short 1 '1 passed, 1 failed'
holds 'no plan is a failure' sums_to silent 1 '0 passed, 1 failed'
holds 'no case is a failure' sums_to none 1 '0 passed, 1 failed'
holds 'a hang is a failure' sums_to hanging 1 '0 passed, 1 failed'
holds 'a bad exit status is a failure' sums_to lying 1 '1 passed, 1 failed'
holds 'a run of nothing is a failure' sums_to empty 1 '0 passed, 0 failed'
holds 'a wrapper is put before each test' sh -c "'$root/tools/run-tests' \
    --unit --build '$scratch/good' --wrapper 'sh -c \"exit 1\"'; [ \$? = 1 ]"
finish
