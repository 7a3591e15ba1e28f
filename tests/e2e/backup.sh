#!/bin/sh
# yuloh backup and yuloh restore, as a user calls them.
. "$(dirname "$0")/../tap.sh"

yuloh=$build/yuloh
data=$scratch/data

# sql FILE STATEMENT: runs it and prints the first column.
sql() {
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row in db.execute(sys.argv[2]):
    print(row[0])
db.commit()' "$1" "$2"
}

# keys FILE: the keys in a database.
keys() {
    sql "$1" 'SELECT key FROM log ORDER BY revision'
}

for command in backup restore; do
    holds "help describes $command" \
        sh -c "'$yuloh' help $command | grep -q '^usage: yuloh $command'"
    holds "the manual has $command" \
        grep -q "^\\.B[RI]* $command" "$root/docs/man/yuloh.1"
    holds "$command needs a file" \
        says 'a file must be named' 2 "$yuloh" $command
    holds "$command takes one file" \
        says 'one file is enough' 2 "$yuloh" $command a b
    holds "$command takes a file of any name" \
        says 'one file is enough' 2 "$yuloh" $command -- --force a
    holds "$command refuses unknown flags" \
        says '--nonsense' 2 "$yuloh" $command --nonsense a
done

holds 'there is nothing to back up' says 'there is no database' 1 \
    "$yuloh" backup --data-dir "$data" "$scratch/none.db"
holds 'a file that is no backup is refused' says 'not a database' 1 \
    "$yuloh" restore --data-dir "$data" "$root/README.md"
holds 'a file that is missing is named' says "$scratch/none.db" 1 \
    "$yuloh" restore --data-dir "$data" "$scratch/none.db"

"$build/tests/torture-store" "$data" 1000 >"$scratch/revisions"
holds 'a backup is made' \
    "$yuloh" backup --data-dir "$data" "$scratch/a.db"
holds 'it is for its owner only' \
    [ "$(stat -c %a "$scratch/a.db")" = 600 ]
holds 'it is not replaced' says 'exists already' 1 \
    "$yuloh" backup --data-dir "$data" "$scratch/a.db"
holds 'nothing else is left behind' \
    [ "$(find "$scratch" -name 'a.db*' | wc -l)" = 1 ]
holds 'it holds everything' \
    [ "$(keys "$scratch/a.db" | wc -l)" = 1000 ]
holds 'a database is not overwritten' says '--force replaces it' 1 \
    "$yuloh" restore --data-dir "$data" "$scratch/a.db"
holds 'unless by force' \
    "$yuloh" restore --force --data-dir "$data" "$scratch/a.db"
holds 'a new directory is made' \
    "$yuloh" restore --data-dir "$scratch/other/data" "$scratch/a.db"
keys "$scratch/a.db" >"$scratch/want"
keys "$scratch/other/data/yuloh.db" >"$scratch/got"
holds 'what is restored is what was backed up' \
    cmp "$scratch/want" "$scratch/got"

cp "$scratch/a.db" "$scratch/bad.db"
sql "$scratch/bad.db" \
    "UPDATE log SET value = 'other' WHERE revision = 7"
holds 'a changed backup is refused' says 'does not match its checksum' 1 \
    "$yuloh" restore --data-dir "$scratch/third" "$scratch/bad.db"
sql "$scratch/bad.db" 'PRAGMA user_version = 99'
holds 'a newer format is refused' says 'a newer Yuloh' 1 \
    "$yuloh" restore --data-dir "$scratch/third" "$scratch/bad.db"
holds 'a refused backup leaves no database' \
    [ ! -e "$scratch/third/yuloh.db" ]

(
    exec 9>"$data/lock"
    flock 9
    says 'is in use by' 1 "$yuloh" restore --force --data-dir "$data" \
        "$scratch/a.db" >"$scratch/out"
)
status=$?
holds 'a directory in use is left alone' [ "$status" = 0 ]

# While somebody writes: what was acknowledged before is in it, and nothing is
# missing between.  He does not come to an end, nor fill a disk in memory.
"$build/tests/torture-store" "$scratch/busy" 1000000000 100 \
    >"$scratch/busy.out" &
writer=$!
while [ ! -s "$scratch/busy.out" ]; do sleep 0.1; done
for i in 1 2 3; do
    before=$(wc -l <"$scratch/busy.out")
    holds "a backup is made while somebody writes ($i)" \
        "$yuloh" backup --data-dir "$scratch/busy" "$scratch/busy-$i.db"
    n=$(keys "$scratch/busy-$i.db" | wc -l)
    newest=$(sql "$scratch/busy-$i.db" 'SELECT max(revision) FROM log')
    holds "it holds what was acknowledged before ($i)" [ "$n" -ge "$before" ]
    holds "it has no gaps ($i)" [ "$newest" = $((n + 1)) ]
done

# Interrupted while it runs: nothing is left.  One that is killed leaves a file
# that the next one removes.
for signal in INT TERM HUP; do
    "$yuloh" backup --data-dir "$scratch/busy" "$scratch/cut.db" \
        >/dev/null 2>&1 &
    backup=$!
    until ls "$scratch"/cut.db.yuloh-* >/dev/null 2>&1 \
        || ! kill -0 "$backup" 2>/dev/null; do :; done
    kill -s "$signal" "$backup" 2>/dev/null
    wait "$backup"
    rm -f "$scratch/cut.db"
    holds "SIG$signal leaves no part of a backup" \
        [ "$(find "$scratch" -name 'cut.db*' | wc -l)" = 0 ]
done
: >"$scratch/killed.db.yuloh-abcdef"
holds 'a backup beside one that was killed' \
    "$yuloh" backup --data-dir "$scratch/busy" "$scratch/other.db"
holds 'removes what that has left' \
    [ ! -e "$scratch/killed.db.yuloh-abcdef" ]
holds 'the writer is still at it' kill "$writer"
wait "$writer" 2>/dev/null
holds 'a killed writer leaves a good database' \
    "$yuloh" backup --data-dir "$scratch/busy" "$scratch/busy-4.db"
finish
