#!/bin/sh
# docs/testing-controllers.md says what is true: its programs compile against an
# installed library, and run.
. "$(dirname "$0")/../tap.sh"

guide=$root/docs/testing-controllers.md
dest=$scratch/dest
meson=/usr/bin/meson
[ -x $meson ] || meson=meson

# The blocks "```c FILE" of the guide, put together by file.
take_apart() {
    cd "$scratch" || return 1
    awk '/^```$/ { file = "" }
         file { print >file }
         /^```c / { file = $2 }' "$guide"
    grep -q greeter_reconcile greeter.c && grep -q main greeter_test.c
}

# The commands, as they stand there; the libraries are below $dest.
run_commands() {
    cd "$scratch" || return 1
    awk '/^```$/ { inside = 0 } inside { print } /^```sh$/ { inside = 1 }' \
        "$guide" >commands
    mkdir bin
    cat >bin/pkg-config <<END
#!/bin/sh
exec $(command -v pkg-config) --define-variable=libdir='$libdir' \
    --define-variable=includedir='$includedir' "\$@"
END
    chmod +x bin/pkg-config
    PATH=$scratch/bin:$PATH PKG_CONFIG_PATH=$libdir/pkgconfig \
        timeout 120 sh -e commands >out 2>&1 || { cat out; return 1; }
    grep -q 'all is well' out
}

holds 'meson install' env DESTDIR="$dest" $meson install -C "$build" \
    --no-rebuild --quiet
libdir=$(dirname "$(dirname "$(find "$dest" -name yuloh.pc)")")
includedir=$(dirname "$(dirname "$(find "$dest" -path '*/yuloh/str.h')")")
holds 'the guide has the controller and its test' take_apart
holds 'its commands compile and run them' run_commands
finish
