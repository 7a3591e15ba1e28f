#!/bin/sh
# tools/check-kinds: it finds kinds that the general machine names.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/gen" "$tree/src/apiserver/registry" \
        "$tree/src/apiserver/verbs" "$tree/src/apiserver/filters" \
        "$tree/src/apiserver/answer"
    cat >"$tree/gen/core_v1.c" <<'END'
const struct yl_kind core_v1_pod_kind = {
    .name = "Pod",
    .plural = "pods",
};

const struct yl_kind core_v1_other_kind = {
    .name = "Other",
    .plural = "others",
};
END
    echo '    { .hub = &core_v1_pod_kind },' \
        >"$tree/src/apiserver/registry/builtins.c"
    echo 'x = "podsy"; y = "Other"; /* "Pod" */' \
        >"$tree/src/apiserver/verbs/v.c"
    echo 'x = "Pod";' >"$tree/src/apiserver/verbs/v_test.c"
}

good() {
    fresh
    "$root/tools/check-kinds" "$tree"
}

# finds TEXT FILE LINE: with LINE added to FILE, TEXT is in the complaint.
finds() {
    fresh
    printf '%s\n' "$3" >>"$tree/src/apiserver/$2"
    "$root/tools/check-kinds" "$tree" >"$scratch/out" && return 1
    cat "$scratch/out"
    grep -qF "$1" "$scratch/out"
}

no_rows() {
    fresh
    : >"$tree/src/apiserver/registry/builtins.c"
    ! "$root/tools/check-kinds" "$tree"
}

holds 'a good tree passes' good
holds 'a kind' finds 'v.c:2: "Pod"' verbs/v.c 'f(YL_STR("Pod"));'
holds 'a plural' finds 'f.h:1: "pods"' filters/f.h 'f("pods");'
holds 'a subresource' finds '"pods/binding"' answer/a.c 'f("pods/binding");'
holds 'a descriptor' finds 'core_v1_pod_kind' verbs/v.c '&core_v1_pod_kind'
holds 'a table without rows' no_rows
finish
