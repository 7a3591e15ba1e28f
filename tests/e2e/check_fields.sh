#!/bin/sh
# tools/check-fields: it finds names that no descriptor has.
. "$(dirname "$0")/../tap.sh"

tree=$scratch/tree

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/src/builtin/pods" "$tree/src/apiserver" \
        "$tree/src/schema" "$tree/src/json" "$tree/gen"
    cat >"$tree/src/schema/at.h" <<'END'
/* yl_comment(const char *name); */
struct yl_at yl_at(const struct yl_at *object, const char *name);
struct yl_at yl_at_node(const struct yl_at *, const char *name,
                        const struct yl_node *node);
END
    cat >"$tree/src/json/member.h" <<'END'
void yl_member_keep(struct yl_arena *, struct yl_node *object,
                    const struct yl_node *old, const char *name);
END
    cat >"$tree/gen/x_v1.c" <<'END'
static const char strings[] =
    "\0"
    "replicas\0"
    "Deployment\0"
    "x-kubernetes-map-type\0"
    "spec\0";

static const struct yl_field fields[] = {
    { 0 },

    /* Deployment */
    { 1, 8, 1, offsetof(struct x, replicas), 0 },
    { 21, 21, 1,
      offsetof(struct x, map_type), 0 },
    { 43, 4, 1, offsetof(struct x, spec), 0 },
};
END
    cat >"$tree/src/builtin/pods/pod.c" <<'END'
#define KEY "app.kubernetes.io/name"
static const char *const names[] = { "spec", "replicas", NULL };

/* yl_at(&spec, "comment") */
at = yl_at(&spec, "replicas");
at = yl_at(f(&a, "b"), is_map ? "x-kubernetes-map-type" : "spec");
at = yl_at(&labels, KEY);
at = yl_at(&spec, names[i]);
at = yl_at(&spec, name);
at = yl_at_node(&spec, "shown", NULL);
yl_member_keep(arena, now,
               old, "spec");
END
    echo 'yl_at(&a, "nothing");' >"$tree/src/builtin/pods/pod_test.c"
    echo 'yl_at(&a, "nothing");' >"$tree/src/schema/other.c"
}

good() {
    fresh
    "$root/tools/check-fields" "$tree"
}

# finds TEXT FILE LINE...: with the lines added to FILE, TEXT is in the
# complaint.
finds() {
    fresh
    text=$1 file=$tree/$2
    shift 2
    printf '%s\n' "$@" >>"$file"
    "$root/tools/check-fields" "$tree" >"$scratch/out" && return 1
    cat "$scratch/out"
    grep -qF "$text" "$scratch/out"
}

without_descriptors() {
    fresh
    rm "$tree/gen/x_v1.c"
    ! "$root/tools/check-fields" "$tree"
}

pod=src/builtin/pods/pod.c
holds 'a good tree passes' good
holds 'a name of no field' finds 'pod.c:13: no field is called "replica"' \
    $pod 'at = yl_at(&spec, "replica");'
holds 'a name that only a type has' finds 'called "Deployment"' \
    $pod 'at = yl_at(&spec, "Deployment");'
holds 'the last of several arguments' finds 'called "spek"' \
    $pod 'yl_member_keep(arena, now, old, "spek");'
holds 'one of two names' finds 'called "spek"' \
    $pod 'at = yl_at(&a, b ? "spec" : "spek");'
holds 'a macro' finds 'called "spek"' \
    $pod '#define SPEC "spek"' 'at = yl_at(&a, SPEC);'
holds 'an element of an array' finds 'called "spek"' \
    $pod 'static const char *const all[] = { "spec", "spek" };' \
    'at = yl_at(&a, all[0]);'
holds 'a keyword of a schema' finds 'called "x-kubernetes-map"' \
    $pod 'at = yl_at(&a, "x-kubernetes-map");'
holds 'a call in the API server' finds 'called "spek"' \
    src/apiserver/a.c 'at = yl_at(&a, "spek");'
holds 'a tree without descriptors' without_descriptors
finish
