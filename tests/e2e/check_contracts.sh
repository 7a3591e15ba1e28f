#!/bin/sh
# tools/check-contracts: each test of client-go has a row, and each row a case
# that is run.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/tests/contracts" "$tree/tests/e2e" "$tree/src/x" \
        "$tree/build/tests"
    {
        echo '# A comment.'
        for i in 1 2 3 4 5 6 7 8 9 10; do
            echo "workqueue util/workqueue/q_test.go Test$i"
        done
    } >"$tree/tests/contracts/names"
    {
        echo '# A comment.'
        for i in 1 2 3 4 5 6 7 8; do
            printf 'Test%s\n    src/x/x_test.c: it_works\n' "$i"
        done
        printf 'Test9\n    tests/e2e/x.sh: it works as a whole\n'
        printf '    src/x/x_test.c: it_is_shared\n'
        printf 'Test10\n    no test: Nobody here has\n    such a thing.\n'
    } >"$tree/tests/contracts/workqueue.txt"
    printf '#include "shared.h"\n\nTEST(it_works)\n{\n}\n' \
        >"$tree/src/x/x_test.c"
    echo 'CASES(it_is_shared)' >"$tree/tests/shared.h"
    echo "holds 'it works as a whole' true" >"$tree/tests/e2e/x.sh"
    printf '#!/bin/sh\necho it_works\necho it_is_shared\n' \
        >"$tree/build/tests/x-x_test"
    chmod +x "$tree/build/tests/x-x_test"
}

good() {
    fresh
    shows '10 rows, 10 cases, 1 reasons, 0 errors' \
        "$root/tools/check-contracts" "$tree" &&
        "$root/tools/check-contracts" --build "$tree/build" "$tree"
}

# finds TEXT SCRIPT FILE: with FILE edited by the sed SCRIPT, TEXT is among the
# complaints.
finds() {
    fresh
    sed -i "$2" "$tree/$3"
    refused "$1" "$root/tools/check-contracts" --build "$tree/build" "$tree"
}

not_built() {
    fresh
    rm "$tree/build/tests/x-x_test"
    refused 'No such file' \
        "$root/tools/check-contracts" --build "$tree/build" "$tree" &&
        "$root/tools/check-contracts" "$tree"
}

table=tests/contracts/workqueue.txt

holds 'a good table passes' good
holds 'a test without a row' finds 'no row for Test1' '/^Test1$/,+1d' $table
holds 'a station without a table' finds 'no row for Test3' 'd' $table
holds 'a row without a test' finds 'upstream has no Other' \
    's/^Test1$/Other/' $table
holds 'two rows for a test' finds 'a second row for Test1' \
    's/^Test2$/Test1/' $table
holds 'a row without a case' finds 'neither a case nor a reason' \
    '/^Test1$/{n;d}' $table
holds 'an empty reason' finds 'no real reason' \
    '/no test/{s/:.*/: No./;n;d}' $table
holds 'a case and a reason' finds 'both cases and a reason' \
    '/^Test1$/{n;s/$/\n    no test: It has no meaning in C./}' $table
holds 'a line that is neither' finds 'neither FILE: CASE nor a reason' \
    's/it_works/&\n    something/' $table
holds 'a case twice' finds 'the same case twice' \
    's/.*it_is_shared/&\n&/' $table
holds 'a file that is not there' finds 'there is no src/y' \
    's/src.x/src\/y/' $table
holds 'a case that is not there' finds 'has no case it_worked' \
    's/it_works/it_worked/' $table
holds 'a case of a script that is not there' finds 'no case it works as a' \
    's/whole/part/' tests/e2e/x.sh
holds 'a case that the program does not run' \
    finds 'the program x-x_test has no case it_works' '/it_works/d' \
    build/tests/x-x_test
holds 'a program that is not built' not_built
holds 'too many reasons' finds '2 of 10 rows are reasons' \
    '/^Test1$/{n;s/.*/    no test: It has no meaning in C./}' $table
holds 'a station that nobody knows' finds 'queue is no station' \
    's/^workqueue/queue/' tests/contracts/names
holds 'an empty list' finds 'upstream has no Test1' d tests/contracts/names
# The list is that of client-go's sources, if Go has them.
same_names() {
    "$root/tools/check-contracts" --names "$upstream" >"$scratch/names"
    grep -v '^#' "$root/tests/contracts/names" | diff - "$scratch/names"
}

version=$(sed -n 's/^# client-go \(v[0-9.]*\):.*/\1/p' \
    "$root/tests/contracts/names")
upstream=${GOMODCACHE:-${GOPATH:-$HOME/go}/pkg/mod}/k8s.io/client-go@$version
if [ -d "$upstream" ]; then
    holds "the list is client-go's" same_names
else
    skipped "the list is client-go's" "client-go $version is not here"
fi
holds 'the contracts are kept' "$root/tools/check-contracts" --build "$build"
finish
