#!/bin/sh
# tools/run-fuzzers: a finding fails, and so does a fuzzer that does not run.
#
# The fuzzers are played by scripts that print what libFuzzer prints.
. "$(dirname "$0")/../tap.sh"

# fuzzer FOLDER: a fuzzer, with the script on standard input.
fuzzer() {
    mkdir -p "$scratch/$1/tests/fuzz"
    { echo '#!/bin/sh'; cat; } >"$scratch/$1/tests/fuzz/$1_fuzz"
    chmod +x "$scratch/$1/tests/fuzz/$1_fuzz"
}

run() {
    "$root/tools/run-fuzzers" --seconds 1 --build "$scratch/$1"
}

mentions() {
    run "$1" | grep -F "$2"
}

fuzzer good <<'END'
echo 'stat::number_of_executed_units: 12'
END
fuzzer finding <<'END'
echo 'SUMMARY: libFuzzer: deadly signal'
echo 'Test unit written to out/crash-1'
echo 'stat::number_of_executed_units: 12'
exit 77
END
fuzzer idle <<'END'
echo 'stat::number_of_executed_units: 0'
END
fuzzer silent <<'END'
exit 0
END
mkdir -p "$scratch/empty/tests/fuzz"

holds 'a fuzzer without a finding passes' run good
holds 'its runs are counted' mentions good '12 runs'
fails 'a finding fails' run finding
holds 'a finding is explained' mentions finding 'deadly signal'
holds 'a finding can be repeated' mentions finding 'finding_fuzz out/crash-1'
fails 'a fuzzer that ran nothing fails' run idle
fails 'a fuzzer that says nothing fails' run silent
fails 'no fuzzer at all fails' run empty
fails 'no folder at all fails' run nowhere
finish
