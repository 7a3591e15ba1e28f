#!/bin/sh
# tools/build: a build folder follows the files that come and go.
. "$(dirname "$0")/../tap.sh"

# A small project with the real tools/build and tools/list-files.
tree=$scratch/tree
export CCACHE_DISABLE=1        # Its folder may not be ours.
mkdir -p "$tree/tools" "$tree/src/base" "$tree/include" "$tree/cmd" \
    "$tree/tests/fuzz" "$tree/examples" "$tree/bench" "$tree/docs/man"
cp "$root/tools/build" "$root/tools/list-files" "$tree/tools"
cat >"$tree/meson.build" <<'END'
project('small', 'c')
list = find_program('tools/list-files')
static_library('small',
  files(run_command(list, 'lib', check : true).stdout().split()))
END
echo 'int a;' >"$tree/src/base/a.c"

make_it() {
    "$tree/tools/build" out all >"$scratch/out" 2>&1
    status=$?
    cat "$scratch/out"
    return $status
}

says() {
    make_it && grep -qF "$1" "$scratch/out"
}

does_not_say() {
    make_it && ! grep -qF "$1" "$scratch/out"
}

has() {
    nm "$tree/out/libsmall.a" | grep -q " $1\$"
}

holds 'the first build configures' says 'Configuring out'
holds 'the second build does not' does_not_say Configuring
echo 'int b;' >"$tree/src/base/b.c"
holds 'a new file is noticed' says 'Configuring out again'
holds 'a new file is built' has b
rm "$tree/src/base/b.c"
holds 'a removed file is noticed' says 'Configuring out again'
fails 'a removed file is gone' has b
echo 'int' >"$tree/src/base/a.c"
fails 'a build that breaks fails' make_it
finish
