#!/bin/sh
# The tables of the built-in kinds: small, read-only, and up to date.
. "$(dirname "$0")/../tap.sh"

objects=$(find "$build/libyuloh.a.p" -name 'gen_*.c.o' 2>/dev/null)

# below BYTES: all tables together.
below() {
    # shellcheck disable=SC2086  # Words on purpose.
    size $objects | awk -v most="$1" '
        NR > 1 { n += $1 + $2 + $3; b += $3; if ($2 > $1) bad = $6 }
        END { print n " bytes in all, " b " of them zeros, " bad
              exit !(n > 0 && n < most && b == 0 && bad == "") }'
}

# only_constant: nothing is written to after relocation.
only_constant() {
    for object in $objects; do
        objdump -h "$object" | awk '
            $2 ~ /^\.(data|bss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ {
                print $2; bad = 1
            }
            END { exit bad }' || return 1
    done
}

# few_pointers: relocations are for sets and kinds, not for tables: fields,
# values, rules and strings stand in .rodata, which has none.
few_pointers() {
    for object in $objects; do
        if objdump -h "$object" | grep -q 'rela\.rodata' ||
            objdump -r "$object" | grep -q 'FOR \[\.rodata'; then
            echo "$object"
            return 1
        fi
    done
}

if [ -z "$objects" ] || [ -z "$(command -v objdump)" ]; then
    skipped 'tables are small' 'no objects of the tables, or no objdump'
    finish
fi
case $("$build/yuloh" --version 2>&1; nm "$build/yuloh" 2>/dev/null) in
*__asan_*|*__llvm_gcov*|*__gcov_*)
    skipped 'tables are small' 'an instrumented build has larger ones' ;;
*)
    holds 'tables of all kinds are below 1.5 MB' below 1500000
    holds 'and are never written to' only_constant
    holds 'and have no pointers but in sets and kinds' few_pointers ;;
esac
finish
