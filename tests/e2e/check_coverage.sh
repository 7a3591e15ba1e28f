#!/bin/sh
# tools/check-coverage: a folder below the limit fails.
. "$(dirname "$0")/../tap.sh"

# file NAME LINES COVERED, as gcovr says it.
file() {
    printf '{"filename": "%s", "line_total": %d, "line_covered": %d}' "$@"
}

# covers JSON: the checker's verdict on a report of these files.
covers() {
    printf '#!/bin/sh\ncat <<END\n{"files": [%s]}\nEND\n' "$1" \
        >"$scratch/gcovr"
    chmod +x "$scratch/gcovr"
    GCOVR=$scratch/gcovr "$root/tools/check-coverage" nowhere
}

high=$(file src/base/a.c 100 100)
edge=$(file src/json/b.c 100 90)
low=$(file src/json/c.c 100 89)

holds 'folders at 90 % pass' covers "$high, $edge"
fails 'a folder below 90 % fails' covers "$high, $low"
holds 'a folder counts as a whole' \
    covers "$(file src/base/c.c 100 80), $high"
fails 'nothing measured fails' covers ''
finish
