#!/bin/sh
# tools/install-deps: quiet when nothing is missing, clear when it cannot.
#
# dpkg-query, apt-get, sudo and id are played by scripts.
. "$(dirname "$0")/../tap.sh"

bin=$scratch/bin
mkdir "$bin"
for tool in sh cat env grep ls mktemp printf rm sed sort tail tr; do
    ln -s "$(command -v $tool)" "$bin/$tool"
done

# fake NAME: a program NAME in $bin, with the script on standard input.
fake() {
    { echo '#!/bin/sh'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

# Packages are installed if they stand in $scratch/installed.
fake dpkg-query <<END
shift 3
for p; do grep -qx "\$p" "$scratch/installed" && printf 'ii %s ' "\$p"; done
END
fake apt-get <<END
echo "\$*" >>"$scratch/apt"
[ ! -e "$scratch/offline" ] || { echo 'Could not resolve host'; exit 100; }
for p; do echo "\$p"; done >>"$scratch/installed"
END

deps() {
    YULOH_SKIP_DEPS='' PATH=$bin "$bin/sh" "$root/tools/install-deps" "$@" \
        </dev/null >"$scratch/out" 2>&1
    status=$?
    cat "$scratch/out"
    return $status
}

says() {
    text=$1
    shift
    deps "$@"
    grep -F "$text" "$scratch/out"
}

silent() {
    deps "$@" && [ ! -s "$scratch/out" ]
}

root_user() { echo 'echo 0' | fake id; }
plain_user() { echo 'echo 1000' | fake id; }

: >"$scratch/installed"
plain_user
fails 'a user without sudo is refused' deps build
holds 'and told the packages and the command' \
    says 'sudo apt-get install g++ gcc libc6-dev' build
root_user
holds 'root installs' deps build
holds 'and names the packages' grep -q libyaml-dev "$scratch/installed"
plain_user
holds 'nothing missing is silent, for anybody' silent build
fails 'a group needs more than its base' deps test
fake sudo <<'END'
[ "$1" = -n ] || exec "$@"
END
holds 'sudo is used when it asks for no password' deps test
root_user
: >"$scratch/offline"
fails 'no network is a failure' deps coverage
holds 'that says so' says 'is there a network?' coverage
holds 'and shows what apt-get said' says 'Could not resolve' coverage
rm "$bin/apt-get"
holds 'no apt-get is named' says 'has no apt-get' coverage
rm "$bin/dpkg-query"
holds 'no dpkg is named, with the way out' says YULOH_SKIP_DEPS coverage
fails 'an unknown group is refused' deps everything
finish
